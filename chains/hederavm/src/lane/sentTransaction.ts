import { destinationText } from '@causeway/core'
import type { Destination } from '@causeway/core/chain'
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

/** The accounts of a lane, as transactions of one mirror node name them. */
export interface LaneAccounts {
  readonly depository: string
  readonly depositoryId: string | null
  readonly solver: string
  readonly solverId: string
}

/** The recipient of a payout, and its number; null for a recipient without an account. */
export interface NamedRecipient {
  readonly to: Destination
  readonly id: string | null
}

/** The last second in which a payment may land: its valid start, rounded up, and its window. */
export const untilOf = (start: bigint, duration: bigint): bigint => (start + SECOND - 1n) / SECOND + duration

/** A transaction of the solver as the lane knows it. @param named - null: the payout is unknown */
export const sentOf = (
  transaction: LedgerTransaction,
  accounts: LaneAccounts,
  named: NamedRecipient | null = null,
): SentTransaction => {
  const { id, start, duration, block, fee, result } = transaction
  const paid = isSuccess(transaction) ? paidIn(transaction, named?.id ?? null) : NOTHING
  const to = recipientText(paid.account, accounts, named)
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
    txData: txDataOf(transaction, { from: accounts.solver, to, money }),
  }
}

/** The payment of a transaction: of the recipient where one is known, else the first. */
const paidIn = (transaction: LedgerTransaction, recipientId: string | null): Move => {
  const payments = paymentsIn(transaction)
  const own = transaction.moves.find(({ account, amount }) => account === recipientId && amount > 0n)
  return own ?? payments[0] ?? NOTHING
}

const recipientText = (
  account: string,
  { depository, depositoryId, solver, solverId }: LaneAccounts,
  named: NamedRecipient | null,
): string => {
  if (account === '') return ''
  if (named?.id === account) return destinationText(named.to)
  if (account === depositoryId) return depository
  return account === solverId ? solver : account
}

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
