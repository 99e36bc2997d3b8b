import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
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

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** For tests: one request with exactly the given bytes, headers and target, on a connection of its own. */
export const sendRaw = (
  url: string,
  options: { method?: string; path?: string; headers?: Record<string, string>; body?: Uint8Array | string } = {},
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const target = new URL(url)
    const path = options.path ?? `${target.pathname}${target.search}`
    const { hostname, port } = target
    const method = options.method ?? 'POST'
    const sent = httpRequest(
      { hostname, port, path, method, headers: options.headers ?? {}, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(options.body)
  })
