import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { shortened } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { readCommand } from '../commands.js'
import { laneHref } from '../parts/hrefs.js'
import { LaneBadge } from './LaneBadge.js'
import { LaneView } from './LaneView.js'
import type { LaneReport, LanesReport } from './laneReport.js'

const words = consoleTexts.lanes

const Count = ({ count }: { readonly count: number }) =>
  count === 0 ? <span className="faint">{texts.data.none}</span> : <span>{count.toLocaleString('en')}</span>

const COLUMNS: readonly Column<LaneReport>[] = [
  {
    id: 'lane',
    title: words.lane,
    width: 'minmax(0, 2.4fr)',
    wide: true,
    cell: ({ chain, signer }) => (
      <span title={signer}>
        <strong>{chain}</strong> <span className="mono soft">{shortened(signer, 14)}</span>
      </span>
    ),
  },
  { id: 'state', title: words.state, width: '10rem', cell: (lane) => <LaneBadge lane={lane} /> },
  {
    id: 'next',
    title: words.next,
    align: 'end',
    cell: ({ position }) => <span className="cut">{position ?? texts.data.none}</span>,
  },
  { id: 'live', title: words.live, align: 'end', cell: ({ liveAttempts }) => <Count count={liveAttempts} /> },
  { id: 'final', title: words.notFinal, align: 'end', cell: ({ notFinal }) => <Count count={notFinal} /> },
  { id: 'limit', title: words.waiting, align: 'end', cell: ({ waitingForLimit }) => <Count count={waitingForLimit} /> },
  {
    id: 'oldest',
    title: words.oldest,
    cell: ({ oldestUnpaidAt }) =>
      oldestUnpaidAt === null ? <span className="faint">{texts.data.none}</span> : <Time at={oldestUnpaidAt} />,
  },
  {
    id: 'unknown',
    title: words.unknown,
    width: '6.5rem',
    cell: ({ unmatched, former }) => {
      const shut = unmatched.filter(({ shuts }) => shuts).length
      return shut === 0 ? <Count count={0} /> : <Badge tone={former ? 'plain' : 'bad'}>{shut}</Badge>
    },
  },
]

/** Every lane, or the one that the address names. */
export const LanesPage = ({ id }: { readonly id: string | null }) => {
  const query = useQuery(readCommand<LanesReport>({ name: 'lanes' }))
  if (id !== null) return <LaneView id={id} query={query} />
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <DataTable
        label={words.title}
        columns={COLUMNS}
        rows={query.data?.lanes}
        rowKey={({ chain, signer }) => `${chain}:${signer}`}
        rowHref={({ chain, signer }) => laneHref(chain, signer)}
        error={query.error}
        retry={() => void query.refetch()}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyMore}</p>
          </EmptyState>
        }
        leastWidth={920}
      />
    </>
  )
}
