import { destinationText } from '@causeway/core'
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
const NOTHING = { currency: NATIVE, amount: 0n }

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

/** Sweeps say no more than their order, as any deposit does: nothing else leaves their account. */
const memoOf = ({ signed }: LedgerTransaction, role: PayingRole): string | null => {
  const memo = signed.TransactionType === 'Payment' ? onlyMemo(signed.Memos) : null
  const orderId = memo === null || role !== 'deposits' ? null : orderIdOf(memo)
  return orderId === null ? memo : paymentMemo({ orderId, purpose: 'sweep' })
}

/** What a payment was about: of a withdrawal what it took out of the depository, of any other what it brought. */
const moneyOf = (transaction: LedgerTransaction, role: PayingRole) =>
  role === 'depository' ? takenAtMost(transaction) : statedOf(transaction)

/** A transaction of one of the lane's accounts as the lane knows it. */
export const sentOf = (transaction: LedgerTransaction, role: PayingRole): SentTransaction => {
  const { hash, signed, validated } = transaction
  const recipient = recipientOf(transaction)
  const isPayment = signed.TransactionType === 'Payment'
  const currencyFee = currencyFeeOf(transaction, role)
  return {
    tx: { id: hash },
    sequence: numberOf(transaction),
    ...(signed.TicketSequence === undefined ? {} : { aside: true }),
    until: BigInt(signed.LastLedgerSequence ?? NO_LAST_LEDGER),
    memo: memoOf(transaction, role),
    to: recipient === null ? '' : destinationText(recipient),
    money: (isPayment ? moneyOf(transaction, role) : null) ?? NOTHING,
    arrived: isPayment ? deliveredOf(transaction) : NOTHING,
    block: validated?.block ?? null,
    revert: validated === null || isSuccess(transaction) ? null : resultText(validated.meta.TransactionResult),
    fee: validated === null ? 0n : BigInt(signed.Fee),
    ...(currencyFee === 0n ? {} : { currencyFee }),
    txData: txDataOf(transaction),
  }
}
