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
 * The issuer's part of a payment, taken from the wallet beyond the amount, or from the amount on its way into the wallet. Below 0 where the
 * ledger's rounding to 16 digits left the wallet more (chains.md xrpvm 10). Of a sweep it is part of the address's balance.
 */
const currencyFeeOf = (transaction: LedgerTransaction, role: PayingRole): bigint => {
  const delivered = deliveredOf(transaction)
  if (delivered === null || isNative(delivered.currency) || role === 'deposits') return 0n
  const { Account, Destination = '' } = transaction.signed
  const gain = gainOf(transaction, { address: role === 'solver' ? Account : Destination, currency: delivered.currency })
  if (gain === null) return 0n
  return role === 'solver' ? -gain - delivered.amount : (takenAtMost(transaction)?.amount ?? delivered.amount) - gain
}

/** The memo of a sweep is its order alone, as for any deposit; the account of deposit addresses sends only sweeps. */
const memoOf = ({ signed }: LedgerTransaction, role: PayingRole): string | null => {
  const memo = signed.TransactionType === 'Payment' ? onlyMemo(signed.Memos) : null
  const orderId = memo === null || role !== 'deposits' ? null : orderIdOf(memo)
  return orderId === null ? memo : paymentMemo({ orderId, purpose: 'sweep' })
}

/** The amount of a payment: of a withdrawal the amount that left the depository, of any other the amount that was to arrive. */
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
