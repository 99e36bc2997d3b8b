import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { BulkBar } from '../../../components/data/BulkBar.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { useChosenRows } from '../../../components/data/useChosenRows.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { shortened } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { readCommand } from '../commands.js'
import { laneHref } from '../parts/hrefs.js'
import { useBulkCommands } from '../parts/useBulkCommands.js'
import { LaneBadge } from './LaneBadge.js'
import { LaneView } from './LaneView.js'
import { canReleaseLane, shuttingOf } from './laneBulk.js'
import type { LaneReport, LanesReport } from './laneReport.js'
import { useShownMoney } from './useLaneMoney.js'

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

const keyOf = ({ chain, signer }: LaneReport): string => `${chain}:${signer}`
const nameOf = ({ chain, signer }: LaneReport): string => `${chain} ${shortened(signer, 14)}`

/** Every lane, or the one that the address names. */
export const LanesPage = ({ id }: { readonly id: string | null }) => {
  const query = useQuery(readCommand<LanesReport>({ name: 'lanes' }))
  return id === null ? <List query={query} /> : <LaneView id={id} query={query} />
}

const useRelease = (count: number) => {
  const shown = useShownMoney()
  return useBulkCommands<LaneReport>(
    [
      {
        verb: 'release',
        title: words.releaseTitles,
        effect: words.releaseEffects,
        confirm: words.release,
        danger: true,
        allows: canReleaseLane,
        call: ({ chain, signer }, reason) => ({
          name: 'lanes release',
          arguments: [chain, signer],
          options: { all: true, reason },
        }),
        confirmWith: ({ chain }) => chain,
        keyOf,
        nameOf: (lane) => `${nameOf(lane)}: ${words.payments(shuttingOf(lane).length)}`,
        moneysOf: (lane) => shuttingOf(lane).map(({ currency, amount }) => shown(lane.chainId, currency, amount)),
      },
    ],
    count,
  )
}

const List = ({ query }: { readonly query: UseQueryResult<LanesReport> }) => {
  const chosen = useChosenRows({ rows: query.data?.lanes, keyOf, canChoose: canReleaseLane })
  const { actions, dialog } = useRelease(chosen.rows.length)
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <BulkBar chosen={chosen} actions={actions} />
      <DataTable
        label={words.title}
        columns={COLUMNS}
        rows={query.data?.lanes}
        rowKey={keyOf}
        rowHref={({ chain, signer }) => laneHref(chain, signer)}
        {...(chosen.choosable === 0 ? {} : { selection: { chosen, nameOf } })}
        error={query.error}
        retry={() => void query.refetch()}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyMore}</p>
          </EmptyState>
        }
        leastWidth={920}
      />
      {dialog}
    </>
  )
}
