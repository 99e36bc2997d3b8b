import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/callApi.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState, Loaded } from '../../../components/feedback/States.js'
import { Time } from '../../../components/values/Time.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { RequestRef } from '../data/RequestRef.js'
import { ShownAmount } from '../request/ShownAmount.js'
import { PeriodField, usePeriod } from './period.js'
import type { ListedMoney, WalletQuery } from './wallet.js'

const words = dashboardTexts.balance.spending

interface Paid extends ListedMoney {
  readonly amount: string
}
interface PaidDay extends Paid {
  readonly day: string
  readonly requests: number
}
interface PaidRequest extends Paid {
  readonly requestId: string
  readonly at: string
}

interface SpendingAnswer {
  readonly days: readonly PaidDay[]
  readonly requests: readonly PaidRequest[]
}

const amountColumn = <Row extends Paid>(): Column<Row> => ({
  id: 'amount',
  title: words.columns.amount,
  align: 'end',
  cell: (row) => <ShownAmount money={row} />,
})

const DAYS: readonly Column<PaidDay>[] = [
  { id: 'day', title: words.columns.day, cell: ({ day }) => <span className="number">{day}</span> },
  amountColumn(),
  {
    id: 'requests',
    title: words.columns.requests,
    align: 'end',
    cell: ({ requests }) => requests.toLocaleString(),
  },
]

const REQUESTS: readonly Column<PaidRequest>[] = [
  { id: 'request', title: words.columns.request, cell: ({ requestId }) => <RequestRef id={requestId} /> },
  amountColumn(),
  { id: 'at', title: words.columns.at, align: 'end', cell: ({ at }) => <Time at={at} /> },
]

/** What the wallet paid for others. */
export const Spending = ({ query }: { readonly query: WalletQuery }) => {
  const { startTimestamp } = usePeriod()
  const asked = { ...query, startTimestamp }
  const spending = useQuery({
    queryKey: ['spending', asked],
    queryFn: ({ signal }) => callApi<SpendingAnswer>('/dashboard/api/balances/spending', { query: asked, signal }),
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
      </div>
      <Loaded query={spending} lines={8}>
        {({ days, requests }) => (
          <>
            <h2>{words.days}</h2>
            <DataTable
              label={words.days}
              columns={DAYS}
              rows={days}
              rowKey={({ day, chainId, currency }) => `${day} ${chainId} ${currency}`}
              empty={empty}
            />
            {requests.length > 0 && (
              <>
                <h2>{words.requests}</h2>
                <DataTable
                  label={words.requests}
                  columns={REQUESTS}
                  rows={requests}
                  rowKey={({ requestId, chainId, currency }) => `${requestId} ${chainId} ${currency}`}
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
