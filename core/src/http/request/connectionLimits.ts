import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { proxyMatcher } from './clientAddress.js'
import { clientNetwork } from './clientNetwork.js'

/** Why a connection was refused: the process has as many as it may, or its address has. */
export const CONNECTION_REFUSALS = ['total', 'address'] as const
export type ConnectionRefusal = (typeof CONNECTION_REFUSALS)[number]

export interface ConnectionLimitOptions {
  /** Most connections at once. */
  readonly most: number
  /** Most of one address (of IPv6 one /64), idle ones and websockets too. */
  readonly perAddress: number
  /** Proxies that stand for many clients and have limits of their own: theirs are never refused. */
  readonly trustedProxies: readonly string[]
  onRefused?(reason: ConnectionRefusal): void
}

const BODY = JSON.stringify({ message: 'Too many connections; close some or try again later' })
const REFUSAL = [
  'HTTP/1.1 503 Service Unavailable',
  'connection: close',
  'retry-after: 5',
  'content-type: application/json; charset=utf-8',
  `content-length: ${BODY.length}`,
  '',
  BODY,
].join('\r\n')
/** Between closings of idle connections. */
const CLEAR_MS = 1_000

/** Counts the connections of a listener and refuses those beyond its limits before anything of them is read. */
export class ConnectionLimits {
  readonly #options: ConnectionLimitOptions
  readonly #isProxy: (address: string) => boolean
  readonly #ofAddress = new Map<string, number>()
  /** A connection that wished for another protocol than the websocket is handed to the server a second time. */
  readonly #counted = new WeakSet<Socket>()
  #open = 0
  #clearedAt = Number.NEGATIVE_INFINITY

  /** Throws on a malformed list of proxies. */
  constructor(options: ConnectionLimitOptions) {
    this.#options = options
    this.#isProxy = proxyMatcher(options.trustedProxies)
  }

  /** Connections open now. */
  get open(): number {
    return this.#open
  }

  /** Looks at every connection that a server takes; `secure` ones cannot be answered before their handshake. */
  watch(server: Server, secure: boolean): void {
    server.prependListener('connection', (socket: Socket) => {
      const address = socket.remoteAddress ?? ''
      if (this.#counted.has(socket)) return
      const reason = this.#isProxy(address) ? null : this.#reasonAgainst(address, server)
      if (reason === null) return this.#count(socket, clientNetwork(address))
      this.#options.onRefused?.(reason)
      socket.on('error', () => socket.destroy())
      if (!secure) socket.write(REFUSAL)
      socket.destroySoon()
    })
  }

  #reasonAgainst(address: string, server: Server): ConnectionRefusal | null {
    const { most, perAddress } = this.#options
    if ((this.#ofAddress.get(clientNetwork(address)) ?? 0) >= perAddress) return 'address'
    if (this.#open < most) return null
    this.#closeIdle(server)
    return 'total'
  }

  /** Makes room for those who come next: who is idle may come again. */
  #closeIdle(server: Server): void {
    const now = performance.now()
    if (now - this.#clearedAt < CLEAR_MS) return
    this.#clearedAt = now
    server.closeIdleConnections()
  }

  #count(socket: Socket, network: string): void {
    this.#counted.add(socket)
    this.#open += 1
    this.#ofAddress.set(network, (this.#ofAddress.get(network) ?? 0) + 1)
    socket.once('close', () => {
      this.#open -= 1
      const left = (this.#ofAddress.get(network) ?? 0) - 1
      if (left > 0) this.#ofAddress.set(network, left)
      else this.#ofAddress.delete(network)
    })
  }
}
