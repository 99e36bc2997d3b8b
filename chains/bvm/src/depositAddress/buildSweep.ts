import { type Hex, ServiceError } from '@causeway/core'
import { creditedOrderScript, orderScript } from '../deposit/orderText.js'
import type { Coin } from '../payout/coins/coin.js'
import { dustLimit, leastDeposit } from '../payout/coins/dust.js'
import { type FeeRate, feeOf } from '../payout/coins/feeRate.js'
import { inputWeight, MAX_INPUTS, MAX_WEIGHT, virtualSize } from '../payout/coins/sizes.js'
import { type PayoutTransaction, payoutSize } from '../payout/payoutTransaction.js'

/** What lies at one deposit address. */
export interface SweptAddress {
  readonly orderId: Hex
  /** Of its path; with the seed it gives the key. */
  readonly salt: Hex
  readonly script: Uint8Array
  /** Whom the text of the sweep names as depositor; null: the first input says it. */
  readonly depositor: string | null
  /** In blocks, and free. */
  readonly coins: readonly Coin[]
}

export interface SweepTerms {
  /** Different addresses. */
  readonly addresses: readonly SweptAddress[]
  readonly depository: Uint8Array
  /** Output script of the lane, whose coins pay the fee and which gets the change. */
  readonly from: Uint8Array
  readonly rate: FeeRate
  /** The rate up to which a version may be raised later; change is kept for that where a coin allows it. */
  readonly highestRate: FeeRate
}

/** Inputs that are left for coins of the lane. */
const FEE_INPUTS = 8
/** Coins of one address that cost more than they bring, taken along while others pay for them: strangers can send thousands. */
const MAX_DUST = 20

/**
 * Takes what lies at deposit addresses to the depository: for each one output of just the sum of its coins with its order id behind it, at the
 * end the lane's change (chains.md bvm 8). Coins of an address stand together, in the order of the outputs; those of the lane, which pay the
 * fee, at the end. What does not fit is left for another sweep.
 * @throws ServiceError INVALID_REQUEST where an address holds nothing worth taking, INSUFFICIENT_FUNDS where the lane cannot pay the fee
 */
export const buildSweep = (terms: SweepTerms, laneCoins: readonly Coin[]): PayoutTransaction => {
  const { addresses, depository, from } = terms
  const taken = addresses.map(({ coins }) => takeCoins(coins, terms))
  const inputs = taken.flat()
  if (addresses.length > 1 && inputs.length > MAX_INPUTS - FEE_INPUTS)
    throw new ServiceError('INVALID_REQUEST', 'So many coins of deposit addresses do not fit into one transaction.')
  const outputs = addresses.flatMap(({ orderId, depositor }, at) => [
    { script: depository, value: sumOf(taken[at] ?? []) },
    { script: depositor === null ? orderScript(orderId) : creditedOrderScript(orderId, depositor), value: 0n },
  ])
  const sweeps = addresses.map(({ orderId, salt, script }) => ({ orderId, salt, script }))
  const draft = (fees: readonly Coin[], change: bigint): PayoutTransaction => ({
    inputs: [...inputs, ...fees],
    outputs: [...outputs, { script: from, value: change }],
    changeAt: outputs.length,
    sweeps,
  })
  const restOf = (fees: readonly Coin[], rate: FeeRate) => sumOf(fees) - feeOf(payoutSize(draft(fees, 0n)), rate)
  const fees = feeCoins(laneCoins, terms, restOf)
  const swept = draft(fees, restOf(fees, terms.rate))
  if (4n * payoutSize(swept) > BigInt(MAX_WEIGHT))
    throw new ServiceError('INVALID_REQUEST', 'So many deposit addresses do not fit into one transaction.')
  return swept
}

/** The largest first, as many as fit; of those that cost more than they bring a few. */
const takeCoins = (coins: readonly Coin[], { rate, depository }: SweepTerms): readonly Coin[] => {
  const cost = feeOf(virtualSize(inputWeight('p2wpkh')), rate)
  const falling = [...coins].sort(byValue).reverse()
  const taken: Coin[] = []
  let [worth, dust] = [0n, 0]
  for (const coin of falling.slice(0, MAX_INPUTS - FEE_INPUTS)) {
    if (coin.value <= cost) {
      dust += 1
      if (dust > MAX_DUST || worth + coin.value <= cost) break
    }
    worth += coin.value - cost
    taken.push(coin)
  }
  if (taken.length > 0 && sumOf(taken) >= leastDeposit(depository)) return taken
  const what = coins.length === 0 ? 'Nothing in blocks lies' : 'Nothing that is worth its own network fee lies'
  throw new ServiceError('INVALID_REQUEST', `${what} at the deposit address.`)
}

/** The smallest coin that pays, also at the highest rate where one does, so that the fee can be raised; else the largest ones together. */
const feeCoins = (
  coins: readonly Coin[],
  { from, rate, highestRate }: SweepTerms,
  restOf: (fees: readonly Coin[], rate: FeeRate) => bigint,
): readonly Coin[] => {
  const rising = [...coins].sort(byValue)
  const dust = dustLimit(from)
  for (const wanted of [highestRate, rate]) {
    const one = rising.find((coin) => restOf([coin], wanted) >= dust)
    if (one !== undefined) return [one]
  }
  const most = rising.slice(-FEE_INPUTS).reverse()
  const enough = most.findIndex((_, at) => restOf(most.slice(0, at + 1), rate) >= dust)
  if (enough >= 0) return most.slice(0, enough + 1)
  throw new ServiceError('INSUFFICIENT_FUNDS', 'The solver has no coins in blocks that pay the network fee of a sweep.')
}

const byValue = (left: Coin, right: Coin): number => {
  if (left.value !== right.value) return left.value < right.value ? -1 : 1
  return left.txId === right.txId ? left.index - right.index : left.txId < right.txId ? -1 : 1
}

const sumOf = (coins: readonly { readonly value: bigint }[]): bigint =>
  coins.reduce((sum, { value }) => sum + value, 0n)
