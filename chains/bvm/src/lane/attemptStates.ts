import type { AttemptState, BlockRef, Payout } from '@causeway/core/chain'
import type { HeadFollower } from '@causeway/core/chain-kit'
import type { BitcoinNetwork } from '../address/networks.js'
import { type DepositRules, readDeposits } from '../deposit/readDeposits.js'
import { watchedAddress } from '../read/balances.js'
import type { WatchedScript } from '../rpc/bitcoinSource.js'
import { type ChainTransaction, feePaid } from '../rpc/chainTransaction.js'
import type { SourcePool } from '../rpc/sourcePool.js'
import { gainedBy, paidTo } from './paidAmounts.js'

export interface AttemptStatesDeps {
  readonly pool: SourcePool
  readonly heads: Pick<HeadFollower<BlockRef>, 'tip'>
  readonly network: BitcoinNetwork
  readonly depository: WatchedScript
}

interface Query {
  readonly txId: string
  readonly payout: Payout
}

const ABSENT = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null } as const

/** What became of transactions, all asked of one node. On Bitcoin none fails: it is in a block or it is not. */
export const readStates = async (
  queries: readonly Query[],
  { pool, heads, network, depository }: AttemptStatesDeps,
): Promise<readonly AttemptState[]> => {
  if (queries.length === 0) return []
  const transactions = await pool.ask((source) => Promise.all(queries.map(({ txId }) => source.transaction(txId))))
  const tip = transactions.some((transaction) => transaction?.block) ? (await heads.tip()).height : 0n
  const rules = { network, depository: depository.script }
  return queries.map(({ payout }, at) => stateOf(payout, transactions[at] ?? null, tip, rules))
}

const stateOf = (
  payout: Payout,
  transaction: ChainTransaction | null,
  tip: bigint,
  rules: DepositRules,
): AttemptState => {
  const { from, to, money, orderId } = payout
  const txData = { from, to: to.address, data: orderId, value: `${money.amount}` }
  if (transaction === null) return { ...ABSENT, status: 'missing', txData: null }
  const { block } = transaction
  if (block === null) return { ...ABSENT, status: 'pending', txData }
  const depth = tip - block.height + 1n
  return {
    status: 'success',
    block,
    confirmations: depth < 1n ? 1 : Number(depth),
    fee: feePaid(transaction) ?? 0n,
    paid: paidBy(transaction, payout, rules),
    revert: null,
    txData,
  }
}

/** Of a sweep what its transaction deposits for the order, as the watcher of deposits reads it. */
const paidBy = (transaction: ChainTransaction, { purpose, orderId, to }: Payout, rules: DepositRules): bigint => {
  if (purpose === 'sweep') {
    const own = readDeposits(transaction, rules).find((deposit) => deposit.orderId === orderId.toLowerCase())
    return own?.amount ?? 0n
  }
  const { script } = watchedAddress(to.address, rules.network)
  return purpose === 'withdraw' ? gainedBy(transaction, script) : paidTo(transaction, script)
}
