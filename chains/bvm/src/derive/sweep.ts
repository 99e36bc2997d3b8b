import { type Hex, ServiceError } from '@causeway/core'
import type { Coin } from '../coins/coin.js'
import { dustLimit } from '../coins/dust.js'
import { type FeeRate, feeOf } from '../coins/feeRate.js'
import { creditedOrderScript, orderScript } from '../orderText/orderText.js'
import { type PayoutTransaction, payoutSize } from '../payout/payoutTransaction.js'

export interface SweepTerms {
  /** Output script of the depository. */
  readonly to: Uint8Array
  readonly orderId: Hex
  /**
   * Address that the deposit is credited to; null: whoever the first input belongs to. Needs nodes that pass on more than 80
   * bytes of data.
   */
  readonly depositor: string | null
  readonly rate: FeeRate
}

/**
 * Moves all coins of a deposit address to the depository, with the order id (chains.md bvm 8). The network's fee comes out of
 * them: the address holds nothing else.
 * @throws ServiceError AMOUNT_TOO_LOW when nothing worth sending would arrive
 */
export const buildSweep = ({ to, orderId, depositor, rate }: SweepTerms, coins: readonly Coin[]): PayoutTransaction => {
  const text = depositor === null ? orderScript(orderId) : creditedOrderScript(orderId, depositor)
  const outputsOf = (value: bigint) => [
    { script: to, value },
    { script: text, value: 0n },
  ]
  const held = coins.reduce((sum, { value }) => sum + value, 0n)
  const value = held - feeOf(payoutSize({ inputs: coins, outputs: outputsOf(0n) }), rate)
  if (value < dustLimit(to)) {
    throw new ServiceError('AMOUNT_TOO_LOW', 'Nothing would be left of what the deposit address holds.')
  }
  return { inputs: coins, outputs: outputsOf(value), changeAt: null }
}
