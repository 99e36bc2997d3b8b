import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ConnectionRefusal, type RunningServer, startServer } from '@causeway/core/host'
import type Koa from 'koa'
import type { LoadedConfig } from '../config/loadConfig.js'
import type { HostConfig } from '../config/schema/schema.js'

/** The port or address cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

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

interface Place {
  readonly host: string
  readonly port: number
  /** Of the configuration, where its host and port stand. */
  readonly path: 'http' | 'http.console'
}

const remedyOf = (code: unknown, { path }: Place): string | undefined => {
  const another = path === 'http' ? 'choose another with --port or PORT' : 'choose another as "http.console.port"'
  const remedies: Readonly<Record<string, string>> = {
    EADDRINUSE: `is taken by another process. Stop that one, or ${another}.`,
    EACCES: 'may not be used by this user. Choose one above 1023.',
    EADDRNOTAVAIL: `cannot be used: this machine has no such address. Correct "${path}.host".`,
  }
  return remedies[String(code)]
}

const listenError = (error: unknown, place: Place): unknown => {
  const remedy = remedyOf(Reflect.get(Object(error), 'code'), place)
  if (remedy === undefined) return error
  return new ListenError(`Port ${place.port} of ${place.host} ${remedy}`, { cause: error })
}

/** Which listener serves the operator console and the metrics. */
export const consoleListenerOf = (http: HostConfig['http']): 'main' | 'console' =>
  http.console.shared ? 'main' : 'console'

/** Between the port of the first listener and that of the operator, where none is configured. */
const OPERATOR_PORT_STEP = 1_000

/** Where the operator's listener is tried, in this order. */
const operatorPorts = ({ console: own }: HostConfig['http'], mainPort: number): readonly number[] => {
  if (own.port !== undefined) return [own.port]
  const above = mainPort + OPERATOR_PORT_STEP
  return mainPort === 0 || above > 65_535 ? [0] : [above, 0]
}

/** The listeners of a process, one application behind them. */
export interface Listeners {
  readonly url: string
  /** Of the operator's listener; null where the first one is it. */
  readonly consoleUrl: string | null
  connections(): number
  close(graceMilliseconds: number): Promise<void>
}

interface StartListenersDeps {
  readonly onRefused: (reason: ConnectionRefusal) => void
  /** Called for each before its first connection is served. */
  readonly onListening: (server: RunningServer) => void
}

/** Starts them, each with the connection limits of the configuration; none is left where one fails. @throws ListenError */
export const startListeners = async (
  app: Koa,
  loaded: LoadedConfig,
  { onRefused, onListening }: StartListenersDeps,
): Promise<Listeners> => {
  const { http } = loaded.config
  const { maxConnections: most, connectionsPerAddress: perAddress, trustedProxies } = http
  const common = { ...readTls(loaded), connections: { most, perAddress, trustedProxies, onRefused } }
  const start = async (name: 'main' | 'console', place: Place): Promise<RunningServer> => {
    try {
      const server = await startServer(app, { ...common, name, host: place.host, port: place.port })
      onListening(server)
      return server
    } catch (error) {
      throw listenError(error, place)
    }
  }
  const mainPort = http.port ?? 0
  const main = await start('main', { host: http.host, port: mainPort, path: 'http' })
  if (http.console.shared) return { ...main, consoleUrl: null }
  const { host } = http.console
  const startOwn = async ([port = 0, ...others]: readonly number[]): Promise<RunningServer> => {
    try {
      return await start('console', { host, port, path: 'http.console' })
    } catch (error) {
      if (error instanceof ListenError && others.length > 0) return startOwn(others)
      await main.close(0)
      throw error
    }
  }
  const own = await startOwn(operatorPorts(http, mainPort))
  return {
    url: main.url,
    consoleUrl: own.url,
    connections: () => main.connections() + own.connections(),
    close: async (grace) => {
      await Promise.all([main.close(grace), own.close(grace)])
    },
  }
}
