import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { CoreMethod } from './coreMethods.js'
import { answerCore } from './coreServer.js'
import { Bytes, type EsploraRoute, HttpFailure, PlainText } from './esploraRoutes.js'
import { FaultedCall, type Faults } from './faults.js'

const RPC_PATH = '/rpc'

/** What is served, and where. */
export interface BitcoinServerOptions {
  /** 0: any free one. */
  readonly port: number
  /** Asked of JSON-RPC by HTTP's basic authentication; nothing, when left out. */
  readonly rpcAuth?: { readonly user: string; readonly password: string }
  readonly faults: Faults
  readonly routes: Readonly<Record<string, EsploraRoute>>
  readonly methods: Readonly<Record<string, CoreMethod>>
}

/** A server that runs. */
export interface BitcoinServer {
  readonly port: number
  close(): Promise<void>
}

/** Serves Esplora's REST, and Core's JSON-RPC under `/rpc`, on one port of 127.0.0.1. */
export const serveBitcoin = async (options: BitcoinServerOptions): Promise<BitcoinServer> => {
  const server = createServer((request, response) => void serve(request, response, options))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const serve = async (request: IncomingMessage, response: ServerResponse, options: BitcoinServerOptions) => {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body = Buffer.concat(chunks).toString('utf8')
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === RPC_PATH) serveRpc(request, response, options, body)
    else serveEsplora(`${request.method ?? 'GET'} ${pathname}`, response, options, body)
  } catch (error) {
    if (error instanceof FaultedCall) suffer(response, error)
    else respond(response, 500, 'text/plain', error instanceof Error ? error.message : 'error')
  }
}

const respond = (response: ServerResponse, status: number, type: string, body: string | Uint8Array): void => {
  response.statusCode = status
  response.setHeader('content-type', type)
  response.end(body)
}

const serveRpc = (
  request: IncomingMessage,
  response: ServerResponse,
  { methods, faults, rpcAuth }: BitcoinServerOptions,
  body: string,
): void => {
  const wanted = rpcAuth && `Basic ${Buffer.from(`${rpcAuth.user}:${rpcAuth.password}`).toString('base64')}`
  const refused = wanted !== undefined && request.headers.authorization !== wanted
  if (request.method !== 'POST') respond(response, 405, 'text/html', 'JSONRPC server handles only POST requests')
  else if (refused) respond(response, 401, 'text/html', '')
  else {
    const reply = answerCore(methods, faults, body)
    respond(response, reply.status, 'application/json', reply.body)
  }
}

const serveEsplora = (
  call: string,
  response: ServerResponse,
  { routes, faults }: BitcoinServerOptions,
  body: string,
): void => {
  const found = matching(routes, call)
  try {
    if (found === undefined) throw new HttpFailure(404, 'endpoint does not exist')
    const answer = faults.run('esplora', found.name, () => found.route(found.parts, body))
    if (answer instanceof PlainText) respond(response, 200, 'text/plain', answer.text)
    else if (answer instanceof Bytes) respond(response, 200, 'application/octet-stream', answer.data)
    else respond(response, 200, 'application/json', JSON.stringify(answer))
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    respond(response, error.status, 'text/plain', error.message)
  }
}

/** The route of a call, with what its variable pieces are. */
const matching = (routes: Readonly<Record<string, EsploraRoute>>, call: string) => {
  const pieces = call.split('/')
  for (const [name, route] of Object.entries(routes)) {
    const pattern = name.split('/')
    const fits =
      pattern.length === pieces.length && pattern.every((piece, at) => isVariable(piece) || piece === pieces[at])
    if (fits) return { name, route, parts: pieces.filter((_, at) => isVariable(pattern[at] ?? '')) }
  }
  return undefined
}

const isVariable = (piece: string): boolean => piece.startsWith(':')

const suffer = (response: ServerResponse, { fault }: FaultedCall): void => {
  if (fault.hang === true) return
  const status = fault.status ?? (fault.garbage === undefined ? 503 : 200)
  respond(response, status, 'text/plain', fault.garbage ?? fault.error?.message ?? 'unavailable')
}
