import { token } from '../../container/tokens.js'
import type { Currency } from './currency.js'

/**
 * Currencies that an operator listed beside those the solver holds (wire.md K.5 1). What it says of a token goes before what the
 * token says of itself, but for its decimals.
 */
export interface CurrencyListing {
  /** In one round trip; undefined for each place that is not listed. Addresses are canonical. */
  find(
    places: readonly { readonly chainId: number; readonly address: string }[],
  ): Promise<readonly (Currency | undefined)[]>
}

/** Optional; without one only what is configured is listed. */
export const CURRENCY_LISTING = token<CurrencyListing>('core/CurrencyListing')
