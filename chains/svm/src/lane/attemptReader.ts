import { destinationText, RecentMap, ServiceError } from '@causeway/core'
import type { BlockRef, Payout } from '@causeway/core/chain'
import {
  type AccountReading,
  type JsonRpcEndpoint,
  type LaneQuestion,
  type RpcCall,
  resultOf,
  type ShownTransaction,
} from '@causeway/core/chain-kit'
import { readTransactionError } from '../payout/failure/transactionError.js'
import type { HeadSource } from '../rpc/head/headSource.js'
import { type RpcContext, type RpcSignatureStatus, type RpcTransaction, transactionCall } from '../rpc/wire.js'
import { readMoment } from './laneMoment.js'
import { currencyFeeOf, feeOf, paidBy, programsOf, txDataOf } from './transactionFacts.js'

/** Most signatures of one getSignatureStatuses. */
const MAX_STATUSES = 256
const MAX_KNOWN = 5000

/** A transaction that a node shows. */
interface Shown {
  readonly txId: string
  readonly payout: Payout | undefined
  readonly status: RpcSignatureStatus
  /** A block that the node calls confirmed, of its present branch. */
  readonly isIncluded: boolean
}

/** States of transactions as one node shows them. Asks for statuses first, then only for new transactions that landed. */
export class AttemptReader {
  readonly #heads: Pick<HeadSource, 'blockOf'>
  /** Program of the depository, whose errors have names of their own. */
  readonly #program: string | null
  /** Transactions as their blocks hold them; a fork may put one into another slot, so the slot is compared. */
  readonly #known = new RecentMap<string, RpcTransaction>(MAX_KNOWN)

  constructor(heads: Pick<HeadSource, 'blockOf'>, program: string | null) {
    this.#heads = heads
    this.#program = program
  }

  /**
   * The final block is read first: a transaction that is in any block up to there is known to the node by the time its status is asked
   * for, so what is unknown then, and valid no longer, never lands. Without its payout only the status of a transaction is read.
   */
  async read(node: JsonRpcEndpoint, { attempts }: LaneQuestion): Promise<AccountReading> {
    const moment = await readMoment(node, 'confirmed')
    const statuses = await readStatuses(
      node,
      attempts.map(({ txId }) => txId),
      moment.final,
    )
    const shown = attempts.map(({ txId, payout }, at): Shown | null => {
      const status = statuses[at] ?? null
      if (status === null) return null
      const isFinal = status.confirmationStatus === 'finalized'
      // Up to the final slot only what is final is of the chain: the rest was on a branch that was left.
      const isIncluded = isFinal || (status.confirmationStatus !== 'processed' && BigInt(status.slot) > moment.final)
      return { txId, payout, status, isIncluded }
    })
    const landed = shown.flatMap((item) => (item?.isIncluded === true && item.payout !== undefined ? [item] : []))
    const [blocks] = await Promise.all([
      this.#heads.blockOf([...new Set(landed.map(({ status }) => BigInt(status.slot)))]),
      this.#lookUp(node, landed),
    ])
    return { moment, transactions: shown.map((item) => (item === null ? null : this.#describe(item, blocks))) }
  }

  async #lookUp(node: JsonRpcEndpoint, landed: readonly Shown[]): Promise<void> {
    const unseen = landed.filter(({ txId, status }) => this.#known.get(txId)?.slot !== status.slot)
    if (unseen.length === 0) return
    const outcomes = await node.batch(unseen.map(({ txId }): RpcCall => transactionCall(txId)))
    for (const [at, { txId }] of unseen.entries()) {
      const transaction = resultOf<RpcTransaction | null>(outcomes[at], 'getTransaction')
      if (transaction !== null) this.#known.set(txId, transaction)
    }
  }

  #describe({ txId, payout, status, isIncluded }: Shown, blocks: ReadonlyMap<bigint, BlockRef>): ShownTransaction {
    const revert = status.err === null ? null : 'The transaction failed.'
    const bare = { tx: { id: txId }, to: '', arrived: null, block: null, fee: 0n, revert, txData: null } as const
    const height = BigInt(status.slot)
    // A verdict goes by the outcome and the slot.
    if (payout === undefined) return isIncluded ? { ...bare, block: { height, hash: '', time: 0 } } : bare
    const [block = null, transaction] = [blocks.get(height), this.#known.get(txId)]
    if (!isIncluded || block === null || transaction?.slot !== status.slot) return bare
    return { ...bare, block, ...this.#facts(transaction, payout) }
  }

  #facts(transaction: RpcTransaction, payout: Payout): Omit<ShownTransaction, 'tx' | 'block'> {
    const { meta } = transaction
    const currency = payout.swap?.offer.to ?? payout.money.currency
    const shared = {
      to: destinationText(payout.to),
      fee: feeOf(transaction, meta, payout),
      txData: txDataOf(transaction, payout),
    }
    if (meta.err === null) {
      const arrived = { currency, amount: paidBy(transaction, meta, payout) }
      return { ...shared, arrived, currencyFee: currencyFeeOf(meta, payout), revert: null }
    }
    const context = { programs: programsOf(transaction), logs: meta.logMessages ?? null, depository: this.#program }
    return { ...shared, arrived: null, revert: readTransactionError(meta.err, context).text }
  }
}

/** Statuses of signatures, however old, by a node that has come at least as far as a slot. */
const readStatuses = async (
  node: JsonRpcEndpoint,
  txIds: readonly string[],
  slot: bigint,
): Promise<readonly (RpcSignatureStatus | null)[]> => {
  if (txIds.length === 0) return []
  const calls = Array.from({ length: Math.ceil(txIds.length / MAX_STATUSES) }, (_, at): RpcCall => {
    const part = txIds.slice(at * MAX_STATUSES, (at + 1) * MAX_STATUSES)
    return { method: 'getSignatureStatuses', params: [part, { searchTransactionHistory: true }] }
  })
  return (await node.batch(calls)).flatMap((outcome) => {
    const answer = resultOf<RpcContext<readonly (RpcSignatureStatus | null)[]>>(outcome, 'getSignatureStatuses')
    if (BigInt(answer.context.slot) < slot)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain cannot tell what became of a payment.')
    return answer.value
  })
}
