import { larger, smaller } from '@causeway/core'
import {
  type LaneListing,
  type LaneMoment,
  type LaneQuestion,
  type LaneSince,
  type RequestRules,
  type SentTransaction,
  type SequenceChain,
  type ShownTransaction,
  strangeAnswer,
} from '@causeway/core/chain-kit'
import { selectorOf } from '../address/abi.js'
import { accountOf } from '../address/addresses.js'
import { findTransaction, transactionsIn } from '../read/blockTransactions.js'
import { askAccount } from '../rpc/accounts.js'
import { askBlock, askHead, askOldest, blocksIn } from '../rpc/blocks.js'
import { askWord } from '../rpc/contracts.js'
import type { TransactionJson } from '../rpc/transactionInfos.js'
import type { Asked, TronNode } from '../rpc/tronNode.js'
import { fundedSweep, sentOf, shownOf, sweepOf } from './sentTransaction.js'

/** Blocks after the newest operation of an account in which its transaction may be: its time is that of an earlier block. */
const OPERATION_BLOCKS = 3n

/** The newest and the newest solidified block of a node. Solidified blocks stay for ever (chains.md tvm 4). Times are Unix milliseconds. */
export const askMoment = async (asked: Asked): Promise<LaneMoment> => {
  const [head, solid] = await Promise.all([askHead(asked), askHead(asked, 'walletsolidity')])
  const final = solid.height < head.height ? solid : head
  return { height: head.height, final: final.height, time: { newest: head.ms, final: final.ms } }
}

const CALL_REQUESTS = selectorOf('callRequests(bytes32)')

/** How a lane of the solver's account is read. Nodes list no transactions of an account, so blocks are read. */
export const laneReading = (
  depository: string,
): Pick<SequenceChain<TronNode>, 'read' | 'list' | 'remembers'> & {
  requests(node: TronNode): Promise<RequestRules>
} => ({
  read: async (node, { attempts }) => {
    // The head first: a payment that lands between two questions must not count as dead.
    const moment = await askMoment(node)
    const transactions = await Promise.all(
      attempts.map((attempt) => readAttempt(node, attempt, { depository, moment })),
    )
    return { moment, transactions }
  },
  list: (node, account, since) => listSent(node, { account, since, depository }),
  remembers: async (node, point) => {
    const oldest = await askOldest(node)
    return oldest.height <= 1n || oldest.ms <= point
  },
  requests: async (node) => {
    const { time } = await askHead(node, 'walletsolidity')
    return {
      isUsed: async (hash) => {
        const used = await askWord(node, depository, CALL_REQUESTS + hash.slice(2))
        if (used === null) throw strangeAnswer('a depository that does not know its requests')
        return used === 1n
      },
      hasExpired: (expiration) => expiration < time,
    }
  },
})

const readAttempt = async (
  node: TronNode,
  { txId, locator, payout }: LaneQuestion['attempts'][number],
  { depository, moment }: { readonly depository: string; readonly moment: LaneMoment },
): Promise<ShownTransaction | null> => {
  const found = await findTransaction(node, txId)
  const funding = typeof locator === 'string' ? await findTransaction(node, locator) : null
  if (found === null) {
    const isOver = funding !== null && funding.expiration < finalTimeOf(moment)
    return isOver ? sweepOf(funding, { sweepId: txId, sweep: null, isOver, depository }) : null
  }
  const shown = shownOf(found, payout, depository)
  if (typeof locator !== 'string') return shown
  // Of a sweep the lane pays its funding, out of which the address pays the fee.
  return { ...shown, tx: { id: txId, locator }, fee: funding === null ? found.fee : funding.fee + funding.value }
}

const finalTimeOf = ({ time }: LaneMoment): bigint => time?.final ?? 0n

interface ListTerms {
  readonly account: string
  readonly since: LaneSince | null
  readonly depository: string
}

/**
 * Transactions that an account sent, in blocks above a height up to the one of its newest operation; without a height, those of its newest
 * operation alone: numbers are times, and no new one is below the time of now.
 */
const listSent = async (node: TronNode, { account, since, depository }: ListTerms): Promise<LaneListing> => {
  const [moment, state] = await Promise.all([askMoment(node), askAccount(node, account)])
  const head = moment.height
  if (state === null || state.lastOperation === 0n) return { transactions: [] }
  const above = await firstBlockFrom(node, state.lastOperation + 1n, head)
  const last = smaller(above + OPERATION_BLOCKS, head)
  const isListed = since !== null && 'height' in since
  const first = isListed ? since.height + 1n : larger(await firstBlockFrom(node, state.lastOperation, above), 1n)
  const transactions: SentTransaction[] = []
  let oldest: bigint | null = null
  for await (const block of first > last ? [] : blocksIn(node, first, last)) {
    oldest ??= block.height
    if (!block.transactions.some((json) => isOf(json, accountOf(account)))) continue
    const all = await transactionsIn(node, block)
    const own = all.filter(({ owner }) => owner === accountOf(account))
    for (const transaction of own) {
      const sweepId = fundedSweep(transaction)
      const sweep = sweepId === null ? null : await findTransaction(node, sweepId)
      const isOver = transaction.expiration < finalTimeOf(moment)
      transactions.push(
        sweepId === null
          ? sentOf(transaction, depository)
          : sweepOf(transaction, { sweepId, sweep, isOver, depository }),
      )
    }
  }
  const isWhole = oldest === null || oldest <= first
  return isWhole ? { transactions } : { transactions, gap: `a node has no blocks before ${oldest}` }
}

const isOf = ({ raw_data: { contract } }: TransactionJson, account: string): boolean =>
  contract.some(
    ({ parameter }) =>
      String(parameter.value.owner_address ?? '')
        .slice(-40)
        .toLowerCase() === account,
  )

/** Height of the oldest block whose time is not below a point, by halves; `end` where there is none below. */
const firstBlockFrom = async (node: TronNode, ms: bigint, end: bigint): Promise<bigint> => {
  let [low, high] = [0n, end]
  while (low < high) {
    const middle = (low + high) / 2n
    const block = await askBlock(node, middle)
    // A node that prunes lacks the oldest ones.
    if (block === null || block.ms < ms) low = middle + 1n
    else high = middle
  }
  return low
}
