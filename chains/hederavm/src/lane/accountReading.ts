import { destinationText } from '@causeway/core'
import type {
  LaneListing,
  LaneMoment,
  LaneQuestion,
  LaneSince,
  SentTransaction,
  SequenceChain,
  ShownTransaction,
} from '@causeway/core/chain-kit'
import { nanosOf } from '../address/times.js'
import type { HederaSettings } from '../options.js'
import { isSuccess, paymentsIn, readTransactions } from '../read/transactions.js'
import type { AccountIds } from '../rpc/accounts.js'
import { askBlock, askBlocksAt, askHeadBlock, askOldest } from '../rpc/blocks.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { askTransaction, DUPLICATE, type TransactionJson, transactionPages } from '../rpc/transactions.js'
import { type LaneAccounts, sentOf } from './sentTransaction.js'

export interface LaneReadingDeps extends Pick<HederaSettings, 'depository' | 'mirrorLagBlocks'> {
  readonly ids: AccountIds
}

/** Where a mirror node stands: a block is final, and its consensus time is the time of payments (chains.md hederavm 4). */
export const askMoment = async (asked: MirrorNode, lagBlocks: bigint): Promise<LaneMoment> => {
  const { height, time } = await askHeadBlock(asked, lagBlocks)
  return { height, time: { newest: BigInt(time), final: BigInt(time) } }
}

/** How a lane of the solver's account is read: by transaction ids, and by the account's list. */
export const laneReading = (deps: LaneReadingDeps): Pick<SequenceChain<MirrorNode>, 'read' | 'list' | 'remembers'> => ({
  read: async (node, { account, attempts }) => {
    // The head first: a payment that lands between two questions must not count as dead.
    const moment = await askMoment(node, deps.mirrorLagBlocks)
    const transactions = await Promise.all(
      attempts.map((attempt) => readAttempt(node, { ...attempt, solver: account }, deps)),
    )
    return { moment, transactions }
  },
  list: async (node, solver, since) => {
    const { ids, depository } = deps
    const [solverId, depositoryId] = await Promise.all([ids.required(node, solver), ids.at(node, depository)])
    const names = new Map<string | null, string>([
      [solverId, solver],
      [depositoryId, depository],
    ])
    return listSent(node, { solverId, depositoryId, recipientId: null, names }, since)
  },
  remembers: async (node, point) => {
    const { height, time } = await askOldest(node)
    return height === 0n || BigInt(time) < point
  },
})

/** The id alone decides whether a payment is shown: no other answer of the node may hide the payment. */
const readAttempt = async (
  node: MirrorNode,
  { txId, payout, solver }: LaneQuestion['attempts'][number] & { readonly solver: string },
  { ids, depository }: LaneReadingDeps,
): Promise<ShownTransaction | null> => {
  const json = await askTransaction(node, txId)
  if (json === null) return null
  const [[transaction], depositoryId, recipientId] = await Promise.all([
    readTransactions([json], (times) => askBlocksAt(node, times)),
    ids.at(node, depository),
    payout === undefined ? null : ids.at(node, payout.to.address),
  ])
  if (transaction === undefined) return null
  const { payer: solverId } = transaction
  const names = new Map<string | null, string>([
    [solverId, solver],
    [depositoryId, depository],
    [recipientId, payout === undefined ? '' : destinationText(payout.to)],
  ])
  return sentOf(transaction, { solverId, depositoryId, recipientId, names })
}

/** Pages of a list; others may fill the newest ones with payments to the account. */
const MOST_PAGES = 25_000
const MOST_NEWEST_PAGES = 50

/**
 * Transactions that the solver sent, newest first, back to a height. Without a height only the newest are read: numbers are times, and no
 * new one is below the time of now.
 */
const listSent = async (node: MirrorNode, accounts: LaneAccounts, since: LaneSince | null): Promise<LaneListing> => {
  const begin = since !== null && 'height' in since ? await beginOf(node, since.height + 1n) : null
  if (begin === 'not yet') return { transactions: [] }
  const { from, ...gap } = begin ?? { from: 0n }
  const transactions: SentTransaction[] = []
  let left = begin === null ? MOST_NEWEST_PAGES : MOST_PAGES
  for await (const page of transactionPages(node, { account: accounts.solverId, order: 'desc' })) {
    const newer = page.filter(({ consensus_timestamp }) => nanosOf(consensus_timestamp) >= from)
    transactions.push(...(await sentIn(node, newer, accounts)))
    if (newer.length < page.length || (begin === null && transactions.length > 0)) break
    left -= 1
    if (left === 0) return { transactions, gap: 'there is more than a mirror node lists' }
  }
  return { transactions, ...gap }
}

/** Consensus time with which a list begins, and why older transactions are missing. `not yet`: the node has no block that is so new. */
const beginOf = async (node: MirrorNode, first: bigint) => {
  const block = await askBlock(node, first)
  if (block !== null) return { from: block.from }
  const { height, from } = await askOldest(node)
  return height <= first ? ('not yet' as const) : { from, gap: `a mirror node has no blocks before ${height}` }
}

const sentIn = async (
  node: MirrorNode,
  page: readonly TransactionJson[],
  accounts: LaneAccounts,
): Promise<readonly SentTransaction[]> => {
  const own = page.filter(
    ({ transaction_id, nonce, scheduled, result }) =>
      transaction_id.startsWith(`${accounts.solverId}-`) && nonce === '0' && !scheduled && result !== DUPLICATE,
  )
  const read = await readTransactions(own, (times) => askBlocksAt(node, times))
  return Promise.all(
    read.map(async (transaction) => {
      // Only the answer about one transaction lists who collected custom fees.
      const isUnclear = isSuccess(transaction) && paymentsIn(transaction).length > 1
      const detailed = isUnclear ? await askTransaction(node, transaction.id) : null
      const collectors = detailed?.assessed_custom_fees?.map(({ collector_account_id }) => collector_account_id)
      return sentOf({ ...transaction, collectors: collectors ?? null }, accounts)
    }),
  )
}
