import { ServiceError } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import type { Transaction } from '@ton/core'
import { type AccountState, type Asked, previousOf, type TransactionName } from '../rpc/tonApi.js'

/** Thrown where a node lacks what it would have to know: it counts as no answer. */
export class PrunedError extends ServiceError {
  constructor(what: string) {
    super('SERVICE_UNAVAILABLE', `A node of this chain does not have ${what}. Configure a node that keeps its history.`)
  }
}

export const askNewest = (asked: Asked): Promise<BlockRef> =>
  asked.ask(async (api, signal) => {
    const { height, hash, time } = await api.newest(signal)
    return { height, hash, time }
  })

/** A masterchain block; null where the node lacks it. */
export const askBlock = (asked: Asked, height: bigint): Promise<BlockRef | null> =>
  asked.ask((api, signal) => api.block(height, signal))

/** An account after a masterchain block; null where the node does not have that state. */
export const findAccount = (asked: Asked, address: string, height: bigint): Promise<AccountState | null> =>
  asked.ask((api, signal) => api.account(address, height, signal))

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
    const page = await asked.ask((api, signal) => api.transactions(address, start, signal))
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
  const [found] = await asked.ask((api, signal) => api.transactions(address, { lt, hash }, signal))
  if (found !== undefined) return found
  const named = block === null || block > head ? null : await findAccount(asked, address, block)
  const state = named !== null && ltOf(named) >= lt ? named : await askAccount(asked, address, head)
  for await (const transaction of transactionsBack(asked, address, state.last, lt - 1n))
    if (transaction.hash().toString('hex') === hash) return transaction
  return null
}

/** Heights between which blocks are looked for: the state after `from` is older, that after `to` is not. */
interface Heights {
  readonly from: bigint
  readonly to: bigint
}

/**
 * Returns the masterchain block of each transaction: the first one after which the account's state has it. Nodes name no masterchain block of
 * a transaction, and logical times of workchains overlap, so states decide.
 * @param transactions of one account, all within the heights
 * @throws PrunedError where the node lacks a state that decides
 */
export const blocksOf = async (
  asked: Asked,
  address: string,
  transactions: readonly Transaction[],
  { from, to }: Heights,
): Promise<ReadonlyMap<bigint, BlockRef>> => {
  if (transactions.length === 0) return new Map()
  if (to - from === 1n) {
    const block = await askBlock(asked, to)
    if (block === null) throw new PrunedError(`masterchain block ${to}`)
    return new Map(transactions.map(({ lt }) => [lt, block]))
  }
  const middle = (from + to) / 2n
  const reached = ltOf(await askAccount(asked, address, middle))
  const [early, late] = await Promise.all([
    blocksOf(
      asked,
      address,
      transactions.filter(({ lt }) => lt <= reached),
      { from, to: middle },
    ),
    blocksOf(
      asked,
      address,
      transactions.filter(({ lt }) => lt > reached),
      { from: middle, to },
    ),
  ])
  return new Map([...early, ...late])
}

/**
 * The masterchain block of one transaction, found from the newest one back.
 * @param hint height that another node named; null: not known
 * @throws PrunedError where the node lacks a state that decides
 */
export const blockOf = async (
  asked: Asked,
  address: string,
  transaction: Transaction,
  { head, hint = null }: { readonly head: bigint; readonly hint?: bigint | null },
): Promise<BlockRef | null> => {
  const { lt } = transaction
  const has = async (height: bigint) => ltOf(await askAccount(asked, address, height)) >= lt
  if (hint !== null && hint > 0n && hint <= head && (await has(hint)) && !(await has(hint - 1n)))
    return askBlock(asked, hint)
  if (!(await has(head))) return null
  let to = head
  for (let step = 1n; ; step *= 2n) {
    const from = to > step ? to - step : 0n
    if (from === 0n || !(await has(from))) {
      const blocks = await blocksOf(asked, address, [transaction], { from, to })
      return blocks.get(lt) ?? null
    }
    to = from
  }
}
