import { token } from '../../container/tokens.js'
import type { Currency } from './currency.js'

/** What is looked for; at least one of `term` and `address` is given. */
export interface CurrencySearch {
  /** Chains to look on. */
  readonly chainIds: readonly number[]
  /** Part of a symbol or name. */
  readonly term?: string
  /** Canonical address by chain, where the text is an address there. */
  readonly addresses: readonly { readonly chainId: number; readonly address: string }[]
  /** Most results wanted. */
  readonly limit: number
}

/**
 * Finds currencies that the catalogue does not have, for example from a token's own metadata (wire.md K.5 1).
 * `useExternalSearch` asks every registered source; one that throws or is late is left out.
 */
export interface CurrencySearchSource {
  readonly name: string
  search(query: CurrencySearch, signal: AbortSignal): Promise<readonly Currency[]>
}

/** Extension point: register one or more sources. */
export const CURRENCY_SEARCH_SOURCES = token<CurrencySearchSource[]>('core/CurrencySearchSources')
