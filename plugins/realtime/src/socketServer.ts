import { randomUUID } from 'node:crypto'
import type { Clock } from '@causeway/core'
import {
  ANONYMOUS,
  type Caller,
  clientNetwork,
  type IntegratorAuth,
  type Metrics,
  refuseSocket,
  type SocketCall,
  type SocketEndpoint,
} from '@causeway/core/plugin'
import pLimit from 'p-limit'
import { type WebSocket, WebSocketServer } from 'ws'
import { CLOSE } from './closeCodes.js'
import { Connection } from './connection.js'
import type { EventFeed } from './eventFeed.js'
import type { EventReplay } from './eventReplay.js'
import { isRefusal, KeyHolders } from './keyHolders.js'
import type { RealtimeOptions } from './options.js'
import { RealtimeMetrics } from './realtimeMetrics.js'
import { EventTexts } from './serverMessages.js'

export interface SocketServerDeps {
  readonly feed: EventFeed
  readonly replay: EventReplay
  readonly auth: IntegratorAuth
  readonly clock: Clock
  readonly metrics: Metrics
  readonly options: RealtimeOptions
}

/** A revocation is felt within it even where its notice is lost (wire.md H.1). */
const KEY_CHECK_MS = 5_000
const CHECK_MS = 1_000
/** Handshakes whose key is being looked up, or waits to be. */
const MOST_ARRIVING = 1_000
/** Look-ups at a time: a storm of clients must leave connections to the payments. */
const MOST_LOOKUPS = 3

/** The key of the query (wire.md 5.1), or of the header that every other operation takes. */
const apiKeyOf = ({ url = '', headers }: SocketCall['request']): string | undefined => {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'))
  const header = headers['x-api-key']
  return query.get('apiKey') ?? (typeof header === 'string' ? header : undefined)
}

/** Takes clients in, counts them, and lets them go. */
export class SocketServer implements SocketEndpoint {
  readonly paths = ['/', '/ws']
  readonly #deps: SocketServerDeps
  readonly #server: WebSocketServer
  readonly #connections = new Set<Connection>()
  /** Sockets of each address or key. */
  readonly #counts = new Map<string, number>()
  readonly #holders: KeyHolders
  readonly #texts: EventTexts
  readonly #metrics: RealtimeMetrics
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #lookups = pLimit(MOST_LOOKUPS)
  #arriving = 0
  #closing = false
  #emptied: () => void = () => undefined

  constructor(deps: SocketServerDeps) {
    this.#deps = deps
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      // A connection answers pings itself, as far as its client may send.
      autoPong: false,
      maxPayload: deps.options.frameKiB * 1024,
    })
    this.#holders = new KeyHolders({ auth: deps.auth })
    this.#texts = new EventTexts({ clock: deps.clock })
    this.#metrics = new RealtimeMetrics({ metrics: deps.metrics, open: () => this.#counted() })
    this.#timers = [
      setInterval(() => this.#endSilence(), CHECK_MS).unref(),
      setInterval(() => void this.checkKeys(), KEY_CHECK_MS).unref(),
    ]
  }

  /** Number of sockets open. */
  get connections(): number {
    return this.#connections.size
  }

  open(call: SocketCall): void {
    this.#arriving += 1
    this.#admit(call)
      .catch(() => refuseSocket(call.socket, 500, 'The websocket could not be opened'))
      .finally(() => {
        this.#arriving -= 1
      })
  }

  /** Sends away the holders of keys that no longer count. */
  checkKeys(): Promise<void> {
    return this.#holders.check()
  }

  async close(): Promise<void> {
    this.#closing = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const connection of this.#connections) connection.close(CLOSE.restart, 'the service restarts')
    if (this.#connections.size > 0) {
      await new Promise<void>((resolve) => {
        this.#emptied = resolve
      })
    }
  }

  async #admit(call: SocketCall): Promise<void> {
    const { request, socket } = call
    const full = this.#connections.size + this.#arriving > this.#deps.options.maxSockets
    if (this.#closing || full || this.#arriving > MOST_ARRIVING) {
      this.#metrics.refused('total')
      return refuseBusy(call)
    }
    const apiKey = apiKeyOf(request)
    const caller = apiKey === undefined ? ANONYMOUS : await this.#callerOf(apiKey)
    if (socket.destroyed) return
    if (this.#closing || caller === 'unknown') return refuseBusy(call)
    if (caller === 'refused') return this.#sendAway(call)
    const places = this.#placesOf(caller, call.ip)
    if (places.some(([place, most]) => (this.#counts.get(place) ?? 0) >= most)) {
      this.#metrics.refused('caller')
      return refuseSocket(socket, 429, 'Too many websockets; close some first', { 'retry-after': '10' })
    }
    this.#server.handleUpgrade(request, socket, call.head, (opened) =>
      this.#welcome(opened, { caller, apiKey, places: places.map(([place]) => place) }),
    )
  }

  async #callerOf(apiKey: string): Promise<Caller | 'refused' | 'unknown'> {
    try {
      return await this.#lookups(() => this.#deps.auth.authenticate(apiKey))
    } catch (error) {
      return isRefusal(error) ? 'refused' : 'unknown'
    }
  }

  /** Where a socket counts, and the most there may be: wallets make keys for nothing, so these count by address as well. */
  #placesOf(caller: Caller, ip: string): readonly (readonly [string, number])[] {
    const { socketsPerAddress, socketsPerKey, keyedSocketsPerAddress } = this.#deps.options
    const network = clientNetwork(ip)
    if (caller.kind !== 'integrator') return [[`address ${network}`, socketsPerAddress]]
    return [
      [`key ${caller.apiKeyId}`, socketsPerKey],
      [`keys of ${network}`, keyedSocketsPerAddress],
    ]
  }

  /** A browser learns why only from the code of a socket that was open (wire.md H.4). */
  #sendAway({ request, socket, head }: SocketCall): void {
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => undefined)
      opened.close(CLOSE.badKey, 'the API key is not valid')
      const cut = setTimeout(() => opened.terminate(), CHECK_MS)
      opened.once('close', () => clearTimeout(cut))
      this.#metrics.closed(CLOSE.badKey)
    })
  }

  #welcome(
    socket: WebSocket,
    {
      caller,
      apiKey,
      places,
    }: { readonly caller: Caller; readonly apiKey: string | undefined; readonly places: readonly string[] },
  ): void {
    const { feed, replay, options } = this.#deps
    const connection: Connection = new Connection(socket, caller, {
      feed,
      replay,
      options,
      texts: this.#texts,
      onEvent: () => this.#metrics.event(),
      onClose: (code) => {
        this.#connections.delete(connection)
        for (const place of places) this.#count(place, -1)
        if (apiKey !== undefined) this.#holders.remove(apiKey, connection)
        this.#metrics.closed(code)
        if (this.#connections.size === 0) this.#emptied()
      },
    })
    this.#connections.add(connection)
    for (const place of places) this.#count(place, 1)
    if (apiKey !== undefined) this.#holders.add(apiKey, connection)
    connection.welcome(randomUUID())
  }

  #count(place: string, change: number): void {
    const count = (this.#counts.get(place) ?? 0) + change
    if (count === 0) this.#counts.delete(place)
    else this.#counts.set(place, count)
  }

  /** Who would hear nothing while there is something to tell does better to ask (wire.md A.8). */
  #endSilence(): void {
    const { feed, options } = this.#deps
    if (feed.silentFor(performance.now()) < options.silenceSeconds * 1000) return
    for (const connection of this.#connections) {
      if (connection.subscriptions > 0) connection.close(CLOSE.tryLater, 'events cannot be read now')
    }
  }

  #counted() {
    let subscriptions = 0
    for (const connection of this.#connections) subscriptions += connection.subscriptions
    return { sockets: this.#connections.size, subscriptions }
  }
}

const refuseBusy = ({ socket }: SocketCall): void =>
  refuseSocket(socket, 503, 'No further websocket can be opened now; try again later', { 'retry-after': '5' })
