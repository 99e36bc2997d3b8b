import { paymentMemo, type SentTransaction } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { purposeOf } from '../payout/paymentForm.js'
import { type LedgerTransaction, lastSecondOf, txDataOf } from '../read/transactions.js'
import { failureText } from './sendResults.js'

const NOTHING = { currency: NATIVE, amount: 0n }

/** A transaction of one of the lane's accounts as the lane knows it. */
export const sentOf = (transaction: LedgerTransaction): SentTransaction => {
  const { hash, account, nonce, expiredAt, status, code, block, transfer } = transaction
  const money =
    transfer === null ? NOTHING : { currency: transfer.currency ?? String(transfer.asset), amount: transfer.amount }
  const hasPaid = status === 'success' && transfer !== null
  return {
    tx: { id: hash },
    sequence: nonce,
    until: lastSecondOf(expiredAt),
    memo: memoOf(transaction),
    to: transfer?.to ?? '',
    money,
    arrived: hasPaid ? money : NOTHING,
    block,
    revert: block !== null && status === 'failure' ? failureText(code) : null,
    // The exchange takes the fee with the money: a transfer that failed costs nothing.
    fee: hasPaid ? transfer.fee : 0n,
    txData: transfer === null ? { from: account, to: '', data: '', value: '0' } : txDataOf(transfer, money),
  }
}

const memoOf = ({ transfer, expiredAt }: LedgerTransaction): string | null => {
  const orderId = transfer?.orderId ?? null
  return orderId === null ? null : paymentMemo({ orderId, purpose: purposeOf(expiredAt) })
}
