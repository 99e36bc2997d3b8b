import { type Hex, ServiceError } from '@causeway/core'
import type { Coin } from '../coins/coin.js'
import { leastDeposit } from '../coins/dust.js'
import { type FeeRate, feeOf } from '../coins/feeRate.js'
import { inputWeight, MAX_INPUTS, virtualSize } from '../coins/sizes.js'
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
 * Moves the coins of a deposit address to the depository, with the order id (chains.md bvm 8): the largest ones first, as many as
 * fit into one transaction, so that what is left takes another one; coins that cost more than they bring stay. The network's
 * fee comes out of them: the address holds nothing else.
 * @throws ServiceError AMOUNT_TOO_LOW when nothing worth sending would arrive
 */
export const buildSweep = ({ to, orderId, depositor, rate }: SweepTerms, coins: readonly Coin[]): PayoutTransaction => {
  const text = depositor === null ? orderScript(orderId) : creditedOrderScript(orderId, depositor)
  const outputsOf = (value: bigint) => [
    { script: to, value },
    { script: text, value: 0n },
  ]
  const inputs = worthMoving(coins, rate)
  const held = inputs.reduce((sum, { value }) => sum + value, 0n)
  const value = held - feeOf(payoutSize({ inputs, outputs: outputsOf(0n) }), rate)
  if (value < leastDeposit(to)) {
    throw new ServiceError('AMOUNT_TOO_LOW', 'Nothing would be left of what the deposit address holds.')
  }
  return { inputs, outputs: outputsOf(value), changeAt: null }
}

const worthMoving = (coins: readonly Coin[], rate: FeeRate): readonly Coin[] => {
  const cost = feeOf(virtualSize(inputWeight('p2wpkh')), rate)
  return coins
    .filter(({ value }) => value > cost)
    .sort((left, right) => (left.value > right.value ? -1 : left.value < right.value ? 1 : 0))
    .slice(0, MAX_INPUTS)
}
