import { destinationText } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { orderIdOf, type PayingRole, paymentMemo, type SentTransaction } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { isNative } from '../address/currencies.js'
import { onlyMemo } from '../deposit/memos.js'
import { gainOf } from '../read/balanceChanges.js'
import {
  deliveredOf,
  isSuccess,
  type LedgerTransaction,
  numberOf,
  recipientOf,
  statedOf,
  takenAtMost,
  txDataOf,
} from '../read/transactions.js'
import { resultText } from './engineResults.js'

/** The ledger's own numbers have 32 bits: what names no last ledger may land in any. */
const NO_LAST_LEDGER = 2n ** 32n - 1n

/**
 * What the currency took of the wallet beyond what was paid out of it, or of what was paid into it. Balances have 16 digits and are rounded as they
 * change, so that it may be below 0: the wallet then has a little more than it should (chains.md xrpvm 10). What an issuer takes of a sweep is
 * taken of what lay at the address.
 */
const currencyFeeOf = (transaction: LedgerTransaction, role: PayingRole): bigint => {
  const delivered = deliveredOf(transaction)
  if (delivered === null || isNative(delivered.currency) || role === 'deposits') return 0n
  const { Account, Destination = '' } = transaction.signed
  const gain = gainOf(transaction, { address: role === 'solver' ? Account : Destination, currency: delivered.currency })
  if (gain === null) return 0n
  return role === 'solver' ? -gain - delivered.amount : (takenAtMost(transaction)?.amount ?? delivered.amount) - gain
}

/** What arrived at a recipient: nothing where it went to another one, to another tag, or in another currency (faults.md F24, F123). */
const paidOf = (transaction: LedgerTransaction, payout: Payout | undefined): bigint | null => {
  if (!isSuccess(transaction) || transaction.signed.TransactionType !== 'Payment') return 0n
  const delivered = deliveredOf(transaction)
  if (delivered === null) return null
  if (payout === undefined) return delivered.amount
  const recipient = recipientOf(transaction)
  const isRecipient = recipient !== null && destinationText(recipient) === destinationText(payout.to)
  return isRecipient && delivered.currency === payout.money.currency ? delivered.amount : 0n
}

/** Sweeps say no more than their order, as any deposit does: nothing else leaves their account. */
const memoOf = ({ signed }: LedgerTransaction, role: PayingRole): string | null => {
  const memo = signed.TransactionType === 'Payment' ? onlyMemo(signed.Memos) : null
  const orderId = memo === null || role !== 'deposits' ? null : orderIdOf(memo)
  return orderId === null ? memo : paymentMemo({ orderId, purpose: 'sweep' })
}

/** What a payment was about: of a withdrawal what it took out of the depository, of any other what it brought. */
const moneyOf = (transaction: LedgerTransaction, role: PayingRole) =>
  role === 'depository' ? takenAtMost(transaction) : statedOf(transaction)

/** A transaction of one of the lane's accounts as the lane knows it; `payout` where it is known what it was to pay. */
export const sentOf = (transaction: LedgerTransaction, role: PayingRole, payout?: Payout): SentTransaction => {
  const { hash, signed, validated } = transaction
  const recipient = recipientOf(transaction)
  const money = signed.TransactionType === 'Payment' ? moneyOf(transaction, role) : null
  const currencyFee = currencyFeeOf(transaction, role)
  const hasFailed = validated !== null && !isSuccess(transaction)
  return {
    tx: { id: hash },
    sequence: numberOf(transaction),
    ...(signed.TicketSequence === undefined ? {} : { aside: true }),
    until: BigInt(signed.LastLedgerSequence ?? NO_LAST_LEDGER),
    memo: memoOf(transaction, role),
    to: recipient === null ? '' : destinationText(recipient),
    money: money ?? { currency: NATIVE, amount: 0n },
    block: validated?.block ?? null,
    revert: hasFailed ? resultText(validated.meta.TransactionResult) : null,
    fee: validated === null ? 0n : BigInt(signed.Fee),
    ...(currencyFee === 0n ? {} : { currencyFee }),
    paid: paidOf(transaction, payout),
    txData: txDataOf(transaction),
  }
}
