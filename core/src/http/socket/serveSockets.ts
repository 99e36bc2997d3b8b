import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RunningServer } from '../listen.js'
import { clientAddressReader } from '../request/clientAddress.js'
import type { SocketEndpoint } from './socketEndpoint.js'

export interface ServeSocketsOptions {
  readonly endpoints: readonly SocketEndpoint[]
  /** Addresses or CIDR ranges whose `x-forwarded-for` or `Forwarded` is believed. */
  readonly trustedProxies?: readonly string[]
}

/** Refuses a websocket before it is one: an HTTP answer `{message}`, and the end of the connection. */
export const refuseSocket = (
  socket: Duplex,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const body = JSON.stringify({ message })
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  // A client that never reads its answer keeps nothing open.
  setTimeout(() => socket.destroy(), REFUSAL_MS).unref()
}

const REFUSAL_MS = 2_000

const pathOf = ({ url = '' }: IncomingMessage): string => {
  const path = url.split('?', 1)[0] ?? ''
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

const UPGRADE_HEADERS = new Set(['connection', 'upgrade', 'http2-settings'])

/** The request as its client sent it, without the wish for another protocol. */
const plainRequest = ({ method, url, httpVersion, rawHeaders }: IncomingMessage, head: Buffer): Buffer => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head])
}

/**
 * Serves websockets beside the routes of a server. Other wishes for another protocol, such as `h2c`, are passed over as HTTP
 * wants it, and the request is served. Throws on a malformed proxy list, or where two endpoints want one path.
 */
export const serveSockets = ({ server }: Pick<RunningServer, 'server'>, options: ServeSocketsOptions): void => {
  const addressOf = clientAddressReader(options.trustedProxies ?? [])
  const byPath = new Map<string, SocketEndpoint>()
  for (const endpoint of options.endpoints) {
    for (const path of endpoint.paths) {
      if (byPath.has(path)) throw new Error(`Two plugins serve websockets at ${path}`)
      byPath.set(path, endpoint)
    }
  }
  if (byPath.size === 0) return
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      socket.unshift(plainRequest(request, head))
      server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
      return
    }
    // Without a listener a client that resets its connection would end the process.
    socket.on('error', () => socket.destroy())
    const endpoint = byPath.get(pathOf(request))
    if (endpoint === undefined) refuseSocket(socket, 404, 'There is no websocket at this path')
    else endpoint.open({ request, socket, head, ip: addressOf(request) })
  })
}
