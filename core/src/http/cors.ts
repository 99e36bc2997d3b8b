import type { ServerResponse } from 'node:http'
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

/** Further headers of a preflight's answer, which is 204 (wire.md 0.1, K.5 3). */
export const setPreflightHeaders = (response: ServerResponse, headers: string): void => {
  response.setHeader('access-control-allow-methods', ALLOWED_METHODS)
  response.setHeader('access-control-allow-headers', headers)
  response.setHeader('access-control-max-age', MAX_AGE_SECONDS)
}
