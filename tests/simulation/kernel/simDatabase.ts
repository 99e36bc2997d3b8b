import pg from 'pg'
import { realPause } from './realTime.js'
import { outside, type SimProcess } from './simProcess.js'

type Answer = (error: Error | null, result?: unknown) => void

export interface ConnectionEvents {
  onNotification(message: pg.Notification): void
  /** The server ended the connection. */
  onLost(error: Error): void
}

/** A server's connection that a client of a simulated process works with for now. */
export interface SimConnection {
  readonly raw: pg.Client
  readonly pid: number
  process: SimProcess | null
  events: ConnectionEvents | null
  /** A statement of it waits for a lock. */
  waiting: { readonly answer: Promise<Outcome>; readonly tell: Answer } | null
  listens: boolean
  /** What was told to it, until all who listen have been told as much. */
  readonly inbox: pg.Notification[]
  /** Of the transaction under way: it may tell others something when it commits. */
  tells: boolean
}

interface Outcome {
  readonly error: Error | null
  readonly result?: pg.QueryResult
}

/** Before an answer that does not come is looked at: does it wait for a lock? Longer than the server's own look for deadlocks. */
const LOOK_MS = 3
const LOST = 'Connection terminated unexpectedly'
/** Statements that tell listeners nothing. */
const SILENT = /^\s*(select(?![\s\S]*(pg_notify|for update))|begin|listen|set|show)\b/i

/** Statements after which rows of money are as before: reads, leases, places of watchers, hints. */
const UNCHANGING =
  /^\s*(select\b(?!\s+(post_ledger|drop_quote_rows))|begin|listen|set|show|(insert into|update) (leases|chain_cursors)\b)/i

/**
 * The server, as simulated processes use it: one statement in flight at a time. A statement that waits for a lock stands aside until
 * whoever holds it ends its transaction. Connections are kept and used again: a killed process's are rolled back, as the server
 * does when a socket closes.
 */
export class SimDatabase {
  readonly #options: pg.ClientConfig
  readonly #free: SimConnection[] = []
  readonly #used = new Set<SimConnection>()
  #side: pg.Client | null = null
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

  async open(process: SimProcess, events: ConnectionEvents): Promise<SimConnection | null> {
    if (this.down) return null
    const connection = this.#free.pop() ?? (await this.#connect())
    connection.process = process
    connection.events = events
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
    if (/^\s*listen\b/i.test(config.text)) connection.listens = true
    if (!SILENT.test(config.text)) connection.tells = true
    if (!UNCHANGING.test(config.text)) this.changes += 1
    const answer = outcomeOf(connection.raw.query(config))
    const outcome = await this.#answerUnlessBlocked(connection, answer)
    if (outcome === null) {
      connection.waiting = { answer, tell: this.#noting(connection, config.text, tell) }
      return
    }
    await this.#settle(connection)
    this.#noting(connection, config.text, tell)(outcome.error, outcome.result)
    await this.#wakeWaiting()
  }

  /** A client has said goodbye. */
  async release(connection: SimConnection): Promise<void> {
    if (!this.#used.has(connection)) return
    await this.#clear(connection)
    this.#used.delete(connection)
    // Whoever had it may ask once more before it knows that it is lost: that must reach nobody's session.
    this.#free.push({ ...connection })
    await this.#wakeWaiting()
  }

  /** The process is gone, and the server notices it. */
  async forget(process: SimProcess): Promise<void> {
    for (const connection of [...this.#used]) if (connection.process === process) await this.release(connection)
  }

  async forgetAll(): Promise<void> {
    this.down = false
    for (const connection of [...this.#used]) await this.release(connection)
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

  /** Ends transactions that have stood idle for too long because their process is frozen. */
  async endIdle(isIdle: (process: SimProcess) => boolean): Promise<void> {
    for (const connection of [...this.#used]) {
      const { process, raw, waiting } = connection
      if (process === null || waiting !== null || !isIdle(process) || raw.getTransactionStatus() === 'I') continue
      await this.cut(connection, 'terminating connection due to idle-in-transaction timeout')
    }
  }

  async close(): Promise<void> {
    const all = [...this.#used, ...this.#free].map(({ raw }) => raw)
    if (this.#side !== null) all.push(this.#side)
    await Promise.all(all.map((raw) => raw.end()))
  }

  async #connect(): Promise<SimConnection> {
    const raw = new pg.Client(this.#options)
    raw.on('error', () => undefined)
    await outside(() => raw.connect())
    const pid = Number(Reflect.get(raw, 'processID'))
    const connection: SimConnection = {
      raw,
      pid,
      process: null,
      events: null,
      waiting: null,
      listens: false,
      inbox: [],
      tells: false,
    }
    raw.on('notification', (message) => connection.inbox.push(message))
    return connection
  }

  #noting(connection: SimConnection, text: string, tell: Answer): Answer {
    const { process } = connection
    return (error, result) => {
      // CAST: what pg answers.
      if (process !== null) this.onStatement?.(process, text, { error, result: result as pg.QueryResult })
      tell(error, result)
    }
  }

  /** After a statement: what its transaction told has arrived at the listeners. */
  async #settle(connection: SimConnection): Promise<void> {
    if (connection.raw.getTransactionStatus() !== 'I') return
    const told = connection.tells
    connection.tells = false
    if (!told) return
    // A server hands out what was told before it answers.
    const listeners = [...this.#used].filter(({ listens, waiting }) => listens && waiting === null)
    await Promise.all(listeners.map(({ raw }) => raw.query('')))
    for (const { inbox, events } of listeners) for (const message of inbox.splice(0)) events?.onNotification(message)
  }

  async #answerUnlessBlocked(connection: SimConnection, answer: Promise<Outcome>): Promise<Outcome | null> {
    for (;;) {
      const outcome = await Promise.race([answer, realPause(LOOK_MS).then(() => null)])
      if (outcome !== null) return outcome
      if (await this.#isBlocked(connection)) return null
    }
  }

  async #isBlocked({ pid }: SimConnection): Promise<boolean> {
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
      if (waiting === null || (await this.#isBlocked(connection))) continue
      const outcome = await this.#answerUnlessBlocked(connection, waiting.answer)
      if (outcome === null) continue
      connection.waiting = null
      await this.#settle(connection)
      waiting.tell(outcome.error, outcome.result)
    }
  }

  /** Takes the connection back: nothing of its session is left. */
  async #clear(connection: SimConnection): Promise<void> {
    const { raw, waiting, pid } = connection
    if (waiting !== null) {
      await (await this.side()).query('select pg_cancel_backend($1)', [pid])
      await waiting.answer
    }
    if (raw.getTransactionStatus() !== 'I') await raw.query('rollback')
    await raw.query('unlisten *; select pg_advisory_unlock_all()')
    connection.inbox.length = 0
    Object.assign(connection, { process: null, events: null, waiting: null, listens: false, tells: false })
  }
}

const outcomeOf = async (asked: Promise<pg.QueryResult>): Promise<Outcome> => {
  try {
    return { error: null, result: await asked }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}
