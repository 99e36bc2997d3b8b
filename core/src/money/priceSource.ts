import { token } from '../container/tokens.js'
import type { Currency } from './currency.js'
import type { Usd } from './usd.js'

/** What one whole unit of a currency is worth. */
export interface Price {
  readonly usd: Usd
  /** Unix milliseconds at which the source observed it. */
  readonly observedAt: number
}

/** One origin of prices: a file, an exchange, an oracle. Several may be registered; see PRICES. */
export interface PriceSource {
  readonly name: string
  /** Prices in the order asked; null where the source does not know the currency. Throws when the source is unreachable. */
  getPrices(currencies: readonly Currency[]): Promise<readonly (Price | null)[]>
}

/** Extension point: register one or more sources. */
export const PRICE_SOURCES = token<PriceSource[]>('core/PriceSources')

/**
 * Checked prices. `get` throws ServiceError: `PRICE_FETCH_FAILED` when every source fails or the price is zero, negative, older
 * than the limit or the sources disagree by more than the limit (F79); `UNSUPPORTED_CURRENCY` when no source knows one.
 */
export interface Prices {
  get(currencies: readonly Currency[]): Promise<readonly Price[]>
}

export const PRICES = token<Prices>('core/Prices')
