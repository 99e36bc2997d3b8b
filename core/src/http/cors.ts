import type { ServerResponse } from 'node:http'

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

const ALLOWED_HEADERS = 'content-type, x-api-key, relay-sdk-version, relay-kit-ui-version, idempotency-key'
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const MAX_AGE_SECONDS = '600'

/** Headers of every answer: any origin, never credentials (wire.md H.6). */
export const setCorsHeaders = (response: ServerResponse): void => {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-expose-headers', EXPOSED_HEADERS)
}

/** Further headers of a preflight's answer, which is 204 (wire.md 0.1, K.5 3). */
export const setPreflightHeaders = (response: ServerResponse): void => {
  response.setHeader('access-control-allow-methods', ALLOWED_METHODS)
  response.setHeader('access-control-allow-headers', ALLOWED_HEADERS)
  response.setHeader('access-control-max-age', MAX_AGE_SECONDS)
}
