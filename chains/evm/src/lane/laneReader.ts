import type { Json } from '@causeway/core'
import type { LanePlace, LaneReading, OutgoingTransaction } from '@causeway/core/chain'
import {
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type ProviderReading,
  readAtProviders,
  resultsOf,
} from '@causeway/core/chain-kit'
import type { Contracts } from '../address/addresses.js'
import { missing } from '../deposit/readDeposits.js'
import { readPayout } from '../payout/readPayout.js'
import { headOf } from '../rpc/headSource.js'
import { feeOf, hasFailed } from '../rpc/receipts.js'
import { quantity, type RpcBlock, type RpcReceipt, type RpcTransaction } from '../rpc/wire.js'
import { nonceGuard } from './laneTransaction.js'
import { sweptBy } from './paidAmount.js'

/** Blocks searched for unknown transactions before the operator must decide. */
const MAX_SEARCH = 20_000n
const SEARCH_BATCH = 20n

export interface LaneReaderDeps {
  readonly rpc: Pick<JsonRpcClient, 'providers' | 'providerCount'>
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

/** What one provider shows of a lane. Whether that is all is told by the nonces of what all of them show. */
interface Reading extends ProviderReading<Numbered> {
  /** How many the key had sent before the first block that is searched, where that is not known and the node still knows; else 0. */
  readonly before: number
  readonly mined: number
  /** The next nonce, pending transactions counted. */
  readonly seen: number
}

/** A transaction of the lane under its nonce. */
interface Numbered {
  readonly nonce: number
  readonly transaction: OutgoingTransaction
}

/** Where to read on: the first nonce that is not known, and the first block that may hold it. */
export interface UnreadFrom {
  readonly nonce: number
  readonly height: bigint
}

/**
 * Compares the journal's next nonce with the chain and looks up transactions the journal does not hold, at every trusted provider: the
 * highest nonce that one of them shows counts, and so does every transaction. `unread` is where to look from; the journal's place
 * when left out.
 * @throws ServiceError SERVICE_UNAVAILABLE when too few answer
 */
export const readLane = async (
  address: string,
  stored: LanePlace | null,
  deps: LaneReaderDeps,
  unread: UnreadFrom | null = stored === null ? null : { nonce: nonceOf(stored.position), height: stored.sinceHeight },
): Promise<LaneReading> => {
  const { readings, found } = await readAtProviders(
    deps.rpc,
    (endpoint) => readAtOne(endpoint, address, unread, deps),
    ({ transaction: { tx, block } }: Numbered) => ({ id: tx.id, included: block !== null }),
  )
  const highest = (pick: (reading: Reading) => number) => Math.max(...readings.map(pick))
  // Of a key whose journal begins now, what it sent before is nobody's to find: as few as some provider says.
  const before = Math.min(...readings.map(({ before }) => before))
  const from = unread === null ? highest(({ mined }) => mined) : Math.max(unread.nonce, before)
  const seen = Math.max(
    from,
    highest(({ seen }) => seen),
  )
  const numbered = found.filter(({ nonce }) => nonce >= from).sort((left, right) => left.nonce - right.nonce)
  return {
    position: { nonce: stored === null ? seen : Math.max(seen, nonceOf(stored.position)) },
    unknown: numbered.map(({ transaction }) => transaction),
    complete: new Set(numbered.map(({ nonce }) => nonce)).size === seen - from,
  }
}

const readAtOne = async (
  rpc: JsonRpcEndpoint,
  address: string,
  unread: UnreadFrom | null,
  { contracts }: LaneReaderDeps,
): Promise<Reading> => {
  const [latestCount, pendingCount, tipBlock] = await resultsOf(rpc, [
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'pending'] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])
  const before = await countBefore(rpc, address, unread)
  const mined = Number(latestCount)
  const seen = Math.max(mined, Number(pendingCount))
  const from = unread?.nonce ?? mined
  if (seen <= from) return { before, mined, seen, found: [], complete: true }
  const tip = headOf(tipBlock as RpcBlock).height
  const found = new Map<number, OutgoingTransaction>()
  const search: Search = { address, from, wanted: Math.max(0, mined - from), found, rpc, contracts }
  await searchBlocks(search, unread?.height ?? tip + 1n, tip)
  if (seen > mined) await searchPending(search)
  if (found.size < seen - from) await searchNewer({ ...search, wanted: seen - from }, tip)
  return {
    before,
    mined,
    seen,
    found: [...found].map(([nonce, transaction]) => ({ nonce, transaction })),
    complete: true,
  }
}

/** A node that has thrown the state of that block away does not tell. */
const countBefore = async (rpc: JsonRpcEndpoint, address: string, unread: UnreadFrom | null): Promise<number> => {
  if (unread === null || unread.nonce > 0 || unread.height === 0n) return 0
  const params = [address, quantity(unread.height - 1n)]
  const [outcome] = await rpc.batch([{ method: 'eth_getTransactionCount', params }])
  return outcome?.ok === true ? Number(outcome.result) : 0
}

interface Search {
  readonly address: string
  readonly from: number
  /** Mined transactions to be found. */
  readonly wanted: number
  readonly found: Map<number, OutgoingTransaction>
  readonly rpc: JsonRpcEndpoint
  readonly contracts: Contracts
}

/**
 * From the tip down, so that the newest, most likely unknown ones come first. A journal that is ahead of the tip was written after a
 * height that some node had invented: where to search from is not known then.
 */
const searchBlocks = async (search: Search, since: bigint, tip: bigint): Promise<void> => {
  const lowest = since > tip + 1n || tip - since > MAX_SEARCH ? tip - MAX_SEARCH : since
  for (let top = tip; top >= lowest && search.found.size < search.wanted; top -= SEARCH_BATCH) {
    const numbers = Array.from({ length: Number(SEARCH_BATCH) }, (_, at) => top - BigInt(at))
    const calls = numbers
      .filter((number) => number >= lowest && number >= 0n)
      .map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), true] }))
    const blocks = (await resultsOf(search.rpc, calls)) as readonly (RpcBlock | null)[]
    await addMined(search, blocks)
  }
}

const addMined = async (search: Search, blocks: readonly (RpcBlock | null)[]): Promise<void> => {
  const hits = blocks.flatMap((block) => (block === null ? [] : ownOf(block, search).map((tx) => ({ block, tx }))))
  const calls = hits.map(({ tx }) => ({ method: 'eth_getTransactionReceipt', params: [tx.hash] }))
  const receipts = (await resultsOf(search.rpc, calls)) as readonly (RpcReceipt | null)[]
  for (const [at, { block, tx }] of hits.entries()) {
    const receipt = receipts[at] ?? missing()
    const { height, hash, time } = headOf(block)
    const status = hasFailed(receipt) ? 'reverted' : 'success'
    const mined = outgoing(tx, status, { height, hash, time }, search, receipt)
    search.found.set(Number(tx.nonce), { ...mined, fee: feeOf(receipt, tx) })
  }
}

/** What was pending may have got into a block before it was looked for among what is. */
const searchNewer = async (search: Search, tip: bigint): Promise<void> => {
  const [block] = await resultsOf(search.rpc, [{ method: 'eth_getBlockByNumber', params: ['latest', false] }])
  const newest = headOf(block as RpcBlock).height
  if (newest > tip) await searchBlocks(search, tip + 1n, newest)
}

const searchPending = async (search: Search): Promise<void> => {
  const [outcome] = await search.rpc.batch([{ method: 'eth_getBlockByNumber', params: ['pending', true] }])
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
  { address, contracts }: Search,
  receipt: RpcReceipt | null = null,
): OutgoingTransaction => {
  const called = { to: tx.to, data: tx.input, value: BigInt(tx.value) }
  const { guards, orderId, purpose, to, money, sweptFrom } = readPayout(called, contracts)
  const swept =
    sweptFrom === undefined || orderId === null || receipt === null || status !== 'success'
      ? money.amount
      : sweptBy(receipt, { currency: money.currency, orderId, from: sweptFrom }, contracts)
  return {
    tx: { id: tx.hash.toLowerCase() },
    guards: [nonceGuard(address, Number(tx.nonce)), ...guards],
    orderId,
    to,
    money: { ...money, amount: swept },
    purpose,
    status,
    block,
  }
}
