import { type Hex, ServiceError } from '@causeway/core'
import { orderScript } from '../deposit/orderText.js'
import type { Coin } from './coins/coin.js'
import { dustLimit } from './coins/dust.js'
import { type FeeRate, feeOf } from './coins/feeRate.js'
import { MAX_INPUTS } from './coins/sizes.js'
import { type PayoutTransaction, payoutSize } from './payoutTransaction.js'

export interface WithdrawalTerms {
  /** Satoshis that leave the depository. */
  readonly amount: bigint
  readonly orderId: Hex
  /** Output scripts of the depository and of the solver. */
  readonly depository: Uint8Array
  readonly from: Uint8Array
  readonly rate: FeeRate
  readonly highestRate: FeeRate
}

/**
 * Takes deposits, settled ones, out of the depository: just the amount goes to the solver, the rest of the coins back to the
 * depository. The solver pays the fee out of a coin of its own, so that the depository's books need no fees.
 * @throws ServiceError INSUFFICIENT_FUNDS
 */
export const buildWithdrawal = (
  terms: WithdrawalTerms,
  { coins, deposits }: { readonly coins: readonly Coin[]; readonly deposits: readonly Coin[] },
): PayoutTransaction => {
  const { amount, orderId, depository, from, rate, highestRate } = terms
  const taken = takeDeposits(deposits, amount, dustLimit(depository))
  if (taken === 'too many') throw missing('So many coins of the depository do not fit into one transaction.')
  if (taken === null) throw missing('The depository does not hold settled coins of this amount.')
  const rest = sumOf(taken) - amount
  const outputs = [
    { script: from, value: amount },
    { script: orderScript(orderId), value: 0n },
    ...(rest > 0n ? [{ script: depository, value: rest }] : []),
  ]
  const rising = [...coins].sort(byValue)
  for (const wanted of [highestRate, rate]) {
    for (const coin of rising) {
      const draft = { inputs: [...taken, coin], outputs: [...outputs, { script: from, value: 0n }] }
      const size = payoutSize(draft)
      // Enough for the highest rate, where a coin is, so that the fee can be raised later.
      if (coin.value - feeOf(size, wanted) < dustLimit(from)) continue
      const value = coin.value - feeOf(size, rate)
      return { inputs: draft.inputs, outputs: [...outputs, { script: from, value }], changeAt: outputs.length }
    }
  }
  throw missing('The solver has no coin in blocks that pays the network fee of a withdrawal.')
}

/**
 * One coin of just the amount, else the largest ones until what is left over is nothing or more than dust. Nodes pass on no
 * transaction with more of them than fit.
 */
const takeDeposits = (deposits: readonly Coin[], amount: bigint, dust: bigint): readonly Coin[] | 'too many' | null => {
  const exact = deposits.find(({ value }) => value === amount)
  if (exact !== undefined) return [exact]
  const taken: Coin[] = []
  let rest = -amount
  for (const coin of [...deposits].sort(byValue).reverse()) {
    // One is the solver's own.
    if (taken.length + 1 >= MAX_INPUTS) return 'too many'
    taken.push(coin)
    rest += coin.value
    if (rest === 0n || rest >= dust) return taken
  }
  return null
}

const byValue = (left: Coin, right: Coin): number => {
  if (left.value !== right.value) return left.value < right.value ? -1 : 1
  return left.txId === right.txId ? left.index - right.index : left.txId < right.txId ? -1 : 1
}

const sumOf = (coins: readonly Coin[]): bigint => coins.reduce((sum, { value }) => sum + value, 0n)

const missing = (message: string): ServiceError => new ServiceError('INSUFFICIENT_FUNDS', message)
