import { type Json, ServiceError, smaller } from '@causeway/core'
import type { LaneListing, LaneMoment, LaneQuestion, LaneSince, SequenceChain } from '@causeway/core/chain-kit'
import type { Transaction } from '@ton/core'
import { readSeqno } from '../address/wallets.js'
import {
  askAccount,
  askNewest,
  blockOf,
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
  read: async (node, { account, attempts }) => {
    const moment = await askMoment(node)
    const state = await askAccount(node, account, moment.height)
    const seqno = await seqnoOf(node, account, state)
    const names = attempts.map(nameOf)
    const searched = names.filter(({ place, seqno: taken }) => place === null && (taken ?? 0n) < (seqno ?? 0n))
    const found = await search(node, account, state, searched)
    const transactions = await Promise.all(
      names.map(async ({ txId, place, payout = null }) => {
        const head = moment.height
        const transaction = place === null ? found.get(txId) : await findAt(node, account, place, head)
        const taken = transaction && requestOf(transaction)
        if (transaction == null || taken?.id !== txId) return null
        const block = await blockOf(node, account, transaction.lt, { head, hint: place?.block ?? null })
        if (block === null) return null
        const [sent] = await sentOf(node, { account, taken, head, included: { transaction, block } }, payout, rules)
        return sent ?? null
      }),
    )
    return { moment, transactions, next: seqno === null ? null : { final: seqno, newest: seqno } }
  },
  list: (node, account, since) => listSent(node, account, since, rules),
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
  if (last === null && balance === 0n) return null
  for await (const { oldStatus, endStatus } of transactionsBack(node, account, last, 0n))
    if ([oldStatus, endStatus].some((each) => each === 'active' || each === 'frozen')) throw lostNumber()
  return 0n
}

const lostNumber = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'A node of this chain shows no number of a wallet. Check whether it is frozen.',
  )

type AttemptName = LaneQuestion['attempts'][number] & { readonly seqno: bigint | null; readonly place: Place | null }

const NUMBER = /^\d{1,20}$/

const numberIn = (text: unknown): bigint | null => (typeof text === 'string' && NUMBER.test(text) ? BigInt(text) : null)

const nameOf = (attempt: LaneQuestion['attempts'][number]): AttemptName => {
  const { seqno, lt, hash, block }: Record<string, unknown> = Object(attempt.locator)
  const time = numberIn(lt)
  const isPlaced = time !== null && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)
  return { ...attempt, seqno: numberIn(seqno), place: isPlaced ? { lt: time, hash, block: numberIn(block) } : null }
}

/** As `TxRef.locator` before the transaction is known. */
export const signedLocator = (account: string, seqno: bigint): Json => ({ account, seqno: seqno.toString() })

/** Transactions of a wallet by the ids of their requests, from the newest back to the lowest number that is searched for. */
const search = async (
  node: TonNode,
  account: string,
  { last }: AccountState,
  names: readonly AttemptName[],
): Promise<ReadonlyMap<string, Transaction>> => {
  const found = new Map<string, Transaction>()
  const wanted = new Set(names.map(({ txId }) => txId))
  if (wanted.size === 0) return found
  const isNumbered = names.every(({ seqno }) => seqno !== null)
  const lowest = isNumbered ? names.map(({ seqno }) => seqno ?? 0n).reduce(smaller) : 0n
  let count = 0
  for await (const transaction of transactionsBack(node, account, last, 0n)) {
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

/** Lists what a wallet sent, from the newest transaction back to where `since` begins. */
const listSent = async (
  node: TonNode,
  account: string,
  since: LaneSince | null,
  rules: SentRules,
): Promise<LaneListing> => {
  const { height: head } = await askNewest(node)
  const found: { readonly transaction: Transaction; readonly taken: NonNullable<ReturnType<typeof requestOf>> }[] = []
  const listed = async () => {
    const lts = found.map(({ transaction }) => transaction.lt)
    const blocks = await blocksBack(node, account, lts, head)
    const sent = await Promise.all(
      found.map(({ transaction, taken }) => {
        const block = blocks.get(transaction.lt)
        return block ? sentOf(node, { account, taken, head, included: { transaction, block } }, null, rules) : []
      }),
    )
    return sent.flat()
  }
  try {
    const { last } = await askAccount(node, account, head)
    // A node that lacks the state at `since` lists all.
    const before =
      since !== null && 'height' in since ? await findAccount(node, account, smaller(since.height, head)) : null
    for await (const transaction of transactionsBack(node, account, last, before?.last?.lt ?? 0n)) {
      const taken = requestOf(transaction)
      if (taken !== null) found.push({ transaction, taken })
      if (taken !== null && since !== null && 'sequence' in since && taken.request.seqno <= since.sequence) break
      if (isFirst(transaction)) break
    }
    return { transactions: await listed() }
  } catch (error) {
    if (!(error instanceof PrunedError)) throw error
    return { transactions: await listed().catch(() => []), gap: 'a node does not have all transactions of the wallet' }
  }
}
