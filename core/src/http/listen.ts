import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { isIPv6 } from 'node:net'
import type Koa from 'koa'
import { type ConnectionLimitOptions, ConnectionLimits } from './request/connectionLimits.js'
import { type ListenerName, noteListener } from './request/listenerName.js'

export interface ListenOptions {
  /** Which of the process it is (default `main`); its requests say so. */
  readonly name?: ListenerName
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** PEM texts; without it plain HTTP is spoken, for use behind a proxy (wire.md K.5 3). */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Without them any number of connections is taken. */
  readonly connections?: ConnectionLimitOptions
}

export interface RunningServer {
  /** `http://127.0.0.1:4000`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** For upgrades, for example of the websocket. */
  readonly server: Server
  /** How many connections are open now; 0 where they are not counted. */
  connections(): number
  /**
   * Stops accepting, lets requests in flight finish for `graceMilliseconds`, then cuts what is left. Resolves when the
   * last connection is gone. Safe to call twice.
   */
  close(graceMilliseconds: number): Promise<void>
}

/** The longest query is a search of the history of requests (wire.md 3.1 `filters`), percent-encoded. */
const MAX_HEADER_BYTES = 131_072

/** How often connections are looked at that are over one of the times below. */
const CHECK_MS = 5_000
const HANDSHAKE_MS = 10_000

const setTimeouts = (server: Server): void => {
  server.headersTimeout = 10_000
  server.requestTimeout = 60_000
  // Above the idle time of usual load balancers, so that they, not we, close a connection they may be about to use.
  server.keepAliveTimeout = 65_000
  server.maxRequestsPerSocket = 0
}

const listening = (server: Server, options: ListenOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => {
      server.removeListener('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : options.port)
    })
  })

/** The answers being made, so that a drain can close their connections after them. */
class InFlight {
  readonly #responses = new Set<ServerResponse>()
  #draining = false

  wrap(server: () => Server, handle: RequestListener): RequestListener {
    return (request, response) => {
      this.#responses.add(response)
      if (this.#draining) response.setHeader('connection', 'close')
      response.once('close', () => {
        this.#responses.delete(response)
        if (this.#draining) server().closeIdleConnections()
      })
      handle(request, response)
    }
  }

  drain(): void {
    this.#draining = true
    for (const response of this.#responses) if (!response.headersSent) response.setHeader('connection', 'close')
  }
}

const closeServer = (server: Server, inFlight: InFlight, graceMilliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    inFlight.drain()
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })

/** Starts serving an application. Rejects when the port cannot be taken. */
export const startServer = async (app: Koa, options: ListenOptions): Promise<RunningServer> => {
  const inFlight = new InFlight()
  const callback = app.callback()
  const limits = options.connections && new ConnectionLimits(options.connections)
  const handle = inFlight.wrap(
    () => server,
    (request, response) => {
      noteListener(request, options.name ?? 'main')
      void callback(request, response)
    },
  )
  const common = { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: CHECK_MS }
  const server: Server = options.tls
    ? createTlsServer({ ...options.tls, ...common, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS }, handle)
    : createServer(common, handle)
  setTimeouts(server)
  limits?.watch(server, options.tls !== undefined)
  const port = await listening(server, options)
  const host = isIPv6(options.host) ? `[${options.host}]` : options.host
  let closed: Promise<void> | undefined
  return {
    url: `${options.tls ? 'https' : 'http'}://${host}:${port}`,
    port,
    server,
    connections: () => limits?.open ?? 0,
    close: (graceMilliseconds) => {
      closed ??= closeServer(server, inFlight, graceMilliseconds)
      return closed
    },
  }
}
