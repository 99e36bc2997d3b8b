import { type ApplicationOptions, createApplication } from './application.js'
import { type RunningServer, startServer } from './listen.js'
import { createLogger } from './logging/logger.js'
import { compileNext } from './request/validate.js'
import type { Route } from './route.js'

export interface TestServer {
  readonly server: RunningServer
  /** Every log line written so far, as text; empty where another log was given. */
  logged(): string
  close(): Promise<void>
}

/** For tests: serves routes on a free port of 127.0.0.1, with the log kept in memory. */
export const startTestServer = async (
  routes: readonly Route[],
  options: Partial<Omit<ApplicationOptions, 'routes'>> = {},
): Promise<TestServer> => {
  const lines: string[] = []
  const log = createLogger({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } })
  const app = createApplication({ log, checkResponses: true, ...options, routes })
  // Here, so that a schema which cannot be used fails the test and not a request of it.
  while (compileNext());
  const server = await startServer(app, { host: '127.0.0.1', port: 0 })
  return { server, logged: () => lines.join(''), close: () => server.close(1_000) }
}
