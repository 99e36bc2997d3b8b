import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { NodeFault } from '../localChain/localChain.js'
import { FaultedCall } from './nodeFaults.js'

/** A request over HTTP. */
export interface NodeRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An answer over HTTP: status 200 and JSON by default. */
export interface NodeReply {
  readonly status?: number
  readonly type?: string
  readonly body: string | Uint8Array
}

/** The websocket of a client. */
export interface NodeSocket {
  /** Sends a value as JSON. */
  send(message: unknown): void
  onClose(listener: () => void): void
}

/** How nodes of a chain speak. */
export interface NodeDialect {
  /** A SyntaxError is answered with the status 400, any other error with 500. */
  http(request: NodeRequest): NodeReply | Promise<NodeReply>
  /** Opens a connection. Returns the reader of its messages. Absent: no websocket. */
  socket?(socket: NodeSocket): (text: string) => void | Promise<void>
}

/** Calls that control a local chain, by name. */
export type Controls = Readonly<Record<string, (...params: never[]) => unknown>>

/** A running server. */
export interface NodeServer {
  readonly port: number
  close(): Promise<void>
}

export interface NodeServerOptions {
  /** 0 (default): any free port. */
  readonly port?: number
  readonly dialect: NodeDialect
  readonly controls?: Controls
}

const CONTROL_PATH = '/_local/'

/** Longer than clients keep a connection: a request must not meet the end of one. */
export const KEEP_ALIVE_MS = 120_000

/** Serves a node on one port of 127.0.0.1: HTTP, websocket, and its controls. */
export const serveNode = async ({ port = 0, dialect, controls = {} }: NodeServerOptions): Promise<NodeServer> => {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    (incoming, outgoing) => void serve(incoming, outgoing, dialect, controls),
  )
  const sockets = dialect.socket === undefined ? null : new WebSocketServer({ server })
  sockets?.on('connection', (socket) => serveSocket(socket, dialect))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    sockets?.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    // CAST: a server that listens on a port has an address with a port.
    port: (server.address() as AddressInfo).port,
    close: () => {
      endSockets(sockets)
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Serves the websocket of a dialect alone. Returns null if the port is in use. */
export const serveSocketsAt = (port: number, dialect: NodeDialect): Promise<NodeServer | null> =>
  new Promise((resolve) => {
    const sockets = new WebSocketServer({ host: '127.0.0.1', port })
    sockets.once('error', () => resolve(null))
    sockets.once('listening', () => resolve({ port, close: async () => endSockets(sockets) }))
    sockets.on('connection', (socket) => serveSocket(socket, dialect))
  })

const endSockets = (sockets: WebSocketServer | null): void => {
  for (const socket of sockets?.clients ?? []) socket.terminate()
  sockets?.close()
}

const serve = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  dialect: NodeDialect,
  controls: Controls,
): Promise<void> => {
  const { method = 'GET', url = '/', headers } = incoming
  try {
    const { pathname: path, searchParams: query } = new URL(url, 'http://127.0.0.1')
    const body = await textOf(incoming)
    const isControl = path.startsWith(CONTROL_PATH)
    const request = { method, path, query, headers, body }
    respond(outgoing, isControl ? await control(controls, request) : await dialect.http(request))
  } catch (error) {
    if (error instanceof FaultedCall) return suffer(outgoing, error.fault)
    const body = error instanceof Error ? error.message : 'Internal error'
    respond(outgoing, { status: error instanceof SyntaxError ? 400 : 500, type: 'text/plain', body })
  }
}

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const respond = (outgoing: ServerResponse, { status = 200, type = 'application/json', body }: NodeReply): void =>
  void outgoing.writeHead(status, { 'content-type': type }).end(body)

const suffer = (outgoing: ServerResponse, { hang, status, garbage }: NodeFault): void => {
  if (hang === true) return
  const text = garbage ?? 'unavailable'
  respond(outgoing, { status: status ?? (garbage === undefined ? 503 : 200), type: 'text/plain', body: text })
}

const control = async (controls: Controls, { path, body }: NodeRequest): Promise<NodeReply> => {
  const name = path.slice(CONTROL_PATH.length)
  const call = Object.hasOwn(controls, name) ? controls[name] : undefined
  try {
    if (call === undefined) throw new Error(`This local chain has no control ${name}`)
    // CAST: the caller knows the parameters, which came as JSON.
    const params = JSON.parse(body) as never[]
    return { body: JSON.stringify({ value: await call(...params) }) }
  } catch (error) {
    return { body: JSON.stringify({ error: error instanceof Error ? error.message : String(error) }) }
  }
}

/**
 * Calls a control of a local chain.
 * @param http URL of any of its nodes; the control of a node applies to that node
 * @param params JSON; a bigint arrives as decimal text
 * @throws Error with the reason of the chain
 */
export const controlNode = async <T = void>(http: string, name: string, ...params: readonly unknown[]): Promise<T> => {
  const url = `${new URL(http).origin}${CONTROL_PATH}${name}`
  const body = JSON.stringify(params, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  const response = await fetch(url, { method: 'POST', body })
  // CAST: the answer of `control`.
  const { value, error } = (await response.json()) as { readonly value: T; readonly error?: string }
  if (error !== undefined) throw new Error(error)
  return value
}

const serveSocket = (socket: WebSocket, dialect: NodeDialect): void => {
  const read = dialect.socket?.({
    send: (message) => socket.send(JSON.stringify(message)),
    onClose: (listener) => void socket.on('close', listener),
  })
  socket.on('error', () => socket.terminate())
  socket.on('message', async (data) => {
    try {
      await read?.(String(data))
    } catch (error) {
      if (!(error instanceof FaultedCall)) return socket.terminate()
      const { hang, garbage } = error.fault
      if (hang === true) return
      if (garbage === undefined) socket.terminate()
      else socket.send(garbage)
    }
  })
}
