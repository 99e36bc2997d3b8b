import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { paymentMemo } from '@causeway/core/chain-kit'
import { amountJson, type LedgerAmount, payableAbove, payableAmount } from '../currency/amounts.js'
import { isNative } from '../currency/currencies.js'
import { takenOf } from '../fees/transferRates.js'
import { type MemoJson, memosOf } from '../memo/memos.js'

/** What of a payment does not depend on its number, its fee and its last ledger. */
export interface PaymentForm {
  readonly TransactionType: 'Payment'
  readonly Account: string
  readonly Destination: string
  readonly DestinationTag?: number
  readonly SourceTag?: number
  readonly Amount: LedgerAmount
  /** Most that it takes of its account, where an issuer takes a part of it. */
  readonly SendMax?: LedgerAmount
  readonly Memos: readonly [MemoJson]
}

/**
 * A payment of ours (chains.md xrpvm 5): the whole amount or nothing, with one memo that says whose order it is. `account` pays it, `rate`
 * is what the currency's issuer takes.
 * @throws ServiceError for what can never be paid so: an amount that a payment cannot carry to the last digit, calls, a swap
 */
export const paymentForm = (
  payout: Payout,
  { account, rate }: { readonly account: string; readonly rate: bigint },
): PaymentForm => {
  const { to, money, calls, swap, topup = 0n } = payout
  if (calls.length > 0 || swap !== undefined || topup > 0n) {
    throw new ServiceError('INVALID_REQUEST', 'A payment on the XRP Ledger carries no calls, no swap and no top-up.')
  }
  const { currency, amount } = money
  if (amount === 0n || payableAmount(currency, amount) !== amount) {
    throw new ServiceError('INVALID_REQUEST', 'The XRP Ledger cannot pay just this amount: it has too many digits.')
  }
  const taken = takenOf({ from: account, to: to.address, currency, amount }, rate)
  return {
    TransactionType: 'Payment',
    Account: account,
    Destination: to.address,
    ...(to.tag === undefined ? {} : { DestinationTag: to.tag }),
    Amount: amountJson(currency, amount),
    ...(isNative(currency) || taken === amount ? {} : { SendMax: amountJson(currency, payableAbove(currency, taken)) }),
    Memos: memosOf(paymentMemo(payout)),
  }
}
