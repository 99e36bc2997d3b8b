import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Amount } from '../../../components/values/Amount.js'
import { Badge, type Tone } from '../../../components/values/Badge.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { useChains } from '../data/chains.js'
import { useCursorList } from '../data/cursorList.js'
import type { AmountObject } from '../requests/requestRecord.js'
import type { WalletQuery } from './wallet.js'

const words = dashboardTexts.balance.claims
const TONES: Readonly<Record<string, Tone>> = { pending: 'busy', success: 'good', failure: 'bad' }

interface Claim {
  readonly claimId: string
  readonly recipient: string
  readonly currency: AmountObject
  readonly txHash: string | null
  readonly status: string
  readonly createdAt: string
}

interface ClaimsAnswer {
  readonly claims: readonly Claim[]
  readonly continuation?: string
}

const ClaimAmount = ({ claim: { currency: money } }: { readonly claim: Claim }) => {
  const { nameOf } = useChains()
  return (
    <div className="cell-two">
      <Amount amount={money.amount} decimals={money.currency.decimals} symbol={money.currency.symbol} />
      <span className="small faint cut">{nameOf(money.currency.chainId)}</span>
    </div>
  )
}

const COLUMNS: readonly Column<Claim>[] = [
  {
    id: 'state',
    title: words.columns.state,
    width: '9rem',
    cell: ({ status }) => <Badge tone={TONES[status] ?? 'plain'}>{words.states[status] ?? status}</Badge>,
  },
  { id: 'amount', tall: true, title: words.columns.amount, cell: (claim) => <ClaimAmount claim={claim} /> },
  {
    id: 'recipient',
    title: words.columns.recipient,
    cell: ({ recipient }) => <Copyable text={recipient} what={words.recipient} short />,
  },
  {
    id: 'tx',
    title: words.columns.tx,
    cell: ({ txHash }) =>
      txHash === null ? (
        <span className="faint">{words.notYet}</span>
      ) : (
        <Copyable text={txHash} what={words.tx} short />
      ),
  },
  { id: 'at', title: words.columns.at, width: '7rem', align: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** What the wallet claimed, newest first. */
export const Claims = ({ query }: { readonly query: WalletQuery }) => {
  const { table } = useCursorList<ClaimsAnswer, Claim>({
    path: '/dashboard/api/claims',
    query: { ...query, limit: 20 },
    cursor: 'continuation',
    refreshMs: 10_000,
    rowsOf: ({ claims }) => claims,
    nextOf: ({ continuation }) => continuation,
  })
  return (
    <DataTable
      label={words.list}
      columns={COLUMNS}
      rowKey={({ claimId }) => claimId}
      leastWidth={760}
      empty={
        <EmptyState title={words.empty}>
          <p>{words.emptyHow}</p>
        </EmptyState>
      }
      {...table}
    />
  )
}
