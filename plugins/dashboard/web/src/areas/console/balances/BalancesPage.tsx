import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { shortened } from '../../../components/values/Copyable.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { readCommand } from '../commands.js'
import { balanceHref } from '../parts/hrefs.js'
import { MoneyOn, MoneyOrDash } from '../parts/money/Money.js'
import { useGrowingLimit } from '../parts/useGrowingLimit.js'
import { OwedTotals } from './OwedTotals.js'
import type { OwedReport, WalletBalance } from './owedReport.js'
import { WalletView } from './WalletView.js'

const words = consoleTexts.balances
const BALANCES_MS = 15_000

/** One currency of one wallet. */
interface Row extends WalletBalance {
  readonly wallet: string
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'wallet',
    title: words.wallet,
    width: 'minmax(0, 1.2fr)',
    wide: true,
    cell: ({ wallet }) => (
      <span className="mono cut" title={wallet}>
        {shortened(wallet, 16)}
      </span>
    ),
  },
  {
    id: 'free',
    whole: true,
    title: words.free,
    align: 'end',
    width: 'minmax(0, 1.3fr)',
    cell: (row) => <MoneyOn money={{ ...row, amount: row.free }} />,
  },
  {
    id: 'reserved',
    whole: true,
    title: words.reserved,
    align: 'end',
    cell: (row) => <MoneyOrDash money={{ ...row, amount: row.reserved }} />,
  },
  {
    id: 'earned',
    whole: true,
    title: words.earned,
    align: 'end',
    cell: (row) => <MoneyOrDash money={{ ...row, amount: row.earned }} />,
  },
  {
    id: 'claimed',
    whole: true,
    title: words.claimed,
    align: 'end',
    cell: (row) => <MoneyOrDash money={{ ...row, amount: row.claimed }} />,
  },
  {
    id: 'exposure',
    whole: true,
    title: words.exposure,
    align: 'end',
    cell: (row) => <MoneyOrDash money={{ ...row, amount: row.exposure }} />,
  },
]

/** Who is owed what; or one wallet, which the address names. */
export const BalancesPage = ({ id }: { readonly id: string | null }) =>
  id === null ? <List /> : <WalletView wallet={id} />

const List = () => {
  const { limit, grow, isFull } = useGrowingLimit()
  const query = useQuery({
    ...readCommand<OwedReport>({ name: 'balances', options: { limit: String(limit) } }, BALANCES_MS),
    placeholderData: keepPreviousData,
  })
  const rows = query.data?.wallets.flatMap(({ wallet, balances }) =>
    balances.map((balance) => ({ ...balance, wallet })),
  )
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      {query.data !== undefined && <OwedTotals totals={query.data.totals} />}
      <h2>{words.wallets}</h2>
      <DataTable
        label={words.wallets}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ wallet, chainId, currency }) => `${wallet} ${chainId} ${currency}`}
        rowHref={({ wallet }) => balanceHref(wallet)}
        error={query.error}
        retry={() => void query.refetch()}
        hasMore={query.data?.more === true && !isFull}
        isLoadingMore={query.isFetching}
        loadMore={grow}
        leastWidth={880}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyMore}</p>
          </EmptyState>
        }
      />
    </>
  )
}
