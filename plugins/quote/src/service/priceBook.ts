import { type Currency, type Price, type Prices, ServiceError, type Usd } from '@causeway/core'

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

  /** The same book with one more price, of a currency that had none. */
  with(currency: Currency, price: Price): PriceBook {
    return new PriceBook(new Map([...this.#prices, [keyOf(currency), price]]))
  }
}

const isUnpriced = (error: unknown): boolean => ServiceError.is(error) && error.code === 'UNSUPPORTED_CURRENCY'

/**
 * Reads prices; `unlisted` currencies may have none. Throws ServiceError `PRICE_FETCH_FAILED` when one cannot be trusted now,
 * `UNSUPPORTED_CURRENCY` when a listed one has none.
 */
export const readPriceBook = async (
  prices: Prices,
  listed: readonly Currency[],
  unlisted: readonly Currency[] = [],
): Promise<PriceBook> => {
  const [known, ...found] = await Promise.all([
    prices.get(listed),
    ...unlisted.map(async (currency) => {
      try {
        const [price] = await prices.get([currency])
        return price
      } catch (error) {
        if (isUnpriced(error)) return undefined
        throw error
      }
    }),
  ])
  const book = new Map<string, Price>()
  listed.forEach((currency, at) => {
    const price = known[at]
    if (price !== undefined) book.set(keyOf(currency), price)
  })
  unlisted.forEach((currency, at) => {
    const price = found[at]
    if (price !== undefined) book.set(keyOf(currency), price)
  })
  return new PriceBook(book)
}
