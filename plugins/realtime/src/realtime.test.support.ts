import { type Hex, systemClock } from '@causeway/core'
import { coreMigrations, createApplication, createLogger, startServer } from '@causeway/core/host'
import {
  ANONYMOUS,
  type Caller,
  changeStatuses,
  type IntegratorAuth,
  invalidApiKey,
  type Metrics,
  OutboxReader,
  PostgresNotifier,
  type RequestStatus,
  serveSockets,
  withTransaction,
} from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { Value } from '@sinclair/typebox/value'
import type { PoolClient } from 'pg'
import { WebSocket } from 'ws'
import { EventFeed } from './eventFeed.js'
import { EventReplay } from './eventReplay.js'
import { type RealtimeOptions, realtimeOptions } from './options.js'
import { SocketServer } from './socketServer.js'

/** Time that moves of requests are written at. */
export const NOW = Date.UTC(2026, 10, 21)

/** A database with requests to move. */
export class TestRequests {
  readonly database: TestDatabase
  #made = 0

  constructor(database: TestDatabase) {
    this.database = database
  }

  /** Of a key, of the integrator that every key of these tests is given to. */
  async insert(apiKeyId: string | null = null): Promise<Hex> {
    this.#made += 1
    const id = this.#made.toString(16).padStart(64, '0')
    await this.database.pool.query(
      `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
         recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at, api_key_id, referrer, integrator_id)
       values (decode($1, 'hex'), 'waiting', 1, 2, 'a', 'b', 'u', 'r', 1, 1, '{}', now(), now(), now(), 'decide', now(), $2::text, 'shop', case when $2::text is not null then 'i' end)`,
      [id, apiKeyId],
    )
    return `0x${id}`
  }

  /** Moves a request through statuses in one transaction. */
  move(requestId: Hex, to: RequestStatus | readonly RequestStatus[], details?: string): Promise<void> {
    return withTransaction(this.database.pool, async (client) => {
      for (const status of [to].flat()) await moveIn(client, requestId, status, details)
    })
  }
}

/** One move in the caller's transaction. */
export const moveIn = async (
  client: PoolClient,
  requestId: Hex,
  to: RequestStatus,
  details?: string,
): Promise<boolean> => {
  const finished = to === 'success' || to === 'failure' || to === 'refund'
  const change = {
    requestId,
    to,
    ...(finished ? {} : { next: { action: 'decide', at: NOW } }),
    ...(details === undefined ? {} : { details }),
  }
  return (await changeStatuses(client, [change], NOW)).has(requestId)
}

export const createRequests = async (): Promise<TestRequests> =>
  new TestRequests(
    await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }], poolSize: 12 }),
  )

/** Keys by their text; those taken out are refused. */
export class TestAuth implements IntegratorAuth {
  readonly keys = new Map<string, Caller>()
  /** Look-ups under way, the most there were at once, and those that were calls. */
  readonly asked = { now: 0, most: 0, calls: 0 }
  /** Every look-up waits for it. */
  gate: Promise<void> = Promise.resolve()

  give(apiKey: string, apiKeyId: string, integratorId = 'i'): void {
    this.keys.set(apiKey, { kind: 'integrator', integratorId, apiKeyId, keyName: null, elevated: false })
  }

  async authenticate(apiKey: string | undefined, _origin?: string, purpose = 'call'): Promise<Caller> {
    if (apiKey === undefined) return ANONYMOUS
    this.asked.now += 1
    this.asked.most = Math.max(this.asked.most, this.asked.now)
    if (purpose === 'call') this.asked.calls += 1
    await this.gate
    this.asked.now -= 1
    const caller = this.keys.get(apiKey)
    if (caller === undefined) throw invalidApiKey()
    return caller
  }
}

const NO_METRICS: Metrics = {
  counter: () => ({ add: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
  addSource: () => undefined,
}

/** The websocket of one host: a listener, a reader and a notifier of its own. */
export interface TestSocketHost {
  readonly url: string
  readonly auth: TestAuth
  readonly server: SocketServer
  /** Ends the reader; sockets stay. */
  stopReading(): Promise<void>
  stop(): Promise<void>
}

export const startSocketHost = async (
  { database }: Pick<TestRequests, 'database'>,
  options: Partial<RealtimeOptions> = {},
): Promise<TestSocketHost> => {
  const stop = new AbortController()
  const notifier = new PostgresNotifier({ connectionString: database.url })
  const feed = new EventFeed({ reader: new OutboxReader({ pool: database.pool }), notifier })
  const auth = new TestAuth()
  const server = new SocketServer({
    feed,
    replay: new EventReplay({ pool: database.pool }),
    auth,
    clock: systemClock,
    metrics: NO_METRICS,
    options: { ...Value.Create(realtimeOptions), ...options },
  })
  const log = createLogger({ level: 'silent', destination: { write: () => undefined } })
  const http = await startServer(createApplication({ routes: [], log }), { host: '127.0.0.1', port: 0 })
  serveSockets(http, { endpoints: [server] })
  const running = [notifier.run(stop.signal), feed.run(stop.signal)]
  const stopReading = async () => {
    stop.abort()
    await Promise.all(running)
  }
  return {
    url: http.url.replace('http', 'ws'),
    auth,
    server,
    stopReading,
    stop: async () => {
      await Promise.all([server.close(), http.close(1_000)])
      await stopReading()
    },
  }
}

export interface EventMessage {
  readonly event: string
  readonly timestamp: number
  readonly data: { readonly requestId: Hex; readonly status: RequestStatus; readonly referrer: string | null }
  readonly publishedAt: number
  readonly id: string
  readonly cursor: string
}

/** A client that keeps everything it hears. */
export class TestClient {
  readonly socket: WebSocket
  readonly messages: Record<string, unknown>[] = []
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  #heard: () => void = () => undefined

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(url, { headers })
    this.socket.on('error', () => undefined)
    this.socket.on('message', (data) => {
      this.messages.push(JSON.parse(data.toString()))
      this.#heard()
    })
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })
  }

  get events(): readonly EventMessage[] {
    return this.messages.flatMap((message) => ('event' in message ? [message as unknown as EventMessage] : []))
  }

  get statuses(): readonly RequestStatus[] {
    return this.events.map(({ data }) => data.status)
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Resolves when the condition holds; looks at every message. */
  async until(what: string, condition: () => boolean): Promise<void> {
    const deadline = Date.now() + 8_000
    while (!condition()) {
      const left = deadline - Date.now()
      if (left <= 0) throw new Error(`Waited in vain for ${what}: ${JSON.stringify(this.messages)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#heard = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  async ready(): Promise<this> {
    await this.until('the welcome', () => this.messages.length > 0)
    return this
  }

  /** Subscribes and waits for the answer, which it gives. */
  async subscribe(filters?: object, cursor?: string): Promise<{ readonly filters: object; readonly cursor: string }> {
    const answers = () => this.messages.filter(({ type }) => type === 'subscribe')
    const before = answers().length
    this.send({ type: 'subscribe', event: 'request.status.updated', filters, cursor })
    await this.until('the subscription', () => answers().length > before)
    return answers().at(-1)?.data as { filters: object; cursor: string }
  }
}

/** A client that is welcome. */
export const connectClient = (url: string, headers?: Readonly<Record<string, string>>): Promise<TestClient> =>
  new TestClient(url, headers).ready()
