import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { LocalNode } from '../node/localNode.js'
import { controlMethods } from './controlMethods.js'
import { Faults, TransportFault } from './faults.js'
import { RpcFailure } from './rpcFailure.js'
import { type RpcMethod, rpcMethods } from './rpcMethods.js'
import { Subscriptions } from './subscriptions.js'

export interface SvmServer {
  readonly port: number
  close(): Promise<void>
}

interface Call {
  readonly id: number | string | null
  readonly method: string
  readonly params?: readonly never[]
}

/** Serves a local chain over HTTP (batches too) and websocket on one port of 127.0.0.1. */
export const serveSvm = async (node: LocalNode, options: { readonly port: number }): Promise<SvmServer> => {
  const faults = new Faults()
  const methods = { ...rpcMethods(node), ...controlMethods(node, faults) }
  const server = createServer((request, response) => void serveHttp(request, response, methods, faults))
  const sockets = new WebSocketServer({ server })
  const subscriptions = new Subscriptions(node)
  sockets.on('connection', (socket) => subscriptions.serve(socket))
  const { port, neighbour } = await listenWith(server, options.port, (socket) => subscriptions.serve(socket))
  return {
    port,
    close: () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      for (const socket of neighbour?.clients ?? []) socket.terminate()
      neighbour?.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** How often another port is tried for the one beside it to be free. */
const TRIES = 20

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      // CAST: a server that listens on a port has an address with one.
      resolve((server.address() as AddressInfo).port)
    })
  })

/**
 * Listens on `port`, or on any whose neighbour is free: there clients look for the websocket when they are told nothing else. Beside a port
 * that was asked for, the next one may be meant for something else.
 */
const listenWith = async (
  server: Server,
  port: number,
  serve: (socket: WebSocket) => void,
): Promise<{ readonly port: number; readonly neighbour: WebSocketServer | null }> => {
  if (port !== 0) return { port: await listen(server, port), neighbour: null }
  for (let tries = 1; ; tries += 1) {
    const own = await listen(server, 0)
    const neighbour = await listenBeside(own + 1, serve)
    if (neighbour !== null || tries === TRIES) return { port: own, neighbour }
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Null where the port is taken. */
const listenBeside = (port: number, serve: (socket: WebSocket) => void): Promise<WebSocketServer | null> =>
  new Promise((resolve) => {
    const sockets = new WebSocketServer({ host: '127.0.0.1', port })
    sockets.once('error', () => resolve(null))
    sockets.once('listening', () => resolve(sockets))
    sockets.on('connection', serve)
  })

const serveHttp = async (
  request: IncomingMessage,
  response: ServerResponse,
  methods: Readonly<Record<string, RpcMethod>>,
  faults: Faults,
): Promise<void> => {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const answerOne = (call: Call) => answer(call, methods, faults)
    // CAST: what is no call is answered with an error.
    const answers = Array.isArray(body) ? (body as Call[]).map(answerOne) : answerOne(body as Call)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers))
  } catch (error) {
    if (error instanceof TransportFault) return suffer(response, error)
    response.statusCode = 400
    response.end('Bad request')
  }
}

const suffer = (response: ServerResponse, { fault }: TransportFault): void => {
  if (fault.hang === true) return
  response.statusCode = fault.status ?? (fault.garbage === undefined ? 503 : 200)
  response.end(fault.garbage ?? 'unavailable')
}

const answer = (call: Call, methods: Readonly<Record<string, RpcMethod>>, faults: Faults) => {
  const { id, method, params = [] } = call
  try {
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (run === undefined) throw new RpcFailure(-32601, 'Method not found')
    return { jsonrpc: '2.0', id, result: faults.run(method, () => run(...params)) ?? null }
  } catch (error) {
    if (error instanceof TransportFault) throw error
    const { code, data } = error instanceof RpcFailure ? error : { code: -32603, data: undefined }
    const message = error instanceof Error ? error.message : 'Internal error'
    return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
  }
}
