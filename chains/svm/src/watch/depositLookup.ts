import {
  type BlockRef,
  type DepositEvent,
  type DepositEvidence,
  type JsonRpcClient,
  resultOf,
  type TxRef,
} from '@causeway/core'
import { type Ask, readBlock } from '../head/blockReader.js'
import {
  blockCall,
  type RpcContext,
  type RpcSignatureStatus,
  type RpcTransaction,
  slotCall,
  transactionCall,
} from '../rpc/wire.js'
import { bindTo } from './boundNode.js'
import type { DepositForm } from './readDeposits.js'
import { recogniseDeposits } from './recognise.js'

export interface LookupDeps extends DepositForm {
  readonly rpc: JsonRpcClient
}

/** Where a deposit is. */
export interface Place {
  readonly tx: TxRef
  readonly position: number
}

/** What one node says about a transaction; `block` is null unless a confirmed block of the node's chain holds it. */
export interface Sight {
  readonly transaction: RpcTransaction | null
  readonly block: BlockRef | null
  readonly deposits: readonly DepositEvent[]
}

export const UNSEEN: Sight = { transaction: null, block: null, deposits: [] }

/** Newest slots of the node that answered, with what it shows. */
export interface Look {
  readonly confirmed: bigint
  readonly finalized: bigint
  readonly sights: ReadonlyMap<string, Sight>
}

/** Two batches: the transactions, then the blocks that hold them. */
export const look = async (ids: readonly string[], ask: Ask, form: DepositForm): Promise<Look> => {
  const unique = [...new Set(ids)]
  const [finalized, confirmed, ...outcomes] = await ask([
    slotCall('finalized'),
    slotCall('confirmed'),
    ...unique.map((id) => transactionCall(id)),
  ])
  const found = unique.map((id, at) => ({
    id,
    transaction: resultOf<RpcTransaction | null>(outcomes[at], 'getTransaction'),
  }))
  const slots = [...new Set(found.flatMap(({ transaction }) => (transaction === null ? [] : [transaction.slot])))]
  const blocks = slots.length === 0 ? [] : await ask(slots.map((slot) => blockCall(BigInt(slot))))
  const blockAt = (slot: number) => readBlock(BigInt(slot), blocks[slots.indexOf(slot)])
  return {
    finalized: BigInt(resultOf<number>(finalized, 'getSlot')),
    confirmed: BigInt(resultOf<number>(confirmed, 'getSlot')),
    sights: new Map(found.map(({ id, transaction }) => [id, sightOf(transaction, blockAt, form)])),
  }
}

const sightOf = (
  transaction: RpcTransaction | null,
  blockAt: (slot: number) => BlockRef | null,
  { depository, program }: DepositForm,
): Sight => {
  const block = transaction === null ? null : blockAt(transaction.slot)
  if (transaction === null || block === null) return { ...UNSEEN, transaction }
  return { transaction, block, deposits: recogniseDeposits(transaction, depository, program, block) }
}

/** Where stored deposits are now. One node's silence is not believed while another one still shows the deposit. */
export const recheckDeposits = async (
  places: readonly Place[],
  { rpc, ...form }: LookupDeps,
): Promise<readonly DepositEvidence[]> => {
  const ids = places.map(({ tx }) => tx.id)
  const sights = new Map((await look(ids, (calls) => rpc.batch(calls), form)).sights)
  const absent = () => [...sights].filter(([, sight]) => sight.block === null).map(([id]) => id)
  for (const endpoint of rpc.endpoints.length > 1 ? rpc.ordered() : []) {
    const missing = absent()
    if (missing.length === 0) break
    const others = await look(missing, bindTo(endpoint).ask, form).catch(() => null)
    for (const [id, sight] of others?.sights ?? []) if (sight.block !== null) sights.set(id, sight)
  }
  return places.map((place) => evidenceOf(place, sights.get(place.tx.id) ?? UNSEEN))
}

const evidenceOf = (place: Place, { transaction, block, deposits }: Sight): DepositEvidence => {
  const shared = { tx: place.tx, position: place.position, source: 'transaction' }
  if (transaction === null || block === null) {
    return { ...shared, finding: 'missing', reason: 'No confirmed block holds the transaction' }
  }
  const failed = transaction.meta?.err !== null
  const facts = {
    ...shared,
    blockNumber: block.height,
    blockHash: block.hash,
    receiptStatus: failed ? 'reverted' : 'success',
  }
  if (failed) return { ...facts, finding: 'failed', reason: 'The transaction failed' }
  const deposit = deposits[place.position]
  return deposit === undefined
    ? { ...facts, finding: 'missing', reason: 'The transaction no longer makes this deposit' }
    : { ...facts, finding: 'present', deposit, reason: 'The transaction is in a confirmed block' }
}

/** State of one transaction, with the order ids of the deposits it makes. */
export const findTransaction = async (tx: TxRef, { rpc, ...form }: LookupDeps) => {
  const { sights } = await look([tx.id], (calls) => rpc.batch(calls), form)
  const { transaction, block, deposits } = sights.get(tx.id) ?? UNSEEN
  if (transaction === null || block === null) {
    const params = [[tx.id], { searchTransactionHistory: false }]
    const answer = await rpc.call<RpcContext<readonly (RpcSignatureStatus | null)[]>>('getSignatureStatuses', params)
    const known = transaction !== null || (answer.value[0] ?? null) !== null
    return { status: known ? ('pending' as const) : ('unknown' as const), block: null, depositOrderIds: [] }
  }
  const status = transaction.meta?.err === null ? ('success' as const) : ('failure' as const)
  const depositOrderIds = deposits.flatMap(({ orderId }) => (orderId === null ? [] : [orderId]))
  return { status, block, depositOrderIds }
}
