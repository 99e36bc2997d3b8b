import { type Clock, ServiceError } from '@causeway/core'
import type { Caller } from '@causeway/core/plugin'
import type { QuoteSettings } from '../options.js'

/** Paths of quotes and prices; they differ by a few codes (wire.md K.1 7, 8). */
export type QuotePath = '/quote' | '/quote/v2' | '/price'

export interface QuoteKeyRuleDeps {
  readonly clock: Clock
  readonly settings: Pick<QuoteSettings, 'referrerRequiresKey' | 'quoteV2KeyRequiredFrom'>
}

const hasReferrer = (body: unknown): boolean => {
  if (typeof body !== 'object' || body === null) return false
  const referrer: unknown = Reflect.get(body, 'referrer')
  return referrer !== undefined && referrer !== null && referrer !== ''
}

/**
 * Refuses a quote that needs a key and has none: one that names a referrer, and `/quote/v2` from a date on. Throws
 * ServiceError `UNAUTHORIZED_QUOTE` (wire.md 1.1, K.1 7, faults.md F85).
 */
export const requireQuoteKey = (path: QuotePath, body: unknown, caller: Caller, deps: QuoteKeyRuleDeps): void => {
  if (caller.kind !== 'anonymous') return
  const { referrerRequiresKey, quoteV2KeyRequiredFrom } = deps.settings
  if (path === '/quote/v2' && deps.clock.now() >= quoteV2KeyRequiredFrom) {
    throw new ServiceError('UNAUTHORIZED_QUOTE', 'POST /quote/v2 needs a valid API key in the x-api-key header')
  }
  if (referrerRequiresKey && hasReferrer(body)) {
    throw new ServiceError(
      'UNAUTHORIZED_QUOTE',
      'A quote with a referrer needs a valid API key in the x-api-key header',
    )
  }
}
