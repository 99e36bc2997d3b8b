import type { AttemptState, BlockRef, ChainConfig, Payout } from '@causeway/core/chain'
import { type JsonRpcClient, type RpcCall, resultOf } from '@causeway/core/chain-kit'
import type { SvmSettings } from '../options.js'
import { readTransactionError } from '../payout/failure/transactionError.js'
import type { HeadSource } from '../rpc/head/headSource.js'
import { type RpcContext, type RpcSignatureStatus, type RpcTransaction, transactionCall } from '../rpc/wire.js'
import { currencyFeeOf, feeOf, paidBy, programsOf, txDataOf } from './transactionFacts.js'

/** Most signatures of one getSignatureStatuses. */
const MAX_STATUSES = 256
const MAX_KNOWN = 5000

export interface StatesDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly settings: Pick<SvmSettings, 'depositoryProgram'>
  readonly confirmations: ChainConfig['confirmations']
}

interface Query {
  readonly txId: string
  readonly payout: Payout
}

const ABSENT = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null, txData: null } as const

/** Statuses of signatures, however old, in the order given. */
export const statusCalls = (txIds: readonly string[]): RpcCall[] => {
  const calls: RpcCall[] = []
  for (let at = 0; at < txIds.length; at += MAX_STATUSES) {
    const part = txIds.slice(at, at + MAX_STATUSES)
    calls.push({ method: 'getSignatureStatuses', params: [part, { searchTransactionHistory: true }] })
  }
  return calls
}

type Statuses = RpcContext<readonly (RpcSignatureStatus | null)[]>

/** What became of transactions: one request for their statuses, a second only for those that landed and were not seen before. */
export class AttemptStates {
  readonly #deps: StatesDeps
  /** Transactions as their blocks hold them; a fork may put one into another slot, so the slot is compared. */
  readonly #known = new Map<string, RpcTransaction>()

  constructor(deps: StatesDeps) {
    this.#deps = deps
  }

  async read(queries: readonly Query[]): Promise<readonly AttemptState[]> {
    if (queries.length === 0) return []
    const outcomes = await this.#deps.rpc.batch(statusCalls(queries.map(({ txId }) => txId)))
    const statuses = outcomes.flatMap((outcome) => resultOf<Statuses>(outcome, 'getSignatureStatuses').value)
    const landed = queries.flatMap(({ txId }, at) => {
      const status = statuses[at] ?? null
      return status === null || status.confirmationStatus === 'processed' ? [] : [{ txId, slot: status.slot }]
    })
    const [, blocks, tip] = await Promise.all([
      this.#lookUp(landed),
      this.#deps.heads.blockOf([...new Set(landed.map(({ slot }) => BigInt(slot)))]),
      this.#deps.heads.tip(),
    ])
    return queries.map((query, at) => {
      const status = statuses[at] ?? null
      if (status === null) return { ...ABSENT, status: 'missing' }
      const transaction = this.#known.get(query.txId)
      const block = blocks.get(BigInt(status.slot))
      if (transaction?.slot !== status.slot || block === undefined || status.confirmationStatus === 'processed') {
        return { ...ABSENT, status: 'pending' }
      }
      return this.#landed(query.payout, transaction, status, block, tip.height)
    })
  }

  async #lookUp(landed: readonly { readonly txId: string; readonly slot: number }[]): Promise<void> {
    const unseen = landed.filter(({ txId, slot }) => this.#known.get(txId)?.slot !== slot)
    if (unseen.length === 0) return
    const outcomes = await this.#deps.rpc.batch(unseen.map(({ txId }) => transactionCall(txId)))
    for (const [at, { txId }] of unseen.entries()) {
      const transaction = resultOf<RpcTransaction | null>(outcomes[at], 'getTransaction')
      if (transaction !== null) this.#remember(txId, transaction)
    }
  }

  #landed(
    payout: Payout,
    transaction: RpcTransaction,
    status: RpcSignatureStatus,
    block: BlockRef,
    tip: bigint,
  ): AttemptState {
    const { meta } = transaction
    const shared = {
      block,
      confirmations: this.#confirmations(block.height, status, tip),
      fee: feeOf(transaction, meta, payout),
      txData: txDataOf(transaction, payout),
    }
    if (meta.err === null)
      return {
        ...shared,
        status: 'success',
        paid: paidBy(transaction, meta, payout),
        currencyFee: currencyFeeOf(meta, payout),
        revert: null,
      }
    const depository = this.#deps.settings.depositoryProgram
    const context = { programs: programsOf(transaction), logs: meta.logMessages ?? null, depository }
    return { ...shared, status: 'reverted', paid: 0n, revert: readTransactionError(meta.err, context).text }
  }

  /** The chain itself says what is final: until then never more than `settle`, from then on always more. */
  #confirmations(slot: bigint, { confirmationStatus }: RpcSignatureStatus, tip: bigint): number {
    const { settle } = this.#deps.confirmations
    const depth = Math.max(1, Number(tip - slot + 1n))
    return confirmationStatus === 'finalized' ? Math.max(depth, settle + 1) : Math.min(depth, Math.max(settle, 1))
  }

  #remember(txId: string, transaction: RpcTransaction): void {
    this.#known.delete(txId)
    this.#known.set(txId, transaction)
    if (this.#known.size <= MAX_KNOWN) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}
