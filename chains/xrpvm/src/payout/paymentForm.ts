import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { paymentMemo } from '@causeway/core/chain-kit'
import { amountJson, type LedgerAmount, payableAmount } from '../address/amounts.js'
import { type MemoJson, memosOf } from '../deposit/memos.js'
import { TRANSFER_RATE_UNIT } from '../rpc/accountState.js'
import { spentFor } from './transferRates.js'

/** Fields of a payment that do not depend on its number, its fee and its last ledger. */
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
 * The amount that arrives and the amount that leaves the payer, which differ by the issuer's part. A withdrawal takes just its amount, since
 * the depository has no more of the deposit (chains.md xrpvm 3); any other payment brings its amount.
 */
export const movedBy = (
  { purpose, to, money: { currency, amount } }: Pick<Payout, 'purpose' | 'to' | 'money'>,
  { account, rate }: PayerTerms,
): { readonly brings: bigint; readonly takes: bigint } => {
  const takes = spentFor({ from: account, to: to.address, currency, amount }, rate)
  if (takes === amount || purpose !== 'withdraw') return { brings: amount, takes }
  return { brings: payableAmount(currency, (amount * TRANSFER_RATE_UNIT) / rate), takes: amount }
}

/** The account that pays, and the transfer rate of the currency's issuer. */
export interface PayerTerms {
  readonly account: string
  readonly rate: bigint
}

/**
 * A payment of ours (chains.md xrpvm 5): the whole amount or nothing, with one memo that says whose order it is. `account` pays it, `rate`
 * is what the currency's issuer takes.
 * @throws ServiceError for what can never be paid so: an amount that a payment cannot carry to the last digit, calls, a swap
 */
export const paymentForm = (payout: Payout, terms: PayerTerms): PaymentForm => {
  const { to, money, calls, swap, topup = 0n } = payout
  if (calls.length > 0 || swap !== undefined || topup > 0n) {
    throw new ServiceError('INVALID_REQUEST', 'A payment on the XRP Ledger carries no calls, no swap and no top-up.')
  }
  const { currency, amount } = money
  const { brings, takes } = movedBy(payout, terms)
  if (brings === 0n || payableAmount(currency, amount) !== amount) {
    throw new ServiceError('INVALID_REQUEST', 'The XRP Ledger cannot pay just this amount: it has too many digits.')
  }
  return {
    TransactionType: 'Payment',
    Account: terms.account,
    Destination: to.address,
    ...(to.tag === undefined ? {} : { DestinationTag: to.tag }),
    Amount: amountJson(currency, brings),
    ...(takes === brings ? {} : { SendMax: amountJson(currency, takes) }),
    Memos: memosOf(paymentMemo(payout)),
  }
}
