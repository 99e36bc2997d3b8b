import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { shortened } from '../../../components/values/Copyable.js'
import { durationText } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { Card } from '../parts/Card.js'
import { explainHref } from '../parts/hrefs.js'
import { useChainName } from '../parts/useChains.js'
import type { NowReport, Stuck } from './nowReport.js'

const words = consoleTexts.now

const ChainName = ({ id }: { readonly id: number }) => <span className="cut">{useChainName()(id)}</span>

const COLUMNS: readonly Column<Stuck>[] = [
  {
    id: 'what',
    title: words.what,
    width: 'minmax(0, 1.4fr)',
    wide: true,
    cell: ({ kind, id }) => (
      <span className="cut" title={id}>
        {kind === 'payout' ? words.payout(id.replace('payout:', '')) : `${words.request} ${shortened(id)}`}
      </span>
    ),
  },
  {
    id: 'chain',
    title: consoleTexts.parts.chain,
    width: 'minmax(0, 0.7fr)',
    cell: ({ chainId }) => <ChainName id={chainId} />,
  },
  {
    id: 'step',
    title: words.step,
    cell: ({ action }) => <span className="cut">{consoleTexts.steps[action] ?? action}</span>,
  },
  {
    id: 'late',
    title: words.late,
    width: '6rem',
    cell: ({ lateSeconds }) => (
      <Badge tone={lateSeconds > 600 ? 'bad' : 'warn'}>{durationText(lateSeconds * 1000)}</Badge>
    ),
  },
  {
    id: 'why',
    title: words.why,
    width: 'minmax(0, 2fr)',
    wide: true,
    cell: ({ why }) => (
      <span className={why === null ? 'cut faint' : 'cut'} title={why ?? undefined}>
        {why ?? words.unknownWhy}
      </span>
    ),
  },
]

/** What is late, with why, each leading to all that is known of it. */
export const StuckList = ({ report: { stuck, stuckCount } }: { readonly report: NowReport }) => (
  <Card
    title={words.stuck}
    aside={<Badge tone={stuckCount === 0 ? 'good' : 'bad'}>{stuckCount.toLocaleString('en')}</Badge>}
  >
    <p className="soft">{words.stuckLead}</p>
    <DataTable
      label={words.stuck}
      columns={COLUMNS}
      rows={stuck}
      rowKey={({ kind, id }) => `${kind} ${id}`}
      rowHref={({ id }) => explainHref(id)}
      empty={
        <EmptyState title={words.nothingStuck}>
          <p>{words.nothingStuckMore}</p>
        </EmptyState>
      }
    />
    {stuckCount > stuck.length && <Notice>{words.more(stuckCount - stuck.length)}</Notice>}
  </Card>
)
