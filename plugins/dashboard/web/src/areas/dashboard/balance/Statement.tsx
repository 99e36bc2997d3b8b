import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { callApi, withQuery } from '../../../api/callApi.js'
import { Button } from '../../../components/controls/Button.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState, Loaded } from '../../../components/feedback/States.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { Time } from '../../../components/values/Time.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { RequestRef } from '../data/RequestRef.js'
import { saveFile } from '../data/saveFile.js'
import { ShownAmount } from '../request/ShownAmount.js'
import { PeriodField, usePeriod } from './period.js'
import type { ListedMoney, WalletQuery } from './wallet.js'

const words = dashboardTexts.balance.statement
const PATH = '/dashboard/api/balances/statement'

interface Account extends ListedMoney {
  readonly account: string
  readonly opening: string
  readonly closing: string
}
interface Posting extends ListedMoney {
  readonly id: number
  readonly at: string
  readonly requestId: string | null
  readonly context: string
  readonly changes: readonly { readonly account: string; readonly delta: string }[]
}
interface StatementAnswer {
  readonly accounts: readonly Account[]
  readonly movements: readonly Posting[]
}

const nameOf = (account: string): string => words.names[account] ?? account

const ACCOUNTS: readonly Column<Account>[] = [
  { id: 'account', title: words.columns.account, wide: true, cell: ({ account }) => nameOf(account) },
  {
    id: 'opening',
    title: words.columns.opening,
    align: 'end',
    cell: ({ opening, ...of }) => <ShownAmount money={{ ...of, amount: opening }} />,
  },
  {
    id: 'closing',
    title: words.columns.closing,
    align: 'end',
    cell: ({ closing, ...of }) => <ShownAmount money={{ ...of, amount: closing }} />,
  },
]

/** One line for each account that a posting changed. */
interface PostingLine extends ListedMoney {
  readonly key: string
  readonly at: string
  readonly context: string
  readonly requestId: string | null
  readonly account: string
  readonly amount: string
}

const linesOf = (postings: readonly Posting[]): readonly PostingLine[] =>
  postings.toReversed().flatMap(({ changes, id, ...posting }) =>
    changes.map(({ account, delta }) => ({
      ...posting,
      key: `${id} ${posting.chainId} ${posting.currency} ${account}`,
      account,
      amount: delta,
    })),
  )

const LINES: readonly Column<PostingLine>[] = [
  {
    id: 'why',
    title: words.columns.why,
    width: 'minmax(0, 1.3fr)',
    wide: true,
    cell: ({ context }) => dashboardTexts.balance.movements.contexts[context] ?? context,
  },
  { id: 'account', title: words.columns.account, cell: ({ account }) => nameOf(account) },
  { id: 'changes', title: words.columns.changes, align: 'end', cell: (line) => <ShownAmount money={line} /> },
  { id: 'request', title: words.columns.request, cell: ({ requestId }) => <RequestRef id={requestId} /> },
  { id: 'at', title: words.columns.at, width: '7rem', align: 'end', cell: ({ at }) => <Time at={at} /> },
]

/** What each account of the wallet held, and every posting between; as a file too. */
export const Statement = ({ query }: { readonly query: WalletQuery }) => {
  const { startTimestamp } = usePeriod()
  const asked = { ...query, startTimestamp }
  const statement = useQuery({
    queryKey: ['statement', asked],
    queryFn: ({ signal }) => callApi<StatementAnswer>(PATH, { query: asked, signal }),
  })
  const save = useMutation({
    mutationFn: () => saveFile(withQuery(`${PATH}/csv`, asked), 'statement.csv'),
    onSuccess: () => toast(words.saved),
    onError: (error) => toast(error.message, 'bad'),
  })
  const empty = (
    <EmptyState title={words.empty}>
      <p>{words.emptyHow}</p>
    </EmptyState>
  )
  return (
    <>
      <div className="filter-row">
        <PeriodField />
        <Button onClick={() => save.mutate()} disabled={save.isPending}>
          <Download aria-hidden />
          {words.csv}
        </Button>
      </div>
      <Loaded query={statement} lines={8}>
        {({ accounts, movements }) => (
          <>
            <h2>{words.accounts}</h2>
            <DataTable
              label={words.accounts}
              columns={ACCOUNTS}
              rows={accounts}
              rowKey={({ account, chainId, currency }) => `${account} ${chainId} ${currency}`}
              empty={empty}
            />
            {movements.length > 0 && (
              <>
                <h2>{words.movements}</h2>
                <DataTable
                  label={words.movements}
                  columns={LINES}
                  rows={linesOf(movements)}
                  rowKey={({ key }) => key}
                  leastWidth={820}
                  empty={empty}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
