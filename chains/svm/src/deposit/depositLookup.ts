import type { BlockRef, DepositEvent, TxRef } from '@causeway/core/chain'
import {
  DepositLookup,
  type DepositLookupDeps,
  EVIDENCE_WORDS,
  type EvidenceWords,
  type JsonRpcClient,
  type JsonRpcEndpoint,
  resultOf,
  type TransactionReading,
} from '@causeway/core/chain-kit'
import { bindTo } from '../read/watch/boundNode.js'
import { type Ask, readBlock } from '../rpc/head/blockReader.js'
import {
  blockCall,
  type RpcContext,
  type RpcSignatureStatus,
  type RpcTransaction,
  slotCall,
  transactionCall,
} from '../rpc/wire.js'
import type { DepositForm } from './readDeposits.js'
import { recogniseDeposits } from './recognise/recognise.js'

const NOT_CONFIRMED = 'No confirmed block holds the transaction'
const WORDS: EvidenceWords = {
  ...EVIDENCE_WORDS,
  unknown: NOT_CONFIRMED,
  pending: NOT_CONFIRMED,
  present: 'The transaction is in a confirmed block',
}

export interface SvmLookupDeps extends DepositForm {
  readonly rpc: JsonRpcClient
  readonly monitor: DepositLookupDeps<JsonRpcEndpoint>['monitor']
  /** Confirmations that only a finalized transaction has. */
  readonly settle: number
}

/** What one node says about a transaction; `block` is null unless a confirmed block of the node's chain holds it. */
export interface RawReading {
  readonly transaction: RpcTransaction | null
  readonly block: BlockRef | null
  readonly deposits: readonly DepositEvent[]
}

export const UNREAD: RawReading = { transaction: null, block: null, deposits: [] }

/** Newest slots of the node that answered, with what it shows. */
export interface RawReadings {
  readonly confirmed: bigint
  readonly finalized: bigint
  readonly readings: ReadonlyMap<string, RawReading>
}

/** Two batches: the transactions, then the blocks that hold them. */
export const readTransactions = async (ids: readonly string[], ask: Ask, form: DepositForm): Promise<RawReadings> => {
  const [finalized, confirmed, ...outcomes] = await ask([
    slotCall('finalized'),
    slotCall('confirmed'),
    ...ids.map((id) => transactionCall(id)),
  ])
  const found = ids.map((id, at) => ({
    id,
    transaction: resultOf<RpcTransaction | null>(outcomes[at], 'getTransaction'),
  }))
  const slots = [...new Set(found.flatMap(({ transaction }) => (transaction === null ? [] : [transaction.slot])))]
  const blocks = slots.length === 0 ? [] : await ask(slots.map((slot) => blockCall(BigInt(slot))))
  const blockAt = (slot: number) => readBlock(BigInt(slot), blocks[slots.indexOf(slot)])
  return {
    finalized: BigInt(resultOf<number>(finalized, 'getSlot')),
    confirmed: BigInt(resultOf<number>(confirmed, 'getSlot')),
    readings: new Map(found.map(({ id, transaction }) => [id, readingOf(transaction, blockAt, form)])),
  }
}

const readingOf = (
  transaction: RpcTransaction | null,
  blockAt: (slot: number) => BlockRef | null,
  { depository, program }: DepositForm,
): RawReading => {
  const block = transaction === null ? null : blockAt(transaction.slot)
  if (transaction === null || block === null) return { ...UNREAD, transaction }
  return { transaction, block, deposits: recogniseDeposits(transaction, depository, program, block) }
}

const shownBy = ({ transaction, block, deposits }: RawReading): TransactionReading => {
  if (transaction === null) return { status: 'unknown', block: null, deposits }
  if (block === null) return { status: 'pending', block, deposits }
  return { status: transaction.meta.err === null ? 'success' : 'failure', block, deposits }
}

/** Deposits and transactions by their signatures. Confirmed blocks were voted on: no two honest nodes show different ones. */
export const svmDepositLookup = (deps: SvmLookupDeps): DepositLookup<JsonRpcEndpoint> => {
  const { rpc, monitor, settle } = deps
  return new DepositLookup({
    pool: rpc,
    monitor,
    settle,
    words: WORDS,
    read: async (txs, endpoint) => {
      const ask: Ask = endpoint === undefined ? (calls) => rpc.batch(calls) : bindTo(endpoint).ask
      const { confirmed, finalized, readings } = await readTransactions(idsOf(txs), ask, deps)
      const transactions = new Map([...readings].map(([id, reading]) => [id, shownBy(reading)]))
      // Below its final slot a node has everything.
      return { tip: confirmed, final: finalized, complete: finalized, transactions }
    },
    remembers: async (slot, endpoint) => {
      const [first] = await endpoint.batch([{ method: 'getFirstAvailableBlock', params: [] }])
      return BigInt(resultOf<number>(first, 'getFirstAvailableBlock')) <= slot
    },
    isPending: async (id) => {
      const params = [[id], { searchTransactionHistory: false }]
      const answer = await rpc.call<RpcContext<readonly (RpcSignatureStatus | null)[]>>('getSignatureStatuses', params)
      return (answer.value[0] ?? null) !== null
    },
  })
}

const idsOf = (txs: readonly TxRef[]): readonly string[] => txs.map(({ id }) => id)
