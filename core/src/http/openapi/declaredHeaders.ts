import type { IncomingHttpHeaders } from 'node:http'
import type { Route } from '../route.js'

/** Read for every route; the description says so by its security schemes and shared parameters. */
const ALWAYS = ['x-api-key', 'origin', 'x-request-id', 'idempotency-key']
/** Sent by clients of their own accord; no parameters. */
const OF_CLIENTS = ['host', 'user-agent', 'sec-fetch-site']
/** What tells callers with one `Idempotency-Key` apart. */
const OF_SCOPE = ['cookie', 'authorization']
/** Asked for by whoever prints or awaits the object. */
const NO_HEADERS = ['toJSON', 'then', 'constructor']

/** For tests: the headers of a request, whose reading throws `Error` where the route does not declare it in `requestHeaders`. */
export const declaredHeaders = (route: Route, headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const scope = route.changes ? OF_SCOPE : []
  const own = Object.keys(route.requestHeaders ?? {})
  const declared = new Set([...ALWAYS, ...OF_CLIENTS, ...NO_HEADERS, ...scope, ...own])
  return new Proxy(headers, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && !declared.has(name)) {
        throw new Error(`${route.method} ${route.path} reads the header ${name}, which it does not declare`)
      }
      return Reflect.get(target, name, receiver)
    },
  })
}
