import { type Hex, ServiceError } from '@causeway/core'
import { orderScript } from '../deposit/orderText.js'
import type { Coin } from './coins/coin.js'
import { dustLimit } from './coins/dust.js'
import { type FeeRate, feeOf } from './coins/feeRate.js'
import { isSelection, selectCoins } from './coins/selectCoins.js'
import type { PayoutTransaction } from './payoutTransaction.js'

/** What one recipient gets, and for which order. */
export interface Payment {
  /** Output script of the recipient. */
  readonly to: Uint8Array
  /** Satoshis. */
  readonly amount: bigint
  readonly orderId: Hex
}

export interface PayoutTerms {
  /** To different recipients, or it could not be told which of them was paid. */
  readonly payments: readonly Payment[]
  /** Output script of whoever pays, for the change. */
  readonly from: Uint8Array
  readonly rate: FeeRate
  /** The rate up to which a version may be raised later; change is kept for that where the coins allow it. */
  readonly highestRate: FeeRate
}

/** About what a payout with a few inputs takes, to measure the change that raising its fee needs. */
const USUAL_SIZE = 400n

/**
 * Fills or refunds: each recipient's output with the order id behind it, at the end the change (chains.md bvm 5).
 * @throws ServiceError AMOUNT_TOO_LOW when nodes would not pass it on, INSUFFICIENT_FUNDS with figures
 */
export const buildPayout = (terms: PayoutTerms, coins: readonly Coin[]): PayoutTransaction => {
  const { payments, from, rate, highestRate } = terms
  const small = payments.find(({ to, amount }) => amount < dustLimit(to))
  if (small !== undefined) {
    throw new ServiceError(
      'AMOUNT_TOO_LOW',
      `A payment of ${small.amount} satoshis is too small: no node passes on less than ${dustLimit(small.to)} to this address.`,
    )
  }
  const outputs = payments.flatMap(({ to, amount, orderId }) => [
    { script: to, value: amount },
    { script: orderScript(orderId), value: 0n },
  ])
  const raise = highestRate > rate ? feeOf(USUAL_SIZE, highestRate - rate) : 0n
  const result = selectCoins({ coins, outputs, change: from, rate, reserve: dustLimit(from) + raise })
  if (!isSelection(result)) {
    throw new ServiceError('INSUFFICIENT_FUNDS', 'The coins of the payer are not enough for this payment.', {
      data: { errorData: { available: `${result.available}`, required: `${result.needed}` } },
    })
  }
  if (result.change === 0n) return { inputs: result.coins, outputs, changeAt: null }
  return {
    inputs: result.coins,
    outputs: [...outputs, { script: from, value: result.change }],
    changeAt: outputs.length,
  }
}
