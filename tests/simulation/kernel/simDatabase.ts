import pg from 'pg'
import { realPause } from './realTime.js'
import { outside, type SimProcess } from './simProcess.js'

type Answer = (error: Error | null, result?: unknown) => void

export interface ConnectionEvents {
  onNotification(message: pg.Notification): void
  /** The server ended the connection. */
  onLost(error: Error): void
}

/** One connection to the server itself. */
interface Session {
  readonly raw: pg.Client
  readonly pid: number
  /** Values of the settings that it has. */
  settings: string
}

/** A connection that a client of a simulated process has. It holds a session of the server only within a transaction. */
export interface SimConnection {
  process: SimProcess | null
  events: ConnectionEvents | null
  session: Session | null
  /** The statement with which its client set the session up; every session that works for it gets these settings. */
  settings: pg.QueryConfig | null
  /** A statement of it waits for a lock. */
  waiting: { readonly session: Session; readonly answer: Promise<Outcome>; readonly tell: Answer } | null
  readonly channels: Set<string>
  /** The open transaction may notify listeners when it commits. */
  tells: boolean
}

interface Outcome {
  readonly error: Error | null
  readonly result?: pg.QueryResult
}

/**
 * Milliseconds after which a late answer is checked for a lock that it waits for: longer than the server's own check for deadlocks,
 * then twice as long each time.
 */
const LOOK_MS = 3
const LONGEST_LOOK_MS = 48
const LOST = 'Connection terminated unexpectedly'
/** Statements that tell listeners nothing. */
const SILENT = /^\s*(select(?![\s\S]*(pg_notify|for update))|begin|listen|set|show)\b/i

/** Statements after which rows of money are as before: reads, leases, places of watchers, hints. */
const UNCHANGING =
  /^\s*(select\b(?!\s+(post_ledger|drop_quote_rows))|begin|listen|set|show|(insert into|update) (leases|chain_cursors)\b)/i

const LISTEN = /^\s*listen\s+"?(\w+)"?/i
const SETTINGS = /\bset_config\([^)]*, false\)/i
/** These count real time, which a simulated process does not know: the kernel has timeouts of its own. */
const WITHOUT_TIMEOUTS = 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0'

/**
 * The server, as simulated processes use it: one statement in flight at a time. A statement that waits for a lock stands aside until
 * whoever holds it ends its transaction. The connections of all processes share few sessions, which plan each statement once: a
 * transaction has a session of its own, and one session listens for all. The transaction of a killed process is rolled back, as the
 * server does when a socket closes.
 */
export class SimDatabase {
  readonly #options: pg.ClientConfig
  readonly #free: Session[] = []
  readonly #used = new Set<SimConnection>()
  #side: pg.Client | null = null
  #listener: Session | null = null
  /** Notifications that were not handed out yet. */
  readonly #inbox: pg.Notification[] = []
  /** Refuses connections while true. */
  down = false
  /** Statements sent by simulated processes. */
  statements = 0
  /** Counts statements that may have changed what the checks look at. */
  changes = 0
  /** Told of each statement with its outcome; for digests. */
  onStatement: ((process: SimProcess, text: string, outcome: Outcome) => void) | null = null

  constructor(options: pg.ClientConfig) {
    this.#options = options
  }

  /** The world's own connection, which no event touches. */
  async side(): Promise<pg.Client> {
    if (this.#side === null) {
      const side = new pg.Client(this.#options)
      await outside(() => side.connect())
      this.#side = side
    }
    return this.#side
  }

  open(process: SimProcess, events: ConnectionEvents): SimConnection | null {
    if (this.down) return null
    const state = { session: null, settings: null, waiting: null, channels: new Set<string>(), tells: false }
    const connection: SimConnection = { process, events, ...state }
    this.#used.add(connection)
    return connection
  }

  /** Sends a statement and tells its outcome; returns at once when it waits for a lock, and tells it when that is over. */
  async ask(connection: SimConnection, config: pg.QueryConfig, tell: Answer): Promise<void> {
    if (!this.#used.has(connection)) {
      tell(new Error(LOST))
      return
    }
    this.statements += 1
    if (!SILENT.test(config.text)) connection.tells = true
    if (!UNCHANGING.test(config.text)) this.changes += 1
    const session = await this.#sessionFor(connection, config)
    const answer = outcomeOf(session.raw.query(config))
    const outcome = await this.#answerUnlessBlocked(session, answer)
    const noting = this.#noting(connection, config.text, tell)
    if (outcome === null) {
      connection.waiting = { session, answer, tell: noting }
      return
    }
    await this.#settle(connection, session)
    noting(outcome.error, outcome.result)
    await this.#wakeWaiting()
  }

  /** A client has said goodbye. */
  async release(connection: SimConnection): Promise<void> {
    if (!this.#used.has(connection)) return
    await this.#clear(connection)
    this.#used.delete(connection)
    await this.#wakeWaiting()
  }

  /** The process is gone, and the server notices it. */
  async forget(process: SimProcess): Promise<void> {
    for (const connection of [...this.#used]) if (connection.process === process) await this.release(connection)
  }

  async forgetAll(): Promise<void> {
    this.down = false
    for (const connection of [...this.#used]) await this.release(connection)
    this.#inbox.length = 0
  }

  /** The server ends a connection; its client is told. */
  async cut(connection: SimConnection, why = LOST): Promise<void> {
    if (!this.#used.has(connection)) return
    const { events } = connection
    await this.release(connection)
    events?.onLost(new Error(why))
  }

  /** The server ends all connections: it restarts, or another takes its place. */
  async cutAll(): Promise<void> {
    for (const connection of [...this.#used]) await this.cut(connection)
  }

  async close(): Promise<void> {
    for (const connection of [...this.#used]) await this.release(connection)
    const all = this.#free.map(({ raw }) => raw)
    if (this.#listener !== null) all.push(this.#listener.raw)
    if (this.#side !== null) all.push(this.#side)
    await Promise.all(all.map((raw) => raw.end()))
  }

  async #connect(): Promise<Session> {
    const raw = new pg.Client(this.#options)
    raw.on('error', () => undefined)
    await outside(() => raw.connect())
    return { raw, pid: Number(Reflect.get(raw, 'processID')), settings: '' }
  }

  async #connectListener(): Promise<Session> {
    const session = await this.#connect()
    session.raw.on('notification', (message) => this.#inbox.push(message))
    return session
  }

  /** A session with the settings of the connection, which the connection keeps until its transaction ends. */
  async #sessionFor(connection: SimConnection, config: pg.QueryConfig): Promise<Session> {
    const channel = LISTEN.exec(config.text)?.[1]
    if (channel !== undefined) {
      connection.channels.add(channel)
      this.#listener ??= await this.#connectListener()
      return this.#listener
    }
    if (SETTINGS.test(config.text)) connection.settings = config
    const session = connection.session ?? this.#free.pop() ?? (await this.#connect())
    connection.session = session
    const { settings } = connection
    const wanted = JSON.stringify(settings?.values ?? [])
    if (settings === null || session.settings === wanted) return session
    await session.raw.query(settings)
    await session.raw.query(WITHOUT_TIMEOUTS)
    session.settings = wanted
    return session
  }

  #noting(connection: SimConnection, text: string, tell: Answer): Answer {
    const { process } = connection
    return (error, result) => {
      // CAST: what pg answers.
      if (process !== null) this.onStatement?.(process, text, { error, result: result as pg.QueryResult })
      tell(error, result)
    }
  }

  /** After a statement outside of a transaction: its session is free, and what was notified arrives at the listeners. */
  async #settle(connection: SimConnection, { raw }: Session): Promise<void> {
    if (raw.getTransactionStatus() !== 'I') return
    this.#freeSession(connection)
    const told = connection.tells
    connection.tells = false
    if (!told || this.#listener === null) return
    // A server hands out what was told before it answers.
    await this.#listener.raw.query('')
    const messages = this.#inbox.splice(0)
    for (const { channels, events, waiting } of messages.length === 0 ? [] : [...this.#used]) {
      if (waiting !== null) continue
      for (const message of messages) if (channels.has(message.channel)) events?.onNotification(message)
    }
  }

  #freeSession(connection: SimConnection): void {
    if (connection.session !== null) this.#free.push(connection.session)
    connection.session = null
  }

  async #answerUnlessBlocked(session: Session, answer: Promise<Outcome>): Promise<Outcome | null> {
    for (let look = LOOK_MS; ; look = Math.min(2 * look, LONGEST_LOOK_MS)) {
      const outcome = await Promise.race([answer, realPause(look).then(() => null)])
      if (outcome !== null) return outcome
      if (await this.#isBlocked(session)) return null
    }
  }

  async #isBlocked({ pid }: Session): Promise<boolean> {
    const side = await this.side()
    const { rows } = await side.query<{ blocked: boolean }>({
      name: 'sim_blocked',
      text: 'select cardinality(pg_blocking_pids($1)) > 0 as blocked',
      values: [pid],
    })
    return rows[0]?.blocked === true
  }

  /** Those whose lock was let go of go on, one after the other. */
  async #wakeWaiting(): Promise<void> {
    for (const connection of this.#used) {
      const { waiting } = connection
      if (waiting === null || (await this.#isBlocked(waiting.session))) continue
      const outcome = await this.#answerUnlessBlocked(waiting.session, waiting.answer)
      if (outcome === null) continue
      connection.waiting = null
      await this.#settle(connection, waiting.session)
      waiting.tell(outcome.error, outcome.result)
    }
  }

  /** Ends what the connection does, as the server does without its client. */
  async #clear(connection: SimConnection): Promise<void> {
    const { session, waiting } = connection
    if (waiting !== null) {
      await (await this.side()).query('select pg_cancel_backend($1)', [waiting.session.pid])
      await waiting.answer
    }
    if (session !== null && session.raw.getTransactionStatus() !== 'I') await session.raw.query('rollback')
    this.#freeSession(connection)
    Object.assign(connection, { process: null, events: null, waiting: null, tells: false })
    connection.channels.clear()
  }
}

const outcomeOf = async (asked: Promise<pg.QueryResult>): Promise<Outcome> => {
  try {
    return { error: null, result: await asked }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}
