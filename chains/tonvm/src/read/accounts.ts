import { BoundedCache, larger, ServiceError, smaller, systemClock } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import type { Transaction } from '@ton/core'
import { type AccountState, type Asked, previousOf, type TransactionName } from '../rpc/tonApi.js'

/** Thrown where a node lacks what it would have to know: it counts as no answer. */
export class PrunedError extends ServiceError {
  constructor(what: string) {
    super('SERVICE_UNAVAILABLE', `A node of this chain does not have ${what}. Configure a node that keeps its history.`)
  }
}

/** Keeps answers that never change, for each node alone, so that a dishonest node deceives no other. Callers share a question; null is not kept. */
export const keptByNode = <Answer>(most: number) => {
  const caches = new WeakMap<Asked, BoundedCache<Answer | null>>()
  const lifeOf = (answer: Answer | null) => (answer === null ? 0 : Number.POSITIVE_INFINITY)
  return (asked: Asked, key: string, ask: () => Promise<Answer | null>): Promise<Answer | null> => {
    const cache = caches.get(asked) ?? new BoundedCache({ clock: systemClock, maxEntries: most, lifeOf })
    caches.set(asked, cache)
    return cache.get(key, ask)
  }
}

const keptBlock = keptByNode<BlockRef>(1000)
const keptState = keptByNode<AccountState>(256)
/** Pages of up to 100 transactions. */
const keptPage = keptByNode<readonly Transaction[]>(16)
const keptTransaction = keptByNode<Transaction>(256)

export const askNewest = async (asked: Asked): Promise<BlockRef> => {
  const { height, hash, time } = await asked.ask((api, signal) => api.newest(signal))
  await keptBlock(asked, `${height}`, async () => ({ height, hash, time }))
  return { height, hash, time }
}

/** A masterchain block; null where the node lacks it. */
export const askBlock = (asked: Asked, height: bigint): Promise<BlockRef | null> =>
  keptBlock(asked, `${height}`, () => asked.ask((api, signal) => api.block(height, signal)))

/** An account after a masterchain block; null where the node does not have that state. */
export const findAccount = (asked: Asked, address: string, height: bigint): Promise<AccountState | null> =>
  keptState(asked, `${address} ${height}`, () => asked.ask((api, signal) => api.account(address, height, signal)))

/** @throws PrunedError where the node does not have that state */
export const askAccount = async (asked: Asked, address: string, height: bigint): Promise<AccountState> => {
  const found = await findAccount(asked, address, height)
  if (found === null) throw new PrunedError(`the state of masterchain block ${height}`)
  return found
}

/** An account after the newest masterchain block. */
export const askAccountNow = async (asked: Asked, address: string): Promise<AccountState> =>
  askAccount(asked, address, (await askNewest(asked)).height)

/** Logical time that an account had reached after a block. @throws PrunedError where the node lacks the state */
const ltAfter = async (asked: Asked, address: string, height: bigint): Promise<bigint> =>
  (await askAccount(asked, address, height)).last?.lt ?? 0n

/** Transactions from a named one on, newest first; null where the node lacks it. */
const pageFrom = (asked: Asked, address: string, from: TransactionName): Promise<readonly Transaction[] | null> =>
  keptPage(asked, `${address} ${from.hash}`, async () => {
    const page = await asked.ask((api, signal) => api.transactions(address, from, signal))
    return page.length > 0 ? page : null
  })

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
    const page = await pageFrom(asked, address, next)
    const last = page?.at(-1)
    if (page === null || last === undefined) throw new PrunedError(`a transaction of ${address}`)
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
export const findAt = (asked: Asked, address: string, { lt, hash, block }: Place, head: bigint) =>
  keptTransaction(asked, hash, async (): Promise<Transaction | null> => {
    const [found] = (await pageFrom(asked, address, { lt, hash })) ?? []
    if (found !== undefined) return found
    const named = block === null || block > head ? null : await findAccount(asked, address, block)
    const state = named?.last && named.last.lt >= lt ? named : await askAccount(asked, address, head)
    for await (const transaction of transactionsBack(asked, address, state.last, lt - 1n))
      if (transaction.hash().toString('hex') === hash) return transaction
    return null
  })

/** Heights between which blocks are looked for: the state after `from` is older than all transactions, that after `to` has them all. */
interface Heights {
  readonly from: bigint
  readonly to: bigint
}

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
  const middle = (from + to) / 2n
  const reached = await ltAfter(asked, address, middle)
  const [early, late] = [lts.filter((lt) => lt <= reached), lts.filter((lt) => lt > reached)]
  const found = await Promise.all([
    blocksOf(asked, address, early, { from, to: middle }),
    blocksOf(asked, address, late, { from: middle, to }),
  ])
  return new Map(found.flatMap((part) => [...part]))
}

/** The same from the newest block back; a transaction that the state after `head` does not have is left out. */
export const blocksBack = async (
  asked: Asked,
  address: string,
  lts: readonly bigint[],
  head: bigint,
): Promise<ReadonlyMap<bigint, BlockRef>> => {
  const newest = await ltAfter(asked, address, head)
  const there = lts.filter((lt) => lt <= newest)
  if (there.length === 0) return new Map()
  const oldest = there.reduce(smaller, newest)
  const last = larger(head - 1n, 0n)
  let from = last
  // Multiples of the step, so that later calls ask for the same states.
  for (let step = 2n; from > 0n && (await ltAfter(asked, address, from)) >= oldest; step *= 2n)
    from = last - (last % step)
  return blocksOf(asked, address, there, { from, to: head })
}

/** The masterchain block of one transaction; null where the state after `head` does not have it. @param hint height that another node named */
export const blockOf = async (
  asked: Asked,
  address: string,
  lt: bigint,
  { head, hint }: { readonly head: bigint; readonly hint: bigint | null },
): Promise<BlockRef | null> => {
  if (hint !== null && hint > 0n && hint <= head) {
    const [after, before] = await Promise.all([ltAfter(asked, address, hint), ltAfter(asked, address, hint - 1n)])
    if (before < lt && lt <= after) return askBlock(asked, hint)
  }
  return (await blocksBack(asked, address, [lt], head)).get(lt) ?? null
}
