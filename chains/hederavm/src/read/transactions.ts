import type { BlockRef, ChainMoney } from '@causeway/core/chain'
import { strangeAnswer } from '@causeway/core/chain-kit'
import { isSystemAccount, NATIVE } from '../address/addresses.js'
import { nanosOf } from '../address/times.js'
import { readTransactionId, type TransactionId, transactionIdText } from '../address/transactionIds.js'
import type { BlockRange } from '../rpc/blocks.js'
import type { TransactionJson } from '../rpc/transactions.js'

/** A change of a balance by a transaction. */
export interface Move {
  readonly account: string
  readonly currency: string
  readonly amount: bigint
}

/** A transaction as a mirror node shows it. */
export interface LedgerTransaction extends TransactionId {
  /** Canonical id, with `?scheduled` and nonce where it has them. */
  readonly id: string
  /** Nanoseconds. */
  readonly consensus: bigint
  /** Seconds after the valid start in which it may reach consensus. */
  readonly duration: bigint
  /** Type in capitals, such as `CRYPTOTRANSFER`. */
  readonly kind: string
  readonly result: string
  /** In tinybars. */
  readonly fee: bigint
  /** Null where it has none, or the bytes are no text. */
  readonly memo: string | null
  readonly node: string | null
  /** One entry for each account and currency; the network fee is not part of the payer's. */
  readonly moves: readonly Move[]
  /** Accounts that collected custom fees; null where the mirror node did not list them. */
  readonly collectors: readonly string[] | null
  /** Null where the mirror node shows no block of its consensus time. */
  readonly block: BlockRef | null
}

/** The longest window of a transaction, in seconds. */
export const LONGEST_WINDOW = 180n

/** Reads a transaction of an answer. @throws ServiceError RPC_HTTP_ERROR for values that contradict each other */
export const readTransaction = (json: TransactionJson, block: BlockRef | null): LedgerTransaction => {
  const id = readTransactionId(json.transaction_id)
  if (id === null || id.start !== nanosOf(json.valid_start_timestamp)) throw strangeAnswer('an id of a transaction')
  const named = { ...id, scheduled: json.scheduled, nonce: Number(json.nonce) }
  const fee = BigInt(json.charged_tx_fee)
  return {
    ...named,
    id: transactionIdText(named),
    consensus: nanosOf(json.consensus_timestamp),
    duration: BigInt(json.valid_duration_seconds ?? LONGEST_WINDOW),
    ...{ kind: json.name, result: json.result, fee, block },
    memo: textOf(json.memo_base64 ?? ''),
    node: json.node ?? null,
    moves: movesOf(json, { payer: id.payer, fee }),
    collectors: json.assessed_custom_fees?.map(({ collector_account_id }) => collector_account_id) ?? null,
  }
}

/** Reads transactions of one answer with their blocks. @throws ServiceError also where the blocks cannot be read */
export const readTransactions = async (
  found: readonly TransactionJson[],
  blocksAt: BlockRange['blocksAt'],
): Promise<readonly LedgerTransaction[]> => {
  const times = found.map(({ consensus_timestamp }) => nanosOf(consensus_timestamp))
  const blockAt = await blocksAt(times)
  return found.map((json, at) => readTransaction(json, blockAt(times[at] ?? 0n)))
}

const textOf = (base64: string): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64')) || null
  } catch {
    return null
  }
}

/** The account that staking rewards are paid from. */
const REWARD_POOL = '0.0.800'

/** Net changes without staking rewards, with the network fee given back to its payer. */
const movesOf = (
  { transfers, token_transfers = [], staking_reward_transfers: rewards = [] }: TransactionJson,
  { payer, fee }: { readonly payer: string; readonly fee: bigint },
): readonly Move[] => {
  const listed = [
    ...transfers.map(({ account, amount }) => ({ account, currency: NATIVE, amount: BigInt(amount) })),
    ...token_transfers.map(({ account, amount, token_id: currency }) => ({
      account,
      currency,
      amount: BigInt(amount),
    })),
    ...rewards.flatMap(({ account, amount }) => [
      { account, currency: NATIVE, amount: -BigInt(amount) },
      { account: REWARD_POOL, currency: NATIVE, amount: BigInt(amount) },
    ]),
    { account: payer, currency: NATIVE, amount: fee },
  ]
  const sums = new Map<string, Move>()
  for (const move of listed) {
    const key = `${move.account} ${move.currency}`
    sums.set(key, { ...move, amount: move.amount + (sums.get(key)?.amount ?? 0n) })
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n)
}

export const isSuccess = ({ result }: Pick<LedgerTransaction, 'result'>): boolean => result === 'SUCCESS'

/** The amount by which a balance went up. */
export const gainIn = ({ moves }: Pick<LedgerTransaction, 'moves'>, account: string, currency: string): bigint =>
  moves.find((move) => move.account === account && move.currency === currency)?.amount ?? 0n

/** Accounts whose balance of a currency went down. */
export const debitedIn = ({ moves }: Pick<LedgerTransaction, 'moves'>, currency: string): readonly string[] =>
  moves.flatMap((move) => (move.currency === currency && move.amount < 0n ? [move.account] : []))

/** Payments of a transaction: credits but those of network fees and of custom fees. */
export const paymentsIn = ({ moves, node, collectors }: LedgerTransaction): readonly Move[] =>
  moves.filter(
    ({ account, amount }) =>
      amount > 0n && account !== node && !isSystemAccount(account) && collectors?.includes(account) !== true,
  )

/** For the record: sender, recipient, memo and amount (wire.md 3.1 TX `data`). */
export const txDataOf = (
  { memo }: Pick<LedgerTransaction, 'memo'>,
  { from, to, money }: { readonly from: string; readonly to: string; readonly money: ChainMoney },
) => ({ from, to, data: memo ?? '', value: money.amount.toString() })
