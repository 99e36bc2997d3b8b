import { CallError, FaultedCall, METHOD_MISSING, type RunCall } from './nodeFaults.js'
import type { NodeDialect, NodeReply, NodeRequest } from './nodeServer.js'

/** Methods of a JSON-RPC interface, called with the parameters of the list, or with an object of named parameters. */
export type RpcMethods = Readonly<Record<string, (...params: never[]) => unknown>>

interface Call {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

/** JSON-RPC 2.0 over HTTP, also in batches. */
export const jsonRpc = (methods: RpcMethods, run: RunCall): NodeDialect => ({
  http: async ({ body }) => {
    // CAST: a call without a known method is answered with an error.
    const asked = JSON.parse(body) as Call | readonly Call[]
    const answers = await Promise.all([asked].flat().map((call) => answerCall(call as Call, methods, run)))
    return { body: JSON.stringify(Array.isArray(asked) ? answers : answers[0]) }
  },
})

/** The answer of JSON-RPC 2.0 to one call. Rejects with FaultedCall. */
const answerCall = async (call: Call, methods: RpcMethods, run: RunCall): Promise<object> => {
  const { id = null, method = '', params = [] } = Object(call)
  try {
    const found = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (found === undefined) throw new CallError(METHOD_MISSING, 'Method not found')
    // CAST: each method checks the parameters that it uses.
    const result = await run(method, () => found(...([params].flat() as never[])))
    return { jsonrpc: '2.0', id, result: result ?? null }
  } catch (error) {
    return { jsonrpc: '2.0', id, error: errorOf(error) }
  }
}

const errorOf = (error: unknown): object => {
  if (error instanceof FaultedCall) throw error
  const message = error instanceof Error ? error.message : 'Internal error'
  if (!(error instanceof CallError)) return { code: -32603, message }
  return { code: error.code, message, ...(error.data === undefined ? {} : { data: error.data }) }
}

/** Query and body of a call of a REST API. */
export type RestCall = Pick<NodeRequest, 'query' | 'body'>

/** An answer of a route that is not JSON. */
export class RawReply implements NodeReply {
  constructor(
    readonly body: string | Uint8Array,
    readonly type: string,
    readonly status = 200,
  ) {}
}

/**
 * Routes by `GET /accounts/:id`, called with the variable segments of the path. A value is answered as JSON. A CallError has the HTTP status
 * as its code.
 */
export type RestRoutes = Readonly<Record<string, (parts: readonly string[], call: RestCall) => unknown>>

const plainFailure = ({ message }: CallError, status: number): NodeReply => ({
  status,
  type: 'text/plain',
  body: message,
})

/** A REST API over HTTP, whose errors are plain text unless `failure` writes them. Faults name a method by its route. */
export const restApi = (
  routes: RestRoutes,
  run: RunCall,
  failure: (error: CallError, status: number) => NodeReply = plainFailure,
): NodeDialect => ({
  http: async ({ method, path, query, body }) => {
    try {
      const found = routeOf(routes, `${method} ${path}`)
      if (found === null) throw new CallError(404, 'endpoint does not exist')
      const answer = await run(found.name, () => found.route(found.parts, { query, body }))
      return answer instanceof RawReply ? answer : { body: JSON.stringify(answer) }
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const status = error.code === METHOD_MISSING ? 404 : error.code
      return failure(error, status >= 400 && status < 600 ? status : 503)
    }
  },
})

/** The route of a call, and the variable segments of its path. */
const routeOf = (routes: RestRoutes, call: string) => {
  const pieces = call.split('/')
  for (const [name, route] of Object.entries(routes)) {
    const pattern = name.split('/')
    const fits =
      pattern.length === pieces.length && pattern.every((piece, at) => isVariable(piece) || piece === pieces[at])
    if (fits) return { name, route, parts: pieces.filter((_, at) => isVariable(pattern[at] ?? '')) }
  }
  return null
}

const isVariable = (piece: string): boolean => piece.startsWith(':')
