import { type Currency, type Money, type Rounding, ServiceError } from '@causeway/core'
import type { Price, Prices } from '@causeway/core/chain'
import { crossingPrices, exchanged, type Usd } from '@causeway/core/plugin'

const keyOf = ({ chainId, address }: Currency): string => `${chainId}:${address}`

/** What whole units cost now, of every currency a quote touches. */
export class PriceBook {
  readonly #prices: ReadonlyMap<string, Price>

  constructor(prices: ReadonlyMap<string, Price>) {
    this.#prices = prices
  }

  find(currency: Currency): Price | undefined {
    return this.#prices.get(keyOf(currency))
  }

  /** Throws ServiceError `UNSUPPORTED_CURRENCY` for one without a price. */
  of(currency: Currency): Usd {
    return this.observed(currency).usd
  }

  /** The same with the time it was observed. */
  observed(currency: Currency): Price {
    const price = this.find(currency)
    if (price !== undefined) return price
    throw new ServiceError('UNSUPPORTED_CURRENCY', `${currency.symbol} has no price here, so it cannot be quoted.`)
  }

  /** Balance for an amount of another currency, before the cost of the conversion (`crossingPrices`). */
  crossed(money: Money, into: Currency, rounding: Rounding): bigint {
    const to = { currency: into, price: this.observed(into) }
    const { given, taken } = crossingPrices({ currency: money.currency, price: this.observed(money.currency) }, to)
    return exchanged(money, given, { currency: into, price: taken }, rounding)
  }

  /** The same book with one more price, of a currency that had none. */
  with(currency: Currency, price: Price): PriceBook {
    return new PriceBook(new Map([...this.#prices, [keyOf(currency), price]]))
  }
}

const isUnpriced = (error: unknown): boolean => ServiceError.is(error) && error.code === 'UNSUPPORTED_CURRENCY'

/** What prices are wanted for. */
export interface WantedPrices {
  /** A quote is impossible without these. */
  readonly needed: readonly Currency[]
  /** Tokens that no source may know; one that is known must be trusted all the same. */
  readonly unlisted?: readonly Currency[]
  /** Currencies a path may go through; one without a good price now is left out. */
  readonly optional?: readonly Currency[]
}

/**
 * Reads prices, all at the same time. Throws ServiceError `PRICE_FETCH_FAILED` when one cannot be trusted now,
 * `UNSUPPORTED_CURRENCY` when a needed one has none.
 */
export const readPriceBook = async (prices: Prices, wanted: WantedPrices): Promise<PriceBook> => {
  const { needed, unlisted = [], optional = [] } = wanted
  const single = async (currency: Currency, isBearable: (error: unknown) => boolean): Promise<Price | undefined> => {
    try {
      const [price] = await prices.get([currency])
      return price
    } catch (error) {
      if (isBearable(error)) return undefined
      throw error
    }
  }
  const [known, ...found] = await Promise.all([
    prices.get(needed),
    ...unlisted.map((currency) => single(currency, isUnpriced)),
    ...optional.map((currency) => single(currency, ServiceError.is)),
  ])
  const asked = [...needed, ...unlisted, ...optional]
  const answers = [...known, ...found]
  return new PriceBook(
    new Map(
      asked.flatMap((currency, at) => {
        const price = answers[at]
        return price === undefined ? [] : [[keyOf(currency), price] as const]
      }),
    ),
  )
}
