import {
  type BlockRef,
  type DepositEvent,
  type DepositEvidence,
  type JsonRpcClient,
  type RpcCall,
  type RpcOutcome,
  resultOf,
  type TxRef,
} from '@causeway/core'
import { headOf } from '../head/headSource.js'
import { quantity, type RpcBlock, type RpcReceipt, type RpcTransaction } from '../rpc/wire.js'
import { recogniseDeposits } from './recognise.js'

export interface LookupDeps {
  readonly rpc: JsonRpcClient
  readonly depository: string
}

/** Where a deposit is. */
export interface Place {
  readonly tx: TxRef
  readonly position: number
}

/** What one node says about a transaction; `block` is null unless the block it names is on the node's chain. */
export interface Sight {
  readonly receipt: RpcReceipt | null
  readonly tx: RpcTransaction | null
  readonly block: BlockRef | null
  readonly deposits: readonly DepositEvent[]
}

export type Ask = (calls: readonly RpcCall[]) => Promise<readonly RpcOutcome[]>

export const UNSEEN: Sight = { receipt: null, tx: null, block: null, deposits: [] }

/** Two batches: receipts and transactions, then the blocks they name, to be sure these are canonical. */
export const look = async (
  ids: readonly string[],
  ask: Ask,
  depository: string,
): Promise<ReadonlyMap<string, Sight>> => {
  const unique = [...new Set(ids)]
  const first = await ask(
    unique.flatMap((id) => [
      { method: 'eth_getTransactionReceipt', params: [id] },
      { method: 'eth_getTransactionByHash', params: [id] },
    ]),
  )
  const pairs = unique.map((id, at) => ({
    id,
    receipt: resultOf<RpcReceipt | null>(first[2 * at], 'eth_getTransactionReceipt'),
    tx: resultOf<RpcTransaction | null>(first[2 * at + 1], 'eth_getTransactionByHash'),
  }))
  const numbers = [...new Set(pairs.flatMap(({ receipt }) => (receipt === null ? [] : [BigInt(receipt.blockNumber)])))]
  const second = await ask(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] })),
  )
  const blocks = new Map<string, BlockRef>()
  for (const outcome of second) {
    const block = resultOf<RpcBlock | null>(outcome, 'eth_getBlockByNumber')
    if (block === null) continue
    const { height, hash, time } = headOf(block)
    blocks.set(hash, { height, hash, time })
  }
  return new Map(
    pairs.map(({ id, receipt, tx }) => {
      const block = receipt === null ? null : (blocks.get(receipt.blockHash.toLowerCase()) ?? null)
      const whole = receipt !== null && tx !== null && block !== null
      return [id, { receipt, tx, block, deposits: whole ? recogniseDeposits(receipt, tx, depository, block) : [] }]
    }),
  )
}

/** Where stored deposits are now. One node's silence is not believed while another one still shows the deposit. */
export const recheckDeposits = async (
  places: readonly Place[],
  { rpc, depository }: LookupDeps,
): Promise<readonly DepositEvidence[]> => {
  const ids = places.map(({ tx }) => tx.id)
  const sights = new Map(await look(ids, (calls) => rpc.batch(calls), depository))
  const absent = () => [...sights].filter(([, sight]) => sight.block === null).map(([id]) => id)
  for (const endpoint of rpc.endpoints.length > 1 ? rpc.ordered() : []) {
    const missing = absent()
    if (missing.length === 0) break
    const others = await look(missing, (calls) => endpoint.batch(calls), depository).catch(() => null)
    for (const [id, sight] of others ?? []) if (sight.block !== null) sights.set(id, sight)
  }
  return places.map((place) => evidenceOf(place, sights.get(place.tx.id) ?? UNSEEN))
}

const evidenceOf = (place: Place, { receipt, block, deposits }: Sight): DepositEvidence => {
  const shared = { tx: place.tx, position: place.position, source: 'receipt' }
  if (receipt === null || block === null) {
    return { ...shared, finding: 'missing', reason: 'No canonical block holds the transaction' }
  }
  const facts = {
    ...shared,
    blockNumber: block.height,
    blockHash: block.hash,
    receiptStatus: BigInt(receipt.status) === 1n ? 'success' : 'reverted',
  }
  if (BigInt(receipt.status) !== 1n) return { ...facts, finding: 'failed', reason: 'The transaction reverted' }
  const deposit = deposits[place.position]
  return deposit === undefined
    ? { ...facts, finding: 'missing', reason: 'The transaction no longer makes this deposit' }
    : { ...facts, finding: 'present', deposit, reason: 'The transaction is in a canonical block' }
}

/** State of one transaction, with the order ids of the deposits it makes. */
export const findTransaction = async (tx: TxRef, { rpc, depository }: LookupDeps) => {
  const sights = await look([tx.id], (calls) => rpc.batch(calls), depository)
  const { receipt, tx: found, block, deposits } = sights.get(tx.id) ?? UNSEEN
  if (receipt === null || block === null) {
    return { status: found === null ? ('unknown' as const) : ('pending' as const), block: null, depositOrderIds: [] }
  }
  const status = BigInt(receipt.status) === 1n ? ('success' as const) : ('failure' as const)
  const depositOrderIds = deposits.flatMap(({ orderId }) => (orderId === null ? [] : [orderId]))
  return { status, block, depositOrderIds }
}
