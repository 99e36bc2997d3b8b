import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { until } from '../harness/until.js'
import type { ServerCertificate } from './certificates.js'

/** A call as it arrived. */
export interface ReceivedCall {
  readonly at: number
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What a receiver does with a call: answers a status, or misbehaves. */
export type Behaviour = number | ((call: ReceivedCall, response: ServerResponse, request: IncomingMessage) => void)

export interface Receiver {
  readonly url: string
  readonly port: number
  /** Every call, oldest first. */
  readonly calls: readonly ReceivedCall[]
  /** Decides from now on; by the path of the call where it is a table. */
  behave(behaviour: Behaviour): void
  /** Resolves with the calls once there are so many. */
  received(count: number, milliseconds?: number): Promise<readonly ReceivedCall[]>
  /** Ends kept connections. */
  hangUp(): void
  close(): Promise<void>
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** A real HTTPS server for webhooks. */
export const startReceiver = async (
  certificate: ServerCertificate,
  options: { readonly host?: string; onCall?(call: ReceivedCall): void; readonly forget?: boolean } = {},
): Promise<Receiver> => {
  const calls: ReceivedCall[] = []
  let behaviour: Behaviour = 200
  const sockets = new Set<Duplex>()
  const server = createServer({ ...certificate, keepAliveTimeout: 60_000 }, (request, response) => {
    const at = performance.now()
    void textOf(request).then(
      (body) => {
        const { url: path = '', method = '', headers } = request
        const call = { at, path, method, headers, body }
        if (options.forget !== true) calls.push(call)
        options.onCall?.(call)
        if (typeof behaviour === 'number') response.writeHead(behaviour).end()
        else behaviour(call, response, request)
      },
      () => undefined,
    )
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, options.host ?? '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    calls,
    behave: (next) => {
      behaviour = next
    },
    received: async (count, milliseconds) => {
      await until(`${count} calls`, async () => (calls.length >= count ? true : null), milliseconds)
      return calls
    },
    hangUp: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Never answers. */
export const hang: Behaviour = () => undefined
/** Below TLS: what a reset is sent on. */
const wireOf = (request: IncomingMessage): Socket => {
  const below: unknown = Reflect.get(request.socket, '_parent')
  if (!(below instanceof Socket)) throw new Error('No socket below TLS')
  return below
}

/** Resets the connection without an answer. */
export const reset: Behaviour = (_call, _response, request) => void wireOf(request).resetAndDestroy()
/** Ends the connection without an answer. */
export const leave: Behaviour = (_call, _response, request) => void request.socket.destroy()
/** Sends a body without end. */
export const babble: Behaviour = (_call, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('x'.repeat(10_000)), 5)
  response.on('close', () => clearInterval(timer))
}
/** Sends its status, promises a body and leaves. */
export const breakOff: Behaviour = (_call, response, request) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('a start', () => request.socket.destroy())
}
/** Sends its status, promises a body and resets the connection. */
export const breakOffHard: Behaviour = (_call, response, request) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('a start', () => wireOf(request).resetAndDestroy())
}
/** Sends its status and a body whose chunks are none. */
export const badChunks: Behaviour = (_call, _response, { socket }) =>
  void socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n7\r\na start\r\nno chunk\r\n')
/** Says that it speaks something else from now on. */
export const upgrade: Behaviour = (_call, _response, { socket }) =>
  void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: other\r\n\r\n')
/** The same without a word of what. */
export const upgradeToNothing: Behaviour = (_call, _response, { socket }) =>
  void socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
export const redirectTo =
  (location: string): Behaviour =>
  (_call, response) =>
    void response.writeHead(307, { location }).end()
