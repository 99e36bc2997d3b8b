import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from './route.js'

const EXPOSED_HEADERS = [
  'Deprecation',
  'Idempotency-Replayed',
  'Sunset',
  'Link',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
].join(', ')

/** Taken by every operation, or sent by the public client SDK and its hooks of their own accord (wire.md 0.1). */
const USUAL_HEADERS = ['content-type', 'x-api-key', 'relay-sdk-version', 'relay-kit-ui-version', 'x-request-id']

/**
 * What a page of another origin may send: the headers that the description names. Those of operations that look at no key are left
 * out, since sessions are for pages of this origin alone.
 */
export const allowedHeaders = (routes: readonly Route[]): string => {
  const open = routes.filter(({ auth }) => auth !== 'none')
  const named = open.flatMap(({ requestHeaders = {}, changes, etag }) => [
    ...(changes ? ['idempotency-key'] : []),
    ...(etag ? ['if-none-match'] : []),
    ...Object.keys(requestHeaders),
  ])
  return [...new Set([...USUAL_HEADERS, ...named])].join(', ')
}

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const MAX_AGE_SECONDS = '600'

/** Headers of every answer: any origin, never credentials (wire.md H.6). */
export const setCorsHeaders = (response: ServerResponse): void => {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-expose-headers', EXPOSED_HEADERS)
}

/** Names of headers, and few enough to be sent back. */
const NAMES = /^[\w!#$%&'*+.^`|~, -]{1,2048}$/

/**
 * Further headers of a preflight's answer, which is 204 (wire.md 0.1, K.5 3). The header names that the browser asks for are
 * allowed, since tracing adds its own to every call and no credentials travel; `headers` are those of a preflight that asks for none.
 */
export const setPreflightHeaders = (
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  headers: string,
): void => {
  const asked = req.headers['access-control-request-headers'] ?? ''
  res.setHeader('access-control-allow-methods', ALLOWED_METHODS)
  res.setHeader('access-control-allow-headers', NAMES.test(asked) ? asked : headers)
  res.setHeader('vary', 'access-control-request-headers')
  res.setHeader('access-control-max-age', MAX_AGE_SECONDS)
}
