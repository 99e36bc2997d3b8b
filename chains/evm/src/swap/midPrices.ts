import { smaller } from '@causeway/core'
import { ZERO_ADDRESS } from '../address/addresses.js'
import type { ChainReader } from './chainReader.js'
import { after, type ReadPlan, settled, together } from './readPlan.js'
import type { SwapSettings } from './swapSettings.js'
import { atRate, chained, type PoolPrice, type PoolSource, type Ratio } from './swapSource.js'

const SCALE = 10n ** 18n

export interface MidPricesDeps {
  readonly settings: SwapSettings
  readonly pools: readonly PoolSource[]
  readonly reader: ChainReader
}

interface PricePair {
  readonly from: string
  readonly to: string
  readonly unit: bigint
}

/** A rate and how much of the first token stands behind it. */
interface Backed {
  readonly rate: Ratio
  readonly depth: bigint
}

/** Prices told by pools: of the deepest one, direct or over one connector. */
export class MidPrices {
  readonly #deps: MidPricesDeps

  constructor(deps: MidPricesDeps) {
    this.#deps = deps
  }

  /** See `SwapCapability.midPrices`. One round trip. */
  read(pairs: readonly PricePair[]): Promise<readonly (bigint | null)[]> {
    return this.#deps.reader.run(together(pairs.map((pair) => this.#plan(pair))))
  }

  #plan({ from, to, unit }: PricePair): ReadPlan<bigint | null> {
    const { wrappedNative, connectors } = this.#deps.settings
    const [first = '', last = ''] = [from, to].map((currency) => (currency === ZERO_ADDRESS ? wrappedNative : currency))
    if (first === last) return settled(unit * SCALE)
    const between = connectors.filter((token) => token !== first && token !== last)
    const ways = [this.#deepest(first, last), ...between.map((token) => this.#over(first, token, last))]
    return after(together(ways), (found) => {
      const best = deepestOf(found.filter((way) => way !== null))
      return best && atRate(unit * SCALE, best.rate)
    })
  }

  #over(first: string, between: string, last: string): ReadPlan<Backed | null> {
    const legs = together([this.#deepest(first, between), this.#deepest(between, last)])
    return after(legs, ([left, right]) => {
      if (!left || !right) return null
      const rightDepth = atRate(right.depth, turned(left.rate))
      return { rate: chained(left.rate, right.rate), depth: smaller(left.depth, rightDepth) }
    })
  }

  #deepest(first: string, second: string): ReadPlan<Backed | null> {
    const prices = together(this.#deps.pools.map((source) => source.prices(first, second)))
    return after(prices, (found) => {
      const believed = found.flat().filter(({ held }) => this.#isDeep(first, held[0]) && this.#isDeep(second, held[1]))
      return deepestOf(believed.map(backed).filter(({ depth }) => depth > 0n))
    })
  }

  #isDeep(token: string, held: bigint): boolean {
    return held >= (this.#deps.settings.priceDepths.get(token) ?? 0n)
  }
}

/** The poorer side counts: money on one side alone proves no price. */
const backed = ({ rate, held: [first, second] }: PoolPrice): Backed => {
  const other = rate.numerator === 0n ? 0n : atRate(second, turned(rate))
  return { rate, depth: smaller(first, other) }
}

const turned = ({ numerator, denominator }: Ratio): Ratio => ({ numerator: denominator, denominator: numerator })

const deepestOf = (ways: readonly Backed[]): Backed | null =>
  ways.reduce<Backed | null>((best, way) => (best === null || way.depth > best.depth ? way : best), null)
