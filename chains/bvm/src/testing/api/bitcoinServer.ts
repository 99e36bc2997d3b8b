import {
  type Controls,
  type NodeReply,
  type NodeRequest,
  type NodeServer,
  type RestRoutes,
  restApi,
  serveNode,
} from '@causeway/core/testing'
import type { CoreMethod } from './coreMethods.js'
import { answerCore } from './coreServer.js'
import type { Faults } from './faults.js'

const RPC_PATH = '/rpc'

/** What is served, and where. */
export interface BitcoinServerOptions {
  /** 0: any free one. */
  readonly port: number
  /** Asked of JSON-RPC by HTTP's basic authentication; nothing, when left out. */
  readonly rpcAuth?: { readonly user: string; readonly password: string } | undefined
  readonly faults: Faults
  readonly routes: RestRoutes
  readonly methods: Readonly<Record<string, CoreMethod>>
  readonly controls: Controls
}

/** Serves Esplora's REST, and Core's JSON-RPC under `/rpc`, on one port of 127.0.0.1. */
export const serveBitcoin = (options: BitcoinServerOptions): Promise<NodeServer> => {
  const { port, controls, routes, faults } = options
  const esplora = restApi(routes, faults.of('esplora'))
  const http = (request: NodeRequest) =>
    request.path === RPC_PATH ? serveRpc(request, options) : esplora.http(request)
  return serveNode({ port, controls, dialect: { http } })
}

const serveRpc = async (
  { method, headers, body }: NodeRequest,
  { methods, faults, rpcAuth }: BitcoinServerOptions,
): Promise<NodeReply> => {
  const wanted = rpcAuth && `Basic ${Buffer.from(`${rpcAuth.user}:${rpcAuth.password}`).toString('base64')}`
  if (method !== 'POST') {
    return { status: 405, type: 'text/html', body: 'JSONRPC server handles only POST requests' }
  }
  if (wanted !== undefined && headers.authorization !== wanted) return { status: 401, type: 'text/html', body: '' }
  return answerCore(methods, faults, body)
}
