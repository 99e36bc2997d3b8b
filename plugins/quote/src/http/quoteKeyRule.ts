import { type Clock, ServiceError } from '@causeway/core'
import type { Caller } from '@causeway/core/plugin'
import type { QuoteSettings } from '../options.js'

/** Paths of quotes and prices; they differ by a few codes (wire.md K.1 7, 8). */
export type QuotePath = '/quote' | '/quote/v2' | '/price'

export interface QuoteKeyRuleDeps {
  readonly clock: Clock
  readonly settings: Pick<QuoteSettings, 'referrerRequiresKey' | 'quoteV2KeyRequiredFrom'>
  /** A flag of the body that only the key of an integrator may set; null: none is set. */
  keyFlagOf(body: unknown): string | null
}

const hasReferrer = (body: unknown): boolean => {
  if (typeof body !== 'object' || body === null) return false
  const referrer: unknown = Reflect.get(body, 'referrer')
  return referrer !== undefined && referrer !== null && referrer !== ''
}

/** A flag moves money of the integrator, which a key that an `Origin` header adds does not: anybody can send that header. */
const requireOwnKey = (flag: string | null, caller: Caller): void => {
  if (flag === null || (caller.kind === 'integrator' && caller.proxied !== true)) return
  const added = caller.kind === 'integrator' ? ': one that is added for a browser pays for nobody' : ''
  throw new ServiceError('UNAUTHORIZED', `body.${flag} needs a valid API key in the x-api-key header${added}`)
}

/**
 * Refuses a quote that needs a key and has none: one that names a referrer, and `/quote/v2` from a date on, with `UNAUTHORIZED_QUOTE`; one
 * that takes money of the integrator with `UNAUTHORIZED`. Throws ServiceError (wire.md 1.1, K.1 7, faults.md F85).
 */
export const requireQuoteKey = (path: QuotePath, body: unknown, caller: Caller, deps: QuoteKeyRuleDeps): void => {
  if (caller.kind === 'anonymous') requireKeyAtAll(path, body, deps)
  requireOwnKey(deps.keyFlagOf(body), caller)
}

const requireKeyAtAll = (path: QuotePath, body: unknown, deps: QuoteKeyRuleDeps): void => {
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
