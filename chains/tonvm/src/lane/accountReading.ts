import { type Json, ServiceError, smaller } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import type {
  LaneListing,
  LaneMoment,
  LaneQuestion,
  LaneSince,
  SentTransaction,
  SequenceChain,
  ShownTransaction,
} from '@causeway/core/chain-kit'
import type { Transaction } from '@ton/core'
import { readSeqno } from '../address/wallets.js'
import {
  askAccount,
  askNewest,
  blocksBack,
  findAccount,
  findAt,
  type Place,
  PrunedError,
  transactionsBack,
} from '../read/accounts.js'
import type { AccountState, Asked, TonNode } from '../rpc/tonApi.js'
import { requestOf, type SentRules, sentOf } from './sentTransaction.js'

/** Seconds by which a block of a shard may be older than the masterchain block that commits it: until then a payment may still land. */
const SHARD_DELAY = 30n
/** Transactions that are searched for a payment whose number is not known. */
const MOST_SEARCHED = 1000

/** Where a node stands: a masterchain block is final, and payments expire by its time (chains.md tonvm 4). */
export const askMoment = async (asked: Asked): Promise<LaneMoment> => {
  const { height, time } = await askNewest(asked)
  const newest = BigInt(time)
  return { height, time: { newest, final: newest > SHARD_DELAY ? newest - SHARD_DELAY : 0n } }
}

/** How the lane reads wallets: all of one state, and transactions that name each other by their hashes. */
export const laneReading = (rules: SentRules): Pick<SequenceChain<TonNode>, 'read' | 'list'> => ({
  read: async (node, question) => {
    const moment = await askMoment(node)
    const state = await askAccount(node, question.account, moment.height)
    const seqno = await seqnoOf(node, question.account, state)
    const reader = { account: question.account, state, seqno: seqno ?? 0n, head: moment.height }
    const transactions = await readAttempts(node, reader, question.attempts, rules)
    return { moment, transactions, next: seqno === null ? null : { final: seqno, newest: seqno } }
  },
  list: async (node, account, since) => {
    const { height: head } = await askNewest(node)
    return listSent(node, { account, since, head }, rules)
  },
})

/**
 * The number that a wallet takes next; null: the account does not exist. A wallet that had code and lost it shows no number: it may have
 * used any, so an account that receives money before its first request must never have had code.
 * @throws ServiceError SERVICE_UNAVAILABLE for an account whose number is not known
 */
const seqnoOf = async (
  node: TonNode,
  account: string,
  { status, data, balance, last }: AccountState,
): Promise<bigint | null> => {
  if (status === 'active' && data !== null) return readSeqno(data)
  if (status !== 'uninitialized') throw lostNumber()
  if (last === null) return balance === 0n ? null : 0n
  const seen = codeless.get(node) ?? new Map<string, bigint>()
  codeless.set(node, seen)
  for await (const { oldStatus, endStatus } of transactionsBack(node, account, last, seen.get(account) ?? 0n))
    if ([oldStatus, endStatus].some((each) => each === 'active' || each === 'frozen')) throw lostNumber()
  seen.set(account, last.lt)
  return 0n
}

/** Logical times up to which accounts never had code, as each node showed it: dust of others is read once. */
const codeless = new WeakMap<TonNode, Map<string, bigint>>()

const lostNumber = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'A node of this chain shows no number of a wallet. Check whether it is frozen.',
  )

interface WalletReading {
  readonly account: string
  readonly state: AccountState
  readonly seqno: bigint
  readonly head: bigint
}

interface AttemptName {
  readonly txId: string
  readonly payout: Payout | null
  readonly seqno: bigint | null
  readonly place: Place | null
}

const NUMBER = /^\d{1,20}$/

const nameOf = ({ txId, locator, payout }: LaneQuestion['attempts'][number]): AttemptName => {
  const { seqno, lt, hash, block }: Record<string, unknown> = Object(locator)
  const isPlaced = typeof lt === 'string' && NUMBER.test(lt) && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)
  return {
    ...{ txId, payout: payout ?? null },
    seqno: typeof seqno === 'string' && NUMBER.test(seqno) ? BigInt(seqno) : null,
    place: isPlaced ? { lt: BigInt(lt), hash, block: NUMBER.test(String(block)) ? BigInt(String(block)) : null } : null,
  }
}

/** As `TxRef.locator` before the transaction is known. */
export const signedLocator = (account: string, seqno: bigint): Json => ({ account, seqno: seqno.toString() })

const readAttempts = async (
  node: TonNode,
  reader: WalletReading,
  attempts: LaneQuestion['attempts'],
  rules: SentRules,
): Promise<readonly (ShownTransaction | null)[]> => {
  const names = attempts.map(nameOf)
  const searched = names.filter(({ place, seqno }) => place === null && (seqno ?? 0n) < reader.seqno)
  const found = await search(node, reader, searched)
  const shown = await Promise.all(
    names.map(async ({ txId, payout, place }) => {
      const transaction = place === null ? found.get(txId) : await findAt(node, reader.account, place, reader.head)
      return { txId, payout, transaction: transaction ?? null }
    }),
  )
  const taken = await placedRequests(
    node,
    reader,
    shown,
    names.flatMap(({ place }) => place?.block ?? []),
  )
  return Promise.all(
    taken.map(async (shared, at) => {
      const { txId, payout = null } = shown[at] ?? {}
      if (shared === null || shared.taken.id !== txId) return null
      return (await sentOf(node, shared, payout, rules))[0] ?? null
    }),
  )
}

/** The requests of a wallet in their blocks; null for another transaction, and for one that the node's newest state does not have. */
const placedRequests = async (
  node: TonNode,
  { account, head }: Pick<WalletReading, 'account' | 'head'>,
  found: readonly { readonly transaction: Transaction | null }[],
  hints: readonly bigint[] = [],
) => {
  const lts = found.flatMap(({ transaction }) => transaction?.lt ?? [])
  const blocks = await blocksBack(node, account, lts, { head, hints })
  return found.map(({ transaction }) => {
    const taken = transaction && requestOf(transaction)
    const block = blocks.get(transaction?.lt ?? 0n)
    return transaction && taken && block ? { account, taken, head, included: { transaction, block } } : null
  })
}

/** Transactions of a wallet by the ids of their requests, from the newest back to the lowest number that is searched for. */
const search = async (
  node: TonNode,
  { account, state }: WalletReading,
  names: readonly AttemptName[],
): Promise<ReadonlyMap<string, Transaction>> => {
  const found = new Map<string, Transaction>()
  const wanted = new Set(names.map(({ txId }) => txId))
  if (wanted.size === 0) return found
  const isNumbered = names.every(({ seqno }) => seqno !== null)
  const lowest = isNumbered ? names.map(({ seqno }) => seqno ?? 0n).reduce(smaller) : 0n
  let count = 0
  for await (const transaction of transactionsBack(node, account, state.last, 0n)) {
    const taken = requestOf(transaction)
    if (taken !== null && wanted.has(taken.id)) found.set(taken.id, transaction)
    if (found.size === wanted.size || isFirst(transaction)) break
    if (taken !== null && taken.request.seqno <= lowest) break
    count += 1
    if (!isNumbered && count >= MOST_SEARCHED) throw new PrunedError('a payment among its newest transactions')
  }
  return found
}

/** Whether the account had no code before, so that it sent nothing older. */
const isFirst = ({ oldStatus }: Transaction): boolean => oldStatus !== 'active'

interface ListQuestion {
  readonly account: string
  readonly since: LaneSince | null
  readonly head: bigint
}

/** Lists what a wallet sent, from the newest transaction back to where `since` begins. */
const listSent = async (
  node: TonNode,
  { account, since, head }: ListQuestion,
  rules: SentRules,
): Promise<LaneListing> => {
  const found: { readonly transaction: Transaction }[] = []
  const listed = async (): Promise<readonly SentTransaction[]> => {
    const placed = await placedRequests(node, { account, head }, found)
    const sent = await Promise.all(placed.map((shared) => (shared === null ? [] : sentOf(node, shared, null, rules))))
    return sent.flat()
  }
  try {
    const state = await askAccount(node, account, head)
    const downTo = since !== null && 'height' in since ? await ltAt(node, account, smaller(since.height, head)) : 0n
    for await (const transaction of transactionsBack(node, account, state.last, downTo)) {
      const taken = requestOf(transaction)
      if (taken !== null) found.push({ transaction })
      if (taken !== null && since !== null && 'sequence' in since && taken.request.seqno <= since.sequence) break
      if (isFirst(transaction)) break
    }
    return { transactions: await listed() }
  } catch (error) {
    if (!(error instanceof PrunedError)) throw error
    return { transactions: await listed().catch(() => []), gap: 'a node does not have all transactions of the wallet' }
  }
}

/** Logical time up to which an account had come at a height; 0 where the node lacks that state. */
const ltAt = async (node: TonNode, account: string, height: bigint): Promise<bigint> =>
  (await findAccount(node, account, height))?.last?.lt ?? 0n
