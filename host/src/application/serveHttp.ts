import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  CONNECTION_REFUSALS,
  type ConnectionRefusal,
  createApplication,
  permitRoutes,
  type RunningServer,
  startServer,
} from '@causeway/core/host'
import {
  CALL_OBSERVERS,
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
import { livesRoute } from './livesRoute.js'
import type { OpenHost } from './opening/openHost.js'

/** The port or address cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** What a process serves: with the role `api` the routes of all plugins and their description, else only liveness. */
export const routesOf = ({ config }: LoadedConfig, host: OpenHost): readonly Route[] => {
  const serveApi = config.roles.includes('api')
  const ofPlugins = serveApi ? host.plugins.flatMap(({ plugin, context }) => plugin.routes?.(context) ?? []) : []
  const shared = serveApi ? permitRoutes(host.container.resolve(PERMIT_HANDLERS)) : []
  const hasLives = ofPlugins.some(({ path }) => path === '/lives')
  const routes = [...ofPlugins, ...shared, ...(hasLives ? [] : [livesRoute(host.pool)])]
  return serveApi && config.http.documentation ? [...routes, ...documentationRoutes(routes)] : routes
}

/** The websockets of a process with the role `api`. */
const socketsOf = ({ config }: LoadedConfig, host: OpenHost) =>
  config.roles.includes('api') ? host.plugins.flatMap(({ plugin, context }) => plugin.sockets?.(context) ?? []) : []

const readTls = ({ config, folder, fail }: LoadedConfig) => {
  const { tls } = config.http
  if (tls === undefined) return {}
  const read = (name: 'certFile' | 'keyFile') => {
    try {
      return readFileSync(resolve(folder, tls[name]), 'utf8')
    } catch {
      throw fail([
        { path: `http.tls.${name}`, message: 'cannot be read.', remedy: 'Name a PEM file this user may read.' },
      ])
    }
  }
  return { tls: { cert: read('certFile'), key: read('keyFile') } }
}

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another process. Stop that one, or choose another with --port or PORT.',
  EACCES: 'may not be used by this user. Choose one above 1023.',
  EADDRNOTAVAIL: 'cannot be used: this machine has no such address. Correct "http.host".',
}

const listenError = (error: unknown, host: string, port: number): unknown => {
  const remedy = REMEDIES[String(Reflect.get(Object(error), 'code'))]
  return remedy === undefined ? error : new ListenError(`Port ${port} of ${host} ${remedy}`, { cause: error })
}

/** Says goodbye to websockets first: HTTP ends when the last connection is gone, and theirs would not go. */
const closeAll = async (endpoints: readonly SocketEndpoint[], server: RunningServer, grace: number): Promise<void> => {
  await Promise.all([...endpoints.map((endpoint) => endpoint.close()), server.close(grace)])
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
  readonly log: Logger
  readonly checkResponses: boolean
}

/** Starts the listener, with metrics beside the routes. @throws ListenError */
export const serveHttp = async (
  loaded: LoadedConfig,
  host: OpenHost,
  { routes, log, checkResponses }: ServeHttpOptions,
): Promise<RunningServer> => {
  const { http, roles } = loaded.config
  const serveApi = roles.includes('api')
  const registered = host.container
  const app = createApplication({
    routes,
    log,
    checkResponses,
    auth: serveApi && registered.isRegistered(INTEGRATOR_AUTH) ? registered.resolve(INTEGRATOR_AUTH) : undefined,
    rateLimiter: serveApi && registered.isRegistered(RATE_LIMITER) ? registered.resolve(RATE_LIMITER) : undefined,
    callObservers: serveApi ? registered.resolve(CALL_OBSERVERS) : [],
    idempotentCalls: registered.resolve(IDEMPOTENT_CALLS),
    limits: { bodyBytes: http.bodyLimitKiB * 1024, requestMilliseconds: http.timeLimitSeconds * 1000 },
    trustedProxies: http.trustedProxies,
    observe: host.metrics.observeRequest,
  })
  app.middleware.unshift(host.metrics.middleware)
  const port = http.port ?? 0
  const endpoints = socketsOf(loaded, host)
  let server: RunningServer | undefined
  try {
    const refused = measureConnections(host, () => server?.connections() ?? 0)
    const connections = {
      most: http.maxConnections,
      perAddress: http.connectionsPerAddress,
      trustedProxies: http.trustedProxies,
      onRefused: (reason: ConnectionRefusal) => refused.add({ reason }),
    }
    server = await startServer(app, { host: http.host, port, ...readTls(loaded), connections })
    serveSockets(server, { endpoints, trustedProxies: http.trustedProxies })
    compileSchemas(log)
    const running = server
    return { ...running, close: (grace) => closeAll(endpoints, running, grace) }
  } catch (error) {
    throw listenError(error, http.host, port)
  }
}
