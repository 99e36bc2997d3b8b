import type { Json } from '../../chain/json.js'
import { formatUsd } from '../../money/usdMath.js'
import type { RecordFacts, RecordTx } from '../recordFacts.js'
import type { RecordContext } from './recordContext.js'
import type { RecordMoney } from './recordMoney.js'

/** TX of a record (wire.md 3.1). `block` and `timestamp` are null while it is in no block. */
export interface RecordTxJson {
  readonly txHash: string
  /** Native, smallest unit; `"0"` while it is in no block. */
  readonly fee: string
  readonly feeUsd?: string
  readonly block: number | null
  readonly type: 'onchain'
  readonly chainId: number
  /** Unix seconds. */
  readonly timestamp: number | null
  readonly status: RecordTx['status']
  readonly data: Json
  readonly stateChanges: Json
  readonly metadata?: { readonly reorg: Json }
}

/** Payments to whoever is to have the money; what the solver moves between its own wallets is not part of a record. */
const SHOWN = new Set(['deposit', 'fill', 'refund', 'excess'])

interface TxParts {
  readonly facts: RecordFacts
  readonly context: RecordContext
  readonly money: RecordMoney
}

const hashOf = ({ direction, chainId, txId }: RecordTx, { chains }: RecordContext): string =>
  (direction === 'in' ? chains.find(chainId)?.adapter.shownTransactionId?.(txId) : undefined) ?? txId

const feeUsd = ({ chainId, fee }: RecordTx, { context, money }: TxParts): { readonly feeUsd?: string } => {
  const native = context.currencies.native(chainId)
  const usd = native === undefined || fee === null ? null : money.usd(chainId, native.address, fee)
  return usd === null ? {} : { feeUsd: formatUsd(usd) }
}

const txJson = (tx: RecordTx, parts: TxParts): RecordTxJson => ({
  txHash: hashOf(tx, parts.context),
  fee: (tx.fee ?? 0n).toString(),
  ...feeUsd(tx, parts),
  block: tx.blockHeight === null ? null : Number(tx.blockHeight),
  type: 'onchain',
  chainId: tx.chainId,
  timestamp: tx.blockTime,
  status: tx.status,
  data: tx.data ?? {},
  stateChanges: tx.stateChanges ?? [],
  ...(tx.reorg === null ? {} : { metadata: { reorg: tx.reorg } }),
})

/** `inTxs` and `outTxs` of a record, in the order they were seen. */
export const recordTransactions = (
  parts: TxParts,
): { readonly inTxs: readonly RecordTxJson[]; readonly outTxs: readonly RecordTxJson[] } => {
  const shown = parts.facts.txs.filter(({ purpose }) => SHOWN.has(purpose))
  const of = (direction: RecordTx['direction']) =>
    shown.filter((tx) => tx.direction === direction).map((tx) => txJson(tx, parts))
  return { inTxs: of('in'), outTxs: of('out') }
}

/** What is told of a fill that failed (wire.md 3.1, C.2). */
export interface FailedTxJson {
  readonly failedTxHash: string | null
  readonly failedTxBlockNumber: number | null
  readonly failedCallData: Json
}

/**
 * The fill that failed: the last one the chain reverted, or one that was sent and never included. A request that succeeded
 * after all has none.
 */
export const failedTx = ({ txs, status, failReason, failedCall }: RecordFacts): FailedTxJson => {
  const fills =
    status === 'success' ? [] : txs.filter(({ direction, purpose }) => direction === 'out' && purpose === 'fill')
  const reverted = fills.findLast((tx) => tx.status === 'failure')
  const lost = failReason === 'TRANSACTION_NOT_INCLUDED' ? fills.findLast((tx) => tx.status === 'pending') : undefined
  const tx = reverted ?? lost
  return {
    failedTxHash: tx?.txId ?? null,
    failedTxBlockNumber: tx?.blockHeight === undefined || tx.blockHeight === null ? null : Number(tx.blockHeight),
    // Of one that was refused before it was sent there is the call alone.
    failedCallData: tx?.data ?? (status === 'success' ? null : failedCall),
  }
}
