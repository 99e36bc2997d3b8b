import type { AttemptState, BlockRef, Payout } from '@causeway/core/chain'
import type { HeadFollower } from '@causeway/core/chain-kit'
import { watchedAddress } from '../balances.js'
import type { BitcoinNetwork } from '../network/networks.js'
import type { SourcePool } from '../source/sourcePool.js'
import { type ChainTransaction, feePaid } from '../transaction/chainTransaction.js'
import { gainedBy, paidTo } from './paidAmounts.js'

export interface AttemptStatesDeps {
  readonly pool: SourcePool
  readonly heads: Pick<HeadFollower<BlockRef>, 'tip'>
  readonly network: BitcoinNetwork
}

interface Query {
  readonly txId: string
  readonly payout: Payout
}

const ABSENT = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null } as const

/** What became of transactions, all asked of one node. On Bitcoin none fails: it is in a block or it is not. */
export const readStates = async (
  queries: readonly Query[],
  { pool, heads, network }: AttemptStatesDeps,
): Promise<readonly AttemptState[]> => {
  if (queries.length === 0) return []
  const transactions = await pool.ask((source) => Promise.all(queries.map(({ txId }) => source.transaction(txId))))
  const tip = transactions.some((transaction) => transaction?.block) ? (await heads.tip()).height : 0n
  return queries.map(({ payout }, at) => stateOf(payout, transactions[at] ?? null, tip, network))
}

const stateOf = (
  payout: Payout,
  transaction: ChainTransaction | null,
  tip: bigint,
  network: BitcoinNetwork,
): AttemptState => {
  const { from, to, money, orderId, purpose } = payout
  const txData = { from, to: to.address, data: orderId, value: `${money.amount}` }
  if (transaction === null) return { ...ABSENT, status: 'missing', txData: null }
  const { block } = transaction
  if (block === null) return { ...ABSENT, status: 'pending', txData }
  const { script } = watchedAddress(to.address, network)
  const depth = tip - block.height + 1n
  return {
    status: 'success',
    block,
    confirmations: depth < 1n ? 1 : Number(depth),
    fee: feePaid(transaction) ?? 0n,
    paid: purpose === 'withdraw' ? gainedBy(transaction, script) : paidTo(transaction, script),
    revert: null,
    txData,
  }
}
