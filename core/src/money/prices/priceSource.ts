import { token } from '../../container/tokens.js'
import type { Currency } from '../currency/currency.js'
import type { Usd } from '../usd.js'

/** What one whole unit of a currency is worth. */
export interface Price {
  /** Zero or less: the source has a price that nobody can use, so the currency is not quoted at all (F79). */
  readonly usd: Usd
  /** Unix milliseconds at which the source observed it. */
  readonly observedAt: number
  /** Lowest and highest price of the sources that were compared. Absent: of one source. */
  readonly range?: { readonly low: Usd; readonly high: Usd }
}

/** What a source says of a currency: null where it does not know it, `unavailable` where it does but has no price now. */
export type PriceAnswer = Price | 'unavailable' | null

/** How a source wants to be asked. */
export interface PricePace {
  /** How long an answer is used, milliseconds; a new one is fetched from half of that on. */
  readonly keepMs: number
  /** Least time between two requests about the same currency, and after a failure; grows while failures go on. */
  readonly retryMs: number
  /** A request that takes longer has failed. */
  readonly timeoutMs: number
}

/** One origin of prices: a file, an exchange, an oracle. Several may be registered; see PRICES. */
export interface PriceSource {
  readonly name: string
  /** For sources that cost something to ask; these are asked ahead of need, so that quotes do not wait for them. */
  readonly pace?: PricePace
  /** Answers in the order asked. Throws when the source is unreachable; what it throws holds no key. */
  getPrices(currencies: readonly Currency[], signal?: AbortSignal): Promise<readonly PriceAnswer[]>
}

/** Extension point: register one or more sources. */
export const PRICE_SOURCES = token<PriceSource[]>('core/PriceSources')

/**
 * Checked prices. `get` throws ServiceError: `PRICE_FETCH_FAILED` when too few sources have a price now, or it is zero,
 * negative, older than the limit or the sources disagree by more than the limit (F79); `UNSUPPORTED_CURRENCY` when no
 * source knows one.
 */
export interface Prices {
  get(currencies: readonly Currency[]): Promise<readonly Price[]>
}

export const PRICES = token<Prices>('core/Prices')
