import { CONNECTION_REFUSALS, type ConnectionRefusal, createApplication, permitRoutes } from '@causeway/core/host'
import {
  CALL_OBSERVERS,
  DEFAULT_KEY,
  IDEMPOTENT_CALLS,
  INTEGRATOR_AUTH,
  PERMIT_HANDLERS,
  RATE_LIMITER,
  type Route,
  type SocketEndpoint,
  serveSockets,
} from '@causeway/core/plugin'
import type { Logger } from 'pino'
import type { LoadedConfig } from '../config/loadConfig.js'
import { compileSchemas } from './compileSchemas.js'
import { documentationRoutes } from './documentation/documentationRoutes.js'
import { consoleListenerOf, type Listeners, startListeners } from './listeners.js'
import { livesRoute } from './livesRoute.js'
import type { OpenHost } from './opening/openHost.js'

/** Where changes of status are told over websockets (wire.md 5.1). */
const STATUS_SOCKET = '/ws'

/** What a process serves: with the role `api` the routes of all plugins and their description, else only liveness. */
export const routesOf = (
  { config }: LoadedConfig,
  host: OpenHost,
  sockets: readonly Pick<SocketEndpoint, 'paths'>[],
): readonly Route[] => {
  const serveApi = config.roles.includes('api')
  const ofPlugins = serveApi ? host.plugins.flatMap(({ plugin, context }) => plugin.routes?.(context) ?? []) : []
  const shared = serveApi ? permitRoutes(host.container.resolve(PERMIT_HANDLERS)) : []
  const hasLives = ofPlugins.some(({ path }) => path === '/lives')
  const routes = [...ofPlugins, ...shared, ...(hasLives ? [] : [livesRoute(host.pool)])]
  if (!serveApi || !config.http.documentation) return routes
  const websocket = sockets.some(({ paths }) => paths.includes(STATUS_SOCKET))
  return [...routes, ...documentationRoutes(routes, { websocket })]
}

/** The websockets of a process with the role `api`. */
export const socketsOf = ({ config }: LoadedConfig, host: OpenHost): readonly SocketEndpoint[] =>
  config.roles.includes('api') ? host.plugins.flatMap(({ plugin, context }) => plugin.sockets?.(context) ?? []) : []

/** Says goodbye to websockets first: HTTP ends when the last connection is gone, and theirs would not go. */
const closeAll = async (endpoints: readonly SocketEndpoint[], listeners: Listeners, grace: number): Promise<void> => {
  await Promise.all([...endpoints.map((endpoint) => endpoint.close()), listeners.close(grace)])
}

/** Tells how many connections are open, and counts those that were refused. */
const measureConnections = ({ metrics: { metrics } }: OpenHost, open: () => number) => {
  const refused = metrics.counter({
    name: 'causeway_http_connections_refused_total',
    help: 'Connections refused because the process, or their address, had as many as it may',
    labels: { reason: CONNECTION_REFUSALS },
  })
  const gauge = 'causeway_http_connections'
  metrics.addSource({
    name: 'connections',
    gauges: [{ name: gauge, help: 'Connections open', labels: {} }],
    read: async () => [{ gauge, labels: {}, value: open() }],
  })
  return refused
}

export interface ServeHttpOptions {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketEndpoint[]
  readonly log: Logger
  readonly checkResponses: boolean
}

/** What a process serves at. */
export type ServedHttp = Pick<Listeners, 'url' | 'consoleUrl' | 'close'>

/** Starts the listeners, with metrics beside the routes. @throws ListenError */
export const serveHttp = async (
  loaded: LoadedConfig,
  host: OpenHost,
  { routes, sockets, log, checkResponses }: ServeHttpOptions,
): Promise<ServedHttp> => {
  const { http, roles, network } = loaded.config
  const serveApi = roles.includes('api')
  const registered = host.container
  const app = createApplication({
    routes,
    log,
    checkResponses,
    auth: serveApi && registered.isRegistered(INTEGRATOR_AUTH) ? registered.resolve(INTEGRATOR_AUTH) : undefined,
    // Sandboxes alone: on a real network no caller acts by a key that it did not send.
    defaultKey:
      network === 'testnet' && registered.isRegistered(DEFAULT_KEY) ? registered.resolve(DEFAULT_KEY) : undefined,
    rateLimiter: serveApi && registered.isRegistered(RATE_LIMITER) ? registered.resolve(RATE_LIMITER) : undefined,
    callObservers: serveApi ? registered.resolve(CALL_OBSERVERS) : [],
    idempotentCalls: registered.resolve(IDEMPOTENT_CALLS),
    limits: { bodyBytes: http.bodyLimitKiB * 1024, requestMilliseconds: http.timeLimitSeconds * 1000 },
    trustedProxies: http.trustedProxies,
    consoleOn: consoleListenerOf(http),
    observe: host.metrics.observeRequest,
  })
  app.middleware.unshift(host.metrics.middlewareOn(consoleListenerOf(http)))
  let listeners: Listeners | undefined
  const refused = measureConnections(host, () => listeners?.connections() ?? 0)
  const running = await startListeners(app, loaded, {
    onRefused: (reason: ConnectionRefusal) => refused.add({ reason }),
    onListening: (server) => serveSockets(server, { endpoints: sockets, trustedProxies: http.trustedProxies }),
  })
  listeners = running
  compileSchemas(log)
  const { url, consoleUrl } = running
  return { url, consoleUrl, close: (grace) => closeAll(sockets, running, grace) }
}
