import type { IncomingHttpHeaders } from 'node:http'
import { token } from '../../container/tokens.js'
import { ServiceError } from '../../errors/serviceError.js'
import { ANONYMOUS, type Caller, type IntegratorAuth } from './integratorAuth.js'

/** A call as its key is chosen. */
export interface KeyedCall {
  /** Address of the caller, as in `RequestContext`. */
  readonly ip: string
  readonly headers: IncomingHttpHeaders
}

/** Adds an API key to calls without one, so that clients of a sandbox need no key. Deployments for real money ignore it. */
export interface DefaultKey {
  /** The key of such a call; undefined: the call stays anonymous. */
  keyOf(call: KeyedCall): string | undefined
}

export const DEFAULT_KEY = token<DefaultKey>('core/DefaultKey')

/**
 * Returns the caller by the key in the headers, by the key of the `Origin`, or by the default key. A default key only attributes, like the
 * key of an `Origin`. An invalid default key has no effect.
 * @throws ServiceError as `IntegratorAuth.authenticate`
 */
export const callerOf = async (
  auth: IntegratorAuth,
  defaultKey: DefaultKey | undefined,
  call: KeyedCall,
): Promise<Caller> => {
  const { 'x-api-key': given, origin } = call.headers
  if (given !== undefined) return auth.authenticate(String(given), origin)
  const caller = await auth.authenticate(undefined, origin)
  const added = caller.kind === 'anonymous' ? defaultKey?.keyOf(call) : undefined
  if (added === undefined) return caller
  try {
    const owner = await auth.authenticate(added)
    return owner.kind === 'integrator' ? { ...owner, proxied: true } : owner
  } catch (error) {
    if (ServiceError.is(error) && error.code === 'UNAUTHORIZED') return ANONYMOUS
    throw error
  }
}
