import type { Json, JsonRpcClient, LaneReading, OutgoingTransaction } from '@causeway/core'
import type { Contracts } from '../contracts/addresses.js'
import { headOf } from '../head/headSource.js'
import { readPayout } from '../payout/readPayout.js'
import { quantity, type RpcBlock, type RpcReceipt, type RpcTransaction } from '../rpc/wire.js'
import { nonceGuard } from './laneTransaction.js'

/** Blocks searched for unknown transactions before the operator must decide. */
const MAX_SEARCH = 20_000n
const SEARCH_BATCH = 20n

export interface LaneReaderDeps {
  readonly rpc: JsonRpcClient
  readonly contracts: Contracts
}

/** Next nonce of a stored position. */
export const nonceOf = (position: Json): number => {
  const nonce = typeof position === 'object' && position !== null ? Reflect.get(position, 'nonce') : undefined
  if (typeof nonce !== 'number' || !Number.isSafeInteger(nonce) || nonce < 0) {
    throw new Error('The stored position of this lane cannot be read.')
  }
  return nonce
}

/** Compares the journal's next nonce with the chain and looks up transactions the journal does not hold. */
export const readLane = async (
  address: string,
  stored: { readonly position: Json; readonly sinceHeight: bigint } | null,
  deps: LaneReaderDeps,
): Promise<LaneReading> => {
  const [latestCount, pendingCount, tipBlock] = await deps.rpc.results([
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'pending'] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])
  const mined = Number(latestCount)
  const seen = Math.max(mined, Number(pendingCount))
  const expected = stored === null ? mined : nonceOf(stored.position)
  if (seen <= expected) return { position: { nonce: expected }, unknown: [], complete: true }
  const tip = headOf(tipBlock as RpcBlock).height
  const since = stored === null ? tip + 1n : stored.sinceHeight
  const found = new Map<number, OutgoingTransaction>()
  const search: Search = { address, from: expected, wanted: Math.max(0, mined - expected), found, deps }
  await searchBlocks(search, since, tip)
  if (seen > mined) await searchPending(search)
  const unknown = [...found].sort(([left], [right]) => left - right).map(([, transaction]) => transaction)
  return { position: { nonce: seen }, unknown, complete: unknown.length === seen - expected }
}

interface Search {
  readonly address: string
  readonly from: number
  /** Mined transactions to be found. */
  readonly wanted: number
  readonly found: Map<number, OutgoingTransaction>
  readonly deps: LaneReaderDeps
}

/** From the tip down, so that the newest, most likely unknown ones come first. */
const searchBlocks = async (search: Search, since: bigint, tip: bigint): Promise<void> => {
  const lowest = tip - since > MAX_SEARCH ? tip - MAX_SEARCH : since
  for (let top = tip; top >= lowest && search.found.size < search.wanted; top -= SEARCH_BATCH) {
    const numbers = Array.from({ length: Number(SEARCH_BATCH) }, (_, at) => top - BigInt(at))
    const calls = numbers
      .filter((number) => number >= lowest && number >= 0n)
      .map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), true] }))
    const blocks = (await search.deps.rpc.results(calls)) as readonly (RpcBlock | null)[]
    await addMined(search, blocks)
  }
}

const addMined = async (search: Search, blocks: readonly (RpcBlock | null)[]): Promise<void> => {
  const hits = blocks.flatMap((block) => (block === null ? [] : ownOf(block, search).map((tx) => ({ block, tx }))))
  const calls = hits.map(({ tx }) => ({ method: 'eth_getTransactionReceipt', params: [tx.hash] }))
  const receipts = (await search.deps.rpc.results(calls)) as readonly (RpcReceipt | null)[]
  for (const [at, { block, tx }] of hits.entries()) {
    const receipt = receipts[at]
    const { height, hash, time } = headOf(block)
    const status = receipt === null || receipt === undefined || BigInt(receipt.status) === 1n ? 'success' : 'reverted'
    search.found.set(Number(tx.nonce), outgoing(tx, status, { height, hash, time }, search))
  }
}

const searchPending = async (search: Search): Promise<void> => {
  const [outcome] = await search.deps.rpc.batch([{ method: 'eth_getBlockByNumber', params: ['pending', true] }])
  if (outcome === undefined || !outcome.ok || outcome.result === null) return
  for (const tx of ownOf(outcome.result as RpcBlock, search)) {
    if (!search.found.has(Number(tx.nonce))) {
      search.found.set(Number(tx.nonce), outgoing(tx, 'pending', null, search))
    }
  }
}

const ownOf = (block: RpcBlock, { address, from }: Search): RpcTransaction[] =>
  (block.transactions ?? []).filter(
    (tx): tx is RpcTransaction =>
      typeof tx !== 'string' && tx.from.toLowerCase() === address && Number(tx.nonce) >= from,
  )

const outgoing = (
  tx: RpcTransaction,
  status: OutgoingTransaction['status'],
  block: OutgoingTransaction['block'],
  { address, deps }: Search,
): OutgoingTransaction => {
  const called = { to: tx.to, data: tx.input, value: BigInt(tx.value) }
  const { guards, orderId, purpose, to, money } = readPayout(called, deps.contracts)
  return {
    tx: { id: tx.hash.toLowerCase() },
    guards: [nonceGuard(address, Number(tx.nonce)), ...guards],
    orderId,
    to,
    money,
    purpose,
    status,
    block,
  }
}
