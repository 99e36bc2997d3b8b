import { token } from '../../container/tokens.js'
import { ServiceError } from '../../errors/serviceError.js'

/** Who is calling. An integrator owns many keys; ownership rules compare `integratorId` (wire.md H.1). */
export type Caller =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'integrator'
      readonly integratorId: string
      readonly apiKeyId: string
      readonly keyName: string | null
      /** Has the higher rate limits. */
      readonly elevated: boolean
      /** An operator vouches for it: its quotes may hold all that is free (architecture.md 3, step 1). Default false. */
      readonly trusted?: boolean
      /** The key was added for a browser's `Origin` (wire.md H.1): it attributes and raises limits, and owns nothing. */
      readonly proxied?: boolean
    }

export const ANONYMOUS: Caller = Object.freeze({ kind: 'anonymous' })

/** Tells who is calling from the `x-api-key` header. */
export interface IntegratorAuth {
  /**
   * No key is the anonymous caller, or a proxied one where a key is configured for `origin`, the `Origin` header. Throws
   * `ServiceError` `UNAUTHORIZED` for a key that is unknown, malformed or revoked. A check of a key that nobody calls with now
   * does not count as its use.
   */
  authenticate(apiKey: string | undefined, origin?: string, purpose?: 'call' | 'check'): Promise<Caller>
}

export const INTEGRATOR_AUTH = token<IntegratorAuth>('core/IntegratorAuth')

/** The refusal of a key that is not valid; says nothing of why. */
export const invalidApiKey = (): ServiceError => new ServiceError('UNAUTHORIZED', 'The API key is not valid')

/** The refusal of a call without the key it needs. */
export const missingApiKey = (): ServiceError =>
  new ServiceError('UNAUTHORIZED', 'This operation needs an API key in the x-api-key header')

/** Used where no plugin knows keys: nobody has one. */
export const noIntegrators: IntegratorAuth = {
  authenticate: async (apiKey) => {
    if (apiKey === undefined) return ANONYMOUS
    throw invalidApiKey()
  },
}
