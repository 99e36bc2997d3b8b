import { orderIdOf, paymentMemo, type SentTransaction } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { SECOND } from '../address/times.js'
import { readSweepMemo } from '../depositAddress/sweepForms.js'
import {
  debitedIn,
  gainIn,
  isSuccess,
  type LedgerTransaction,
  type Move,
  paymentsIn,
  txDataOf,
} from '../read/transactions.js'
import { resultText } from './precheckResults.js'

const NOTHING: Move = { account: '', currency: NATIVE, amount: 0n }

/** The accounts of a lane, as transactions of one mirror node name them; null for an account that the node does not know. */
export interface LaneAccounts {
  readonly solverId: string
  readonly depositoryId: string | null
  /** The recipient of the payout, where that is known. */
  readonly recipientId: string | null
  /** Texts by which the service names these accounts, by their numbers. */
  readonly names: ReadonlyMap<string | null, string>
}

/** The last second in which a payment may land: its valid start, rounded up, and its window. */
export const untilOf = (start: bigint, duration: bigint): bigint => (start + SECOND - 1n) / SECOND + duration

/** A transaction of the solver as the lane knows it. */
export const sentOf = (transaction: LedgerTransaction, accounts: LaneAccounts): SentTransaction => {
  const { id, start, duration, block, fee, result } = transaction
  const paid = isSuccess(transaction) ? paidIn(transaction, accounts) : NOTHING
  const textOf = (account: string) => accounts.names.get(account) ?? account
  const to = textOf(paid.account)
  const money = { currency: paid.currency, amount: paid.amount }
  const currencyFee = isSuccess(transaction) ? currencyFeeOf(transaction, paid, accounts) : 0n
  return {
    tx: { id },
    sequence: start,
    until: untilOf(start, duration),
    memo: memoOf(transaction, paid, accounts),
    ...{ to, money, arrived: money, block, fee },
    revert: block === null || isSuccess(transaction) ? null : resultText(result),
    ...(currencyFee === 0n ? {} : { currencyFee }),
    txData: txDataOf(transaction, { from: textOf(accounts.solverId), to, money }),
  }
}

/** The payment of a transaction: of the recipient where one is known, else the first. */
const paidIn = (transaction: LedgerTransaction, { recipientId }: LaneAccounts): Move =>
  transaction.moves.find(({ account, amount }) => account === recipientId && amount > 0n) ??
  paymentsIn(transaction)[0] ??
  NOTHING

/** A sweep names its order alone, or with the memo that it takes from: the solver sends the depository nothing else. */
const memoOf = ({ memo }: LedgerTransaction, paid: Move, { depositoryId }: LaneAccounts): string | null => {
  const orderId =
    memo === null || paid.account !== depositoryId ? null : (orderIdOf(memo) ?? readSweepMemo(memo)?.orderId ?? null)
  return orderId === null ? memo : paymentMemo({ orderId, purpose: 'sweep' })
}

/** Custom fees of a token that the solver, or the depository of a withdrawal, paid. Those of a sweep are part of the address's balance. */
const currencyFeeOf = (
  transaction: LedgerTransaction,
  { currency, amount }: Move,
  { solverId, depositoryId }: LaneAccounts,
): bigint => {
  if (currency === NATIVE) return 0n
  const payer = debitedIn(transaction, currency).find((account) => account === solverId || account === depositoryId)
  return payer === undefined ? 0n : -gainIn(transaction, payer, currency) - amount
}
