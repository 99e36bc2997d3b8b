import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useStatusEvents } from '../../../api/statusEvents.js'
import { type Column, DataTable, type DataTableProps } from '../../../components/data/DataTable.js'
import { Amount } from '../../../components/values/Amount.js'
import { StatusBadge } from '../../../components/values/Badge.js'
import { shortened } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { useChains } from '../data/chains.js'
import { type AmountObject, endsOf, isOver, type RequestRecord } from './requestRecord.js'

const words = dashboardTexts.requests

const MoneyCell = ({ money, note }: { readonly money: AmountObject | null; readonly note?: string | undefined }) => {
  const { nameOf } = useChains()
  if (money === null) return <span className="faint">{texts.data.none}</span>
  const { amount, currency } = money
  return (
    <div className="cell-two">
      <Amount amount={amount} decimals={currency.decimals} symbol={currency.symbol} />
      <span className="small faint cut">
        {words.on(nameOf(currency.chainId))}
        {note !== undefined && ` · ${note}`}
      </span>
    </div>
  )
}

/** The status of a line, which follows its request until that is over. */
const LiveStatus = ({ record }: { readonly record: RequestRecord }) => {
  const client = useQueryClient()
  useStatusEvents(isOver(record.status) ? null : record.id, ({ status }) => {
    if (status !== record.status) void client.invalidateQueries({ queryKey: [REQUESTS_PATH] })
  })
  return <StatusBadge status={record.status} />
}

export const REQUESTS_PATH = '/dashboard/api/requests'

const COLUMNS: readonly Column<RequestRecord>[] = [
  {
    id: 'status',
    title: words.columns.status,
    width: 'minmax(11rem, 0.9fr)',
    wide: true,
    cell: (record) => <LiveStatus record={record} />,
  },
  { id: 'given', tall: true, title: words.columns.given, cell: (record) => <MoneyCell money={endsOf(record).given} /> },
  {
    id: 'received',
    tall: true,
    title: words.columns.received,
    cell: (record) => {
      const { received, isPromise } = endsOf(record)
      return <MoneyCell money={received} note={isPromise ? words.quoted : undefined} />
    },
  },
  {
    id: 'user',
    title: words.columns.user,
    width: 'minmax(0, 0.9fr)',
    cell: ({ user }) => (
      <span className="mono cut" title={user}>
        {shortened(user, 14)}
      </span>
    ),
  },
  {
    id: 'time',
    title: words.columns.created,
    width: '7.5rem',
    align: 'end',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]

/** Requests, each a line that leads to its page. */
export const RequestTable = (
  props: Omit<DataTableProps<RequestRecord>, 'label' | 'columns' | 'rowKey' | 'rowHref' | 'empty'> & {
    readonly empty: ReactNode
  },
) => (
  <DataTable
    label={words.list}
    columns={COLUMNS}
    rowKey={({ id }) => id}
    rowHref={({ id }) => `/dashboard/requests/${id}`}
    leastWidth={820}
    {...props}
  />
)
