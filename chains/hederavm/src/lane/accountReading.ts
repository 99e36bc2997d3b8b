import { smaller } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import type { LaneListing, LaneSince, SentTransaction, SequenceChain, ShownTransaction } from '@causeway/core/chain-kit'
import { nanosOf, SECOND } from '../address/times.js'
import { askHeadBlock, askMoment } from '../read/head.js'
import { isSuccess, type LedgerTransaction, paymentsIn, readTransaction } from '../read/transactions.js'
import type { AccountIds } from '../rpc/accounts.js'
import { askBlock, askBlockAt, askOldest, refOf } from '../rpc/blocks.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import {
  askTransaction,
  askTransactionsBefore,
  DUPLICATE,
  type TransactionJson,
  transactionPages,
} from '../rpc/transactions.js'
import { type LaneAccounts, sentOf } from './sentTransaction.js'

export interface LaneReadingDeps {
  readonly ids: AccountIds
  readonly depository: string
  readonly lagBlocks: bigint
}

/** Mirror nodes take no longer range of times at once. */
const LONGEST_RANGE = 6n * 86_400n * SECOND

/** How a lane of the solver's account is read: by transaction ids, and by the account's list. */
export const laneReading = (deps: LaneReadingDeps): Pick<SequenceChain<MirrorNode>, 'read' | 'list' | 'remembers'> => ({
  read: async (node, { account, attempts }) => {
    // The head first: a payment that lands between two questions must not count as dead.
    const moment = await askMoment(node, deps.lagBlocks)
    const transactions = await Promise.all(
      attempts.map(({ txId, payout = null }) => readAttempt(node, { txId, payout, solver: account }, deps)),
    )
    return { moment, transactions }
  },
  list: async (node, account, since) => {
    const solverId = await deps.ids.required(node, account)
    return listSent(node, await accountsOf(node, { solver: account, solverId }, deps), since, deps)
  },
  remembers: async (node, point) => {
    const { height, time } = await askOldest(node)
    return height === 0n || BigInt(time) < point
  },
})

const accountsOf = async (
  node: MirrorNode,
  own: Pick<LaneAccounts, 'solver' | 'solverId'>,
  { ids, depository }: LaneReadingDeps,
): Promise<LaneAccounts> => ({ ...own, depository, depositoryId: await ids.at(node, depository) })

interface AskedAttempt {
  readonly txId: string
  readonly payout: Payout | null
  readonly solver: string
}

/** The id alone decides whether a payment is shown: no other answer of the node may hide the payment. */
const readAttempt = async (
  node: MirrorNode,
  { txId, payout, solver }: AskedAttempt,
  deps: LaneReadingDeps,
): Promise<ShownTransaction | null> => {
  const json = await askTransaction(node, txId)
  if (json === null) return null
  const transaction = await withBlock(node, json)
  const [accounts, recipientId] = await Promise.all([
    accountsOf(node, { solver, solverId: transaction.payer }, deps),
    payout === null ? null : deps.ids.at(node, payout.to.address),
  ])
  return sentOf(transaction, accounts, payout && { payout, recipientId })
}

const withBlock = async (node: MirrorNode, json: TransactionJson): Promise<LedgerTransaction> => {
  const block = await askBlockAt(node, nanosOf(json.consensus_timestamp))
  return readTransaction(json, block && refOf(block))
}

/**
 * Transactions that the solver sent. Without a height only the newest are read: numbers are times, and no new one is below the time of
 * now.
 */
const listSent = async (
  node: MirrorNode,
  accounts: LaneAccounts,
  since: LaneSince | null,
  deps: LaneReadingDeps,
): Promise<LaneListing> => {
  if (since === null || !('height' in since)) return listNewest(node, accounts)
  const { to, height } = await askHeadBlock(node, deps.lagBlocks)
  const first = since.height + 1n
  if (height < first) return { transactions: [] }
  const block = await askBlock(node, first)
  const oldest = block === null ? await askOldest(node) : block
  const isWhole = block !== null || oldest.height <= first
  const found: SentTransaction[] = []
  // A transaction lands within its window: one that was sent before may be in a later block.
  for (let from = oldest.from; from <= to; from += LONGEST_RANGE + 1n) {
    const end = smaller(from + LONGEST_RANGE, to)
    for await (const page of transactionPages(node, { account: accounts.solverId, from, to: end }))
      found.push(...(await sentIn(node, page, accounts)))
  }
  return isWhole
    ? { transactions: found }
    : { transactions: found, gap: `a mirror node has no blocks before ${oldest.height}` }
}

/** Pages that others may fill with payments to the account before the account's own transactions come. */
const MOST_NEWEST_PAGES = 50

/** The newest transactions that the solver sent. */
const listNewest = async (node: MirrorNode, accounts: LaneAccounts): Promise<LaneListing> => {
  let before: bigint | null = null
  for (let pages = 0; pages < MOST_NEWEST_PAGES; pages += 1) {
    const page: readonly TransactionJson[] = await askTransactionsBefore(node, accounts.solverId, before)
    const transactions = await sentIn(node, page, accounts)
    const last = page.at(-1)
    if (last === undefined || transactions.length > 0) return { transactions }
    before = nanosOf(last.consensus_timestamp)
  }
  return { transactions: [], gap: 'there is more than a mirror node lists' }
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
  return Promise.all(
    own.map(async (json) => {
      const transaction = await withBlock(node, json)
      // Only the answer about one transaction lists who collected custom fees.
      const isUnclear = isSuccess(transaction) && paymentsIn(transaction).length > 1
      const detailed = isUnclear ? await askTransaction(node, transaction.id) : null
      return sentOf(detailed === null ? transaction : readTransaction(detailed, transaction.block), accounts)
    }),
  )
}
