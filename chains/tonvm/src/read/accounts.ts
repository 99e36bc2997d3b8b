import { ServiceError, smaller } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import type { Transaction } from '@ton/core'
import { type AccountState, type Asked, previousOf, type TransactionName } from '../rpc/tonApi.js'

/** Thrown where a node lacks what it would have to know: it counts as no answer. */
export class PrunedError extends ServiceError {
  constructor(what: string) {
    super('SERVICE_UNAVAILABLE', `A node of this chain does not have ${what}. Configure a node that keeps its history.`)
  }
}

/** Facts of the past, as a node showed them: they never change. */
interface Past {
  readonly blocks: Map<bigint, BlockRef>
  /** Logical times that accounts had reached after blocks. */
  readonly reached: Map<string, Map<bigint, bigint>>
  /** The newest of them whole. */
  readonly states: Map<string, AccountState>
  /** Transactions of our own wallets by their hashes. */
  readonly placed: Map<string, Transaction>
  /** Answers that are on their way: many payments of one look ask the same. */
  readonly asking: Map<string, Promise<unknown>>
}

const MOST_BLOCKS = 1000
const MOST_ACCOUNTS = 1000
const MOST_HEIGHTS = 64
const MOST_STATES = 128
const MOST_PLACED = 64
const pasts = new WeakMap<Asked, Past>()

const pastOf = (asked: Asked): Past => {
  const known = pasts.get(asked) ?? {
    blocks: new Map(),
    reached: new Map(),
    states: new Map(),
    placed: new Map(),
    asking: new Map(),
  }
  pasts.set(asked, known)
  return known
}

/** One question at a time for all who ask the same. */
const askOnce = <Answer>(asked: Asked, key: string, question: () => Promise<Answer>): Promise<Answer> => {
  const { asking } = pastOf(asked)
  // CAST: a key names the question, and so what its answer is.
  const known = asking.get(key) as Promise<Answer> | undefined
  const answer = known ?? question().finally(() => asking.delete(key))
  asking.set(key, answer)
  return answer
}

/** Keeps the newest entries of a map. */
export const keep = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): Value => {
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= most) break
    map.delete(oldest)
  }
  return value
}

export const askNewest = async (asked: Asked): Promise<BlockRef> => {
  const { height, hash, time } = await asked.ask((api, signal) => api.newest(signal))
  return keep(pastOf(asked).blocks, height, { height, hash, time }, MOST_BLOCKS)
}

/** A masterchain block; null where the node lacks it. */
export const askBlock = async (asked: Asked, height: bigint): Promise<BlockRef | null> => {
  const { blocks } = pastOf(asked)
  const known = blocks.get(height)
  if (known !== undefined) return known
  const block = await asked.ask((api, signal) => api.block(height, signal))
  return block && keep(blocks, height, block, MOST_BLOCKS)
}

/** An account after a masterchain block; null where the node does not have that state. */
export const findAccount = async (asked: Asked, address: string, height: bigint): Promise<AccountState | null> => {
  const { reached, states } = pastOf(asked)
  const key = `${address} ${height}`
  const known = states.get(key)
  if (known !== undefined) return known
  const state = await askOnce(asked, `account ${key}`, () =>
    asked.ask((api, signal) => api.account(address, height, signal)),
  )
  if (state === null) return null
  const heights = reached.get(address) ?? keep(reached, address, new Map<bigint, bigint>(), MOST_ACCOUNTS)
  keep(heights, height, ltOf(state), MOST_HEIGHTS)
  return keep(states, key, state, MOST_STATES)
}

/** @throws PrunedError where the node does not have that state */
export const askAccount = async (asked: Asked, address: string, height: bigint): Promise<AccountState> => {
  const found = await findAccount(asked, address, height)
  if (found === null) throw new PrunedError(`the state of masterchain block ${height}`)
  return found
}

const ltOf = (state: AccountState): bigint => state.last?.lt ?? 0n

/**
 * Transactions of an account, newest first, from a named one down to a logical time, which is not part of it.
 * @throws PrunedError where the node does not have one of them
 */
export async function* transactionsBack(
  asked: Asked,
  address: string,
  from: TransactionName | null,
  downTo: bigint,
): AsyncGenerator<Transaction> {
  for (let next = from; next !== null && next.lt > downTo; ) {
    const start = next
    const page = await askOnce(asked, `transactions ${address} ${start.hash}`, () =>
      asked.ask((api, signal) => api.transactions(address, start, signal)),
    )
    const last = page.at(-1)
    if (last === undefined) throw new PrunedError(`a transaction of ${address}`)
    for (const transaction of page) if (transaction.lt > downTo) yield transaction
    next = previousOf(last)
  }
}

/** Where a transaction is, as another node or an older answer named it. */
export interface Place extends TransactionName {
  /** Height of its masterchain block; null: not known. */
  readonly block: bigint | null
}

/**
 * The transaction at a place. Null only where the node shows all transactions of the account around it, which name each other by their hashes.
 * @throws PrunedError where the node lacks what would prove that
 */
export const findAt = async (
  asked: Asked,
  address: string,
  { lt, hash, block }: Place,
  head: bigint,
): Promise<Transaction | null> => {
  const { placed } = pastOf(asked)
  const known = placed.get(hash)
  if (known !== undefined) return known
  const [found] = await askOnce(asked, `transactions ${address} ${hash}`, () =>
    asked.ask((api, signal) => api.transactions(address, { lt, hash }, signal)),
  )
  if (found !== undefined) return keep(placed, hash, found, MOST_PLACED)
  const named = block === null || block > head ? null : await findAccount(asked, address, block)
  const state = named !== null && ltOf(named) >= lt ? named : await askAccount(asked, address, head)
  for await (const transaction of transactionsBack(asked, address, state.last, lt - 1n))
    if (transaction.hash().toString('hex') === hash) return transaction
  return null
}

/** Heights between which blocks are looked for: the state after `from` is older than all transactions, that after `to` has them all. */
interface Heights {
  readonly from: bigint
  readonly to: bigint
}

/** Logical time that an account had reached after a block. @throws PrunedError where the node lacks the state */
const ltAfter = async (asked: Asked, address: string, height: bigint): Promise<bigint> =>
  pastOf(asked).reached.get(address)?.get(height) ?? ltOf(await askAccount(asked, address, height))

/**
 * Returns the masterchain blocks of transactions of one account by their logical times: the first ones after which the account's state has
 * them. Nodes name no masterchain block of a transaction, and logical times of workchains overlap, so states decide.
 * @throws PrunedError where the node lacks a state that decides
 */
export const blocksOf = async (
  asked: Asked,
  address: string,
  lts: readonly bigint[],
  { from, to }: Heights,
): Promise<ReadonlyMap<bigint, BlockRef>> => {
  if (lts.length === 0) return new Map()
  if (to - from === 1n) {
    const block = await askBlock(asked, to)
    if (block === null) throw new PrunedError(`masterchain block ${to}`)
    return new Map(lts.map((lt) => [lt, block]))
  }
  const known = [...(pastOf(asked).reached.get(address)?.keys() ?? [])].find((height) => height > from && height < to)
  const middle = known ?? (from + to) / 2n
  const reached = await ltAfter(asked, address, middle)
  const [early, late] = [lts.filter((lt) => lt <= reached), lts.filter((lt) => lt > reached)]
  const found = await Promise.all([
    blocksOf(asked, address, early, { from, to: middle }),
    blocksOf(asked, address, late, { from: middle, to }),
  ])
  return new Map(found.flatMap((part) => [...part]))
}

/**
 * The same from the newest block back; a transaction that the state after `head` does not have is left out.
 * @param hints heights that other nodes named
 */
export const blocksBack = async (
  asked: Asked,
  address: string,
  lts: readonly bigint[],
  { head, hints = [] }: { readonly head: bigint; readonly hints?: readonly bigint[] },
): Promise<ReadonlyMap<bigint, BlockRef>> => {
  const newest = await ltAfter(asked, address, head)
  const there = lts.filter((lt) => lt <= newest)
  const [first] = there
  if (first === undefined) return new Map()
  const oldest = there.reduce(smaller, first)
  const isOlder = async (height: bigint) => height <= 0n || (await ltAfter(asked, address, height)) < oldest
  await Promise.all(hints.filter((hint) => hint <= head).flatMap((hint) => [isOlder(hint), isOlder(hint - 1n)]))
  const older = [...(pastOf(asked).reached.get(address) ?? [])].flatMap(([height, lt]) => (lt < oldest ? [height] : []))
  let from = older.reduce((most, height) => (height > most && height < head ? height : most), -1n)
  for (let step = 1n; from < 0n; step *= 2n) if (await isOlder(head - step)) from = head > step ? head - step : 0n
  return blocksOf(asked, address, there, { from, to: head })
}
