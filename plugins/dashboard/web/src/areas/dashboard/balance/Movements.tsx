import { SelectField } from '../../../components/controls/Field.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Amount } from '../../../components/values/Amount.js'
import { shortened } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { useAddress } from '../../../shell/address.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { useChains } from '../data/chains.js'
import { useCursorList } from '../data/cursorList.js'
import { RequestRef } from '../data/RequestRef.js'
import type { WalletQuery } from './wallet.js'

const words = dashboardTexts.balance.movements

interface Movement {
  readonly id: number
  readonly chainId: number
  readonly currency: string
  readonly delta: string
  readonly balanceAfter: string
  readonly context: string
  readonly requestId: string | null
  readonly createdAt: string
}

interface MovementsAnswer {
  readonly events: readonly Movement[]
  readonly continuation: string | null
}

/** Money whose currency is named by its address; in smallest units where the service does not list it. */
const Money = ({ of: { chainId, currency }, amount }: { readonly of: Movement; readonly amount: string }) => {
  const { chains } = useChains()
  const token = chains
    .find(({ id }) => id === chainId)
    ?.solverCurrencies.find(({ address }) => address.toLowerCase() === currency.toLowerCase())
  return <Amount amount={amount} decimals={token?.decimals ?? 0} symbol={token?.symbol ?? shortened(currency, 12)} />
}

const COLUMNS: readonly Column<Movement>[] = [
  {
    id: 'why',
    title: words.columns.why,
    width: 'minmax(0, 1.4fr)',
    wide: true,
    cell: ({ context }) => words.contexts[context] ?? context,
  },
  {
    id: 'delta',
    title: words.columns.delta,
    align: 'end',
    cell: (movement) => <Money of={movement} amount={movement.delta} />,
  },
  {
    id: 'after',
    title: words.columns.after,
    align: 'end',
    cell: (movement) => <Money of={movement} amount={movement.balanceAfter} />,
  },
  { id: 'request', title: words.columns.request, cell: ({ requestId }) => <RequestRef id={requestId} /> },
  { id: 'at', title: words.columns.at, width: '7rem', align: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** What moved the balance, newest first. */
export const Movements = ({ query }: { readonly query: WalletQuery }) => {
  const { values, change } = useAddress()
  const context = values.context ?? ''
  const { table } = useCursorList<MovementsAnswer, Movement>({
    path: '/dashboard/api/balances/events',
    query: { ...query, context, limit: 50 },
    refreshMs: 15_000,
    rowsOf: ({ events }) => events,
    nextOf: ({ continuation }) => continuation,
  })
  return (
    <>
      <div className="filter-row">
        <SelectField
          label={words.filter}
          choices={[
            { value: '', text: words.any },
            ...Object.entries(words.contexts).map(([value, text]) => ({ value, text })),
          ]}
          value={context}
          onChange={({ target }) => change({ context: target.value })}
        />
      </div>
      <DataTable
        label={words.list}
        columns={COLUMNS}
        rowKey={({ id, chainId, currency }) => `${id} ${chainId} ${currency}`}
        leastWidth={820}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyHow}</p>
          </EmptyState>
        }
        {...table}
      />
    </>
  )
}
