import { ServiceError } from '@causeway/core'

const tokenFormat = /^[A-Za-z0-9_-]{43}$/

/** The dashboard and the console share it. */
const PATH = '/'
/**
 * Browsers accept a name with this prefix over HTTPS, of this very host and the path `/`. Neither name is one that was ever set for
 * another path: a browser that kept such a cookie would show two.
 */
const nameFor = (origin: string): string =>
  origin.startsWith('https:') ? '__Host-causeway_session' : 'causeway_sign_in'

/** `Set-Cookie` of a session: out of reach of scripts and of other sites. */
export const sessionCookie = (origin: string, token: string, lifeMs: number): string =>
  [
    `${nameFor(origin)}=${token}`,
    `Path=${PATH}`,
    `Max-Age=${Math.floor(lifeMs / 1000)}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(origin.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')

/** `Set-Cookie` that removes it. */
export const endedCookie = (origin: string): string => sessionCookie(origin, '', 0)

/**
 * The session token a call shows; null without one. Throws `ServiceError` `UNAUTHORIZED` for two cookies of the name, one
 * of which somebody else may have set, and for one that is no token.
 */
export const shownToken = (origin: string, header: string | undefined): string | null => {
  const name = nameFor(origin)
  const values = (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
  const [token] = values
  if (token === undefined) return null
  if (values.length > 1)
    throw new ServiceError('UNAUTHORIZED', 'More than one session was shown; remove the others and sign in again')
  if (!tokenFormat.test(token)) throw new ServiceError('UNAUTHORIZED', 'The session is not valid; sign in again')
  return token
}
