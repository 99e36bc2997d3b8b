import type { Chain, ChainRegistry } from '../../chain/chainRegistry.js'
import type { Clock } from '../../clock/clock.js'
import type { Currency, CurrencyRegistry } from '../currency/currency.js'
import { divide, powerOfTen } from '../rounding.js'
import { usablePrice } from './priceJson.js'
import type { Price, PriceAnswer, PricePace, PriceSource, Prices } from './priceSource.js'

export interface DexPriceSourceDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  /** Prices of the references, from other sources. */
  readonly prices: Prices
  /** Symbols of listed currencies, the most trusted first. */
  readonly references: readonly string[]
  readonly clock: Clock
  readonly pace: PricePace
}

interface Reference {
  readonly currency: Currency
  readonly price: Price
}

/** `midPrices` of a chain is scaled by it. */
const MID_DECIMALS = 18

/**
 * Prices of currencies that the solver does not hold, from the pools of their chain: the mid price against the first
 * reference that has a pool, times what that reference is worth.
 *
 * Pools can be pushed by whoever trades in them, so nothing the solver holds is ever priced by them: an unlisted currency is
 * swapped under a minimum of its own, and its price shows what things are worth but decides over no money of the solver.
 */
export class DexPriceSource implements PriceSource {
  readonly name = 'dex'
  readonly pace: PricePace
  readonly #deps: DexPriceSourceDeps

  constructor(deps: DexPriceSourceDeps) {
    this.pace = deps.pace
    this.#deps = deps
  }

  /** Throws ServiceError where no chain asked answers, or none of its references has a price. */
  async getPrices(currencies: readonly Currency[]): Promise<readonly PriceAnswer[]> {
    const byChain = new Map<Chain | null, Currency[]>()
    for (const currency of currencies) {
      const chain = this.#chainFor(currency)
      byChain.set(chain, [...(byChain.get(chain) ?? []), currency])
    }
    const answers = await Promise.allSettled([...byChain].map(([chain, ofChain]) => this.#ask(chain, ofChain)))
    const failure = answers.find((answer) => answer.status === 'rejected')
    if (failure !== undefined && answers.every(({ status }) => status === 'rejected')) throw failure.reason
    // One chain that fails takes nobody else's prices along.
    const found = new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
    return currencies.map((currency) => {
      const answer = found.get(currency)
      return answer === undefined ? 'unavailable' : answer
    })
  }

  #chainFor({ chainId, address, metadata }: Currency): Chain | null {
    if (metadata.isNative || this.#deps.currencies.find(chainId, address) !== undefined) return null
    const chain = this.#deps.chains.find(chainId)
    return chain?.adapter.swaps?.midPrices === undefined ? null : chain
  }

  async #ask(
    chain: Chain | null,
    currencies: readonly Currency[],
  ): Promise<readonly (readonly [Currency, PriceAnswer])[]> {
    const references = chain === null ? [] : await this.#referencesOf(chain)
    if (references.length === 0) return currencies.map((currency) => [currency, null])
    const pairs = currencies.flatMap(({ address, decimals }) =>
      references.map(({ currency }) => ({ from: address, to: currency.address, unit: powerOfTen(decimals) })),
    )
    const mids = (await chain?.adapter.swaps?.midPrices?.(pairs)) ?? []
    return currencies.map((currency, at) => {
      const own = mids.slice(at * references.length, (at + 1) * references.length)
      return [currency, this.#answerOf(references, own)]
    })
  }

  #answerOf(references: readonly Reference[], mids: readonly (bigint | null)[]): PriceAnswer {
    const at = mids.findIndex((mid) => mid !== null)
    const mid = mids[at]
    const reference = references[at]
    if (mid === undefined || mid === null || reference === undefined) return null
    const { currency, price } = reference
    const usd = divide(mid * price.usd, powerOfTen(MID_DECIMALS + currency.decimals), 'down')
    return { usd: usablePrice(usd), observedAt: Math.min(price.observedAt, this.#deps.clock.now()) }
  }

  /** A reference without a price now is passed over; when none has one, that is the failure. */
  async #referencesOf(chain: Chain): Promise<readonly Reference[]> {
    const listed = this.#deps.currencies.ofChain(chain.config.id)
    const currencies = this.#deps.references.flatMap((symbol) => listed.filter((item) => item.symbol === symbol))
    const prices = await Promise.allSettled(currencies.map((currency) => this.#deps.prices.get([currency])))
    const references = currencies.flatMap((currency, at) => {
      const found = prices[at]
      const price = found?.status === 'fulfilled' ? found.value[0] : undefined
      return price === undefined ? [] : [{ currency, price }]
    })
    const failure = prices.find((found) => found.status === 'rejected')
    if (references.length === 0 && failure !== undefined) throw failure.reason
    return references
  }
}
