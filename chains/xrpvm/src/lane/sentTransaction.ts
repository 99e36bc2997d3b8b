import { destinationText } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { readPaymentMemo, type SentTransaction } from '@causeway/core/chain-kit'
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
const currencyFeeOf = (transaction: LedgerTransaction, role: SenderRole): bigint => {
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

const statusOf = (transaction: LedgerTransaction): SentTransaction['status'] => {
  if (transaction.validated === null) return 'pending'
  return isSuccess(transaction) ? 'success' : 'reverted'
}

/**
 * Whose number a transaction took: the lane's own account pays its fee from the wallet, the depository and the account of deposit addresses
 * out of what the operator left there.
 */
export type SenderRole = 'solver' | 'depository' | 'deposits'

/** What a payment says that it is. Sweeps say no more than their order, as any deposit does: nothing else leaves their account. */
const claimOf = (memo: string | null, role: SenderRole): Pick<SentTransaction, 'orderId' | 'purpose'> => {
  const { orderId, purpose } = memo === null ? { orderId: null, purpose: null } : readPaymentMemo(memo)
  return { orderId, purpose: orderId !== null && role === 'deposits' ? 'sweep' : purpose }
}

/** What a payment was about: of a withdrawal what it took out of the depository, of any other what it brought. */
const moneyOf = (transaction: LedgerTransaction, role: SenderRole) =>
  role === 'depository' ? takenAtMost(transaction) : statedOf(transaction)

/** A transaction of one of the lane's accounts as the lane knows it; `payout` where it is known what it was to pay. */
export const sentOf = (transaction: LedgerTransaction, role: SenderRole, payout?: Payout): SentTransaction => {
  const { hash, signed, validated } = transaction
  const isPayment = signed.TransactionType === 'Payment'
  const memo = isPayment ? onlyMemo(signed.Memos) : null
  const recipient = recipientOf(transaction)
  const status = statusOf(transaction)
  const currencyFee = currencyFeeOf(transaction, role)
  return {
    tx: { id: hash },
    sequence: numberOf(transaction),
    until: BigInt(signed.LastLedgerSequence ?? NO_LAST_LEDGER),
    ...claimOf(memo, role),
    to: recipient === null ? '' : destinationText(recipient),
    money: (isPayment ? moneyOf(transaction, role) : null) ?? { currency: NATIVE, amount: 0n },
    status,
    block: validated?.block ?? null,
    fee: validated === null ? 0n : BigInt(signed.Fee),
    ...(role === 'solver' ? {} : { feeFrom: 'capital' as const }),
    ...(currencyFee === 0n ? {} : { currencyFee }),
    paid: paidOf(transaction, payout),
    revert: status === 'reverted' ? resultText(validated?.meta.TransactionResult ?? '') : null,
    txData: txDataOf(transaction),
  }
}
