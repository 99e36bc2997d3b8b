import type { Clock } from '@causeway/core'
import { keccak256, toFunctionSelector } from 'viem/utils'
import { create2Address } from '../../address/create2.js'
import { encodeBalanceOf, staticCall, words } from '../../payout/contracts/staticCall.js'
import { after, type ReadPlan, together } from '../readPlan.js'
import type { UniswapV3Settings } from '../swapSettings.js'
import type { PoolPrice, Ratio } from '../swapSource.js'
import { wordsOf } from './answerWords.js'
import { PoolDirectory } from './poolDirectory.js'

const SLOT0 = toFunctionSelector('slot0()')
const LIQUIDITY = toFunctionSelector('liquidity()')
const encodeGetPool = staticCall('getPool(address,address,uint24)')

/** Prices of pools are square roots with 96 binary places. */
const PRICE_SCALE = 2n ** 192n
/** A pool with less than this part of the deepest one's liquidity is left alone. */
const SHALLOW = 1_000_000n

interface PoolState {
  /** Of the lower token in the higher one. */
  readonly sqrtPrice: bigint
  readonly liquidity: bigint
  /** What it holds of both tokens, in the order asked for; zero when nobody asked. */
  readonly held: readonly [bigint, bigint]
}

/** The pools of Uniswap V3, or of an exchange built like it: where they are, their prices and how deep they are. */
export class UniswapV3Pools {
  readonly #settings: UniswapV3Settings
  readonly #directory: PoolDirectory

  constructor(deps: { readonly settings: UniswapV3Settings; readonly clock: Clock }) {
    this.#settings = deps.settings
    this.#directory = new PoolDirectory(deps.clock)
  }

  /** Tiers that may have a pool of two tokens worth asking, the deepest first; those not known yet count as deep. */
  tiers(left: string, right: string): readonly number[] {
    const pools = this.#settings.fees
      .map((fee) => ({ fee, liquidity: this.#directory.liquidity(keyOf(left, right, fee)) }))
      .filter(({ liquidity }) => liquidity !== 0n)
    const deepest = pools.reduce(
      (most, { liquidity }) => (liquidity !== null && liquidity > most ? liquidity : most),
      0n,
    )
    return pools
      .map(({ fee, liquidity }) => ({ fee, liquidity: liquidity ?? deepest }))
      .filter(({ liquidity }) => liquidity * SHALLOW >= deepest)
      .sort((a, b) => (a.liquidity > b.liquidity ? -1 : a.liquidity < b.liquidity ? 1 : 0))
      .map(({ fee }) => fee)
  }

  /** Whether every tier of two tokens has been looked at. */
  known(left: string, right: string): boolean {
    return this.#unknown(left, right).length === 0
  }

  /** Looks at the tiers that nobody has looked at, so that the next request knows which are worth asking. */
  scout(left: string, right: string): ReadPlan<unknown> {
    return together(this.#unknown(left, right).map((fee) => this.#read(left, right, fee, stateAt)))
  }

  /** Rate of the pool in the direction given; null where there is no pool or nothing in its price range. */
  rate(from: string, to: string, fee: number): ReadPlan<Ratio | null> {
    return after(this.#read(from, to, fee, stateAt), (state) => state && rateOf(state, from < to))
  }

  /** Every pool of two tokens, with the money in it: liquidity alone is cheap to fake. */
  prices(first: string, second: string): ReadPlan<readonly PoolPrice[]> {
    const content = (address: string) => stateAndMoneyAt(address, first, second)
    const pools = this.tiers(first, second).map((fee) => this.#read(first, second, fee, content))
    return after(together(pools), (states) =>
      states
        .filter((state) => state !== null)
        .map((state) => ({ rate: rateOf(state, first < second), held: state.held })),
    )
  }

  #unknown(left: string, right: string): readonly number[] {
    return this.#settings.fees.filter((fee) => this.#directory.liquidity(keyOf(left, right, fee)) === null)
  }

  #read(
    from: string,
    to: string,
    fee: number,
    content: (address: string) => ReadPlan<PoolState | null>,
  ): ReadPlan<PoolState | null> {
    const { factory, deployer, initCodeHash } = this.#settings
    const [low, high] = from < to ? [from, to] : [to, from]
    return this.#directory.read<PoolState>({
      key: keyOf(low, high, fee),
      lookup: { to: factory, data: encodeGetPool(low, high, BigInt(fee)) },
      derive: () => create2Address(deployer, keccak256(words(low, high, BigInt(fee))), initCodeHash),
      content,
      liquidityOf: ({ liquidity }) => liquidity,
    })
  }
}

const keyOf = (left: string, right: string, fee: number): string =>
  left < right ? `${left}${right}${fee}` : `${right}${left}${fee}`

const stateAt = (address: string): ReadPlan<PoolState | null> => ({
  reads: [
    { to: address, data: SLOT0 },
    { to: address, data: LIQUIDITY },
  ],
  finish: ([slot0, liquidity]) => {
    const [sqrtPrice] = wordsOf(slot0)
    const [inRange] = wordsOf(liquidity)
    if (sqrtPrice === undefined || inRange === undefined) return null
    return { sqrtPrice, liquidity: sqrtPrice === 0n ? 0n : inRange, held: [0n, 0n] }
  },
})

const stateAndMoneyAt = (address: string, first: string, second: string): ReadPlan<PoolState | null> => {
  const state = stateAt(address)
  const money = [first, second].map((token) => ({ to: token, data: encodeBalanceOf(address) }))
  return {
    reads: [...money, ...state.reads],
    finish: ([left, right, ...rest]) => {
      const found = state.finish(rest)
      return found && { ...found, held: [wordsOf(left)[0] ?? 0n, wordsOf(right)[0] ?? 0n] }
    },
  }
}

const rateOf = ({ sqrtPrice }: PoolState, upwards: boolean): Ratio => {
  const squared = sqrtPrice * sqrtPrice
  return upwards ? { numerator: squared, denominator: PRICE_SCALE } : { numerator: PRICE_SCALE, denominator: squared }
}
