import { type Currency, type Prices, ServiceError, type Usd } from '@causeway/core'

const keyOf = ({ chainId, address }: Currency): string => `${chainId}:${address}`

/** What whole units cost now, of every currency a quote touches. */
export class PriceBook {
  readonly #prices: ReadonlyMap<string, Usd>

  constructor(prices: ReadonlyMap<string, Usd>) {
    this.#prices = prices
  }

  find(currency: Currency): Usd | undefined {
    return this.#prices.get(keyOf(currency))
  }

  /** Throws ServiceError `UNSUPPORTED_CURRENCY` for one without a price. */
  of(currency: Currency): Usd {
    const price = this.find(currency)
    if (price !== undefined) return price
    throw new ServiceError('UNSUPPORTED_CURRENCY', `${currency.symbol} has no price here, so it cannot be quoted.`)
  }

  /** The same book with one more price, of a currency that had none. */
  with(currency: Currency, price: Usd): PriceBook {
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
        return price?.usd
      } catch (error) {
        if (isUnpriced(error)) return undefined
        throw error
      }
    }),
  ])
  const book = new Map<string, Usd>()
  listed.forEach((currency, at) => {
    const price = known[at]
    if (price !== undefined) book.set(keyOf(currency), price.usd)
  })
  unlisted.forEach((currency, at) => {
    const usd = found[at]
    if (usd !== undefined) book.set(keyOf(currency), usd)
  })
  return new PriceBook(book)
}
