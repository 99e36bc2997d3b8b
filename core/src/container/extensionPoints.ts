import type { InjectionToken } from 'tsyringe'
import { CALL_OBSERVERS } from '../http/callObserver.js'
import { CURRENCY_SEARCH_SOURCES } from '../money/currency/currencySearchSource.js'
import { PRICE_SOURCES } from '../money/prices/priceSource.js'
import { PAGE_EXTENSIONS } from '../pages/pageExtension.js'
import { PERMIT_HANDLERS } from '../permit/permitHandler.js'
import { QUOTE_EXTENSIONS } from '../quote/quoteExtension.js'

/** Tokens that every plugin may add to: `resolve` gives one list of all that was added. */
export const EXTENSION_POINTS: readonly InjectionToken[] = [
  CALL_OBSERVERS,
  PRICE_SOURCES,
  QUOTE_EXTENSIONS,
  CURRENCY_SEARCH_SOURCES,
  PERMIT_HANDLERS,
  PAGE_EXTENSIONS,
]
