import pg from 'pg'
import { prepareSession, type SessionSettings } from './session.js'

const INT8 = 20
const INT8_ARRAY = 1016
const NUMERIC = 1700
const NUMERIC_ARRAY = 1231
const TEXT_ARRAY: number = 1009

/** A second after `statementMs` the connection counts as lost, since a server that vanished reports no error. */
export interface PoolSettings extends SessionSettings {
  /** Maximum number of connections. */
  readonly max: number
  /** How long a connection, and then each answer, may take; default 10 s for the one and no limit for the other. */
  readonly timeoutMs?: number
}

const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY, 'text')

const parseInt8Array = (text: string): (bigint | null)[] =>
  parseTextArray(text).map((item) => (item === null ? null : BigInt(item)))

/** Parsers that lose no digit: pg's own read `numeric[]` as floating point. */
const EXACT_PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [INT8, BigInt],
  [INT8_ARRAY, parseInt8Array],
  [NUMERIC, (text) => text],
  [NUMERIC_ARRAY, parseTextArray],
])

/** Parsers of this pool alone: `int8` arrives as bigint, `numeric` as decimal text, `timestamptz` as Date. */
const types: pg.CustomTypesConfig = {
  // CAST: pg's declaration knows only its own type ids; all but the exact ones are passed through unchanged.
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    EXACT_PARSERS.get(id) ?? pg.types.getTypeParser(id, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

/** A connection that is silent for so long is probed, so that one that died idle is not found by a caller. */
const KEEP_ALIVE_MS = 10_000
/** What an answer may take beyond its statement. */
const ON_THE_WAY_MS = 1_000

const answerTime = ({ timeoutMs, statementMs }: PoolSettings) => ({
  ...(statementMs === undefined ? {} : { query_timeout: statementMs + ON_THE_WAY_MS }),
  ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
})

/**
 * A pool, of which a process has one for all but a few purposes. Errors of connections outside a query are swallowed: the
 * next query reports what is wrong. A transaction that is idle for 15 s is ended by the server.
 */
export const createPool = (settings: PoolSettings): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: settings.connectionString,
    max: settings.max,
    application_name: settings.applicationName,
    connectionTimeoutMillis: settings.timeoutMs ?? 10_000,
    ...answerTime(settings),
    onConnect: (client) => prepareSession(client, settings),
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // Statements that do not wait for each other's rows share a round trip: `Promise.all` of several sends them in that order.
    pipeline: true,
    types,
  })
  pool.on('error', () => undefined)
  // A connection that breaks while it is checked out tells only itself; unheard, that would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export interface TransactionOptions {
  /** Default: read committed. */
  readonly isolation?: 'repeatable read' | 'serializable'
  /** How often `work` runs again after a deadlock or serialisation failure. Default 0; then `work` must have no other effects. */
  readonly retries?: number
  /** Sent along with BEGIN, for what every such transaction asks first. It must only read: a BEGIN that fails would not hold it back. */
  readonly opening?: (client: pg.PoolClient) => Promise<unknown>
}

/** PostgreSQL answered COMMIT with ROLLBACK: a statement had failed and its error was swallowed. Nothing is stored. */
export class TransactionAbortedError extends Error {
  override readonly name = 'TransactionAbortedError'
  constructor() {
    super('The transaction was rolled back because a statement in it failed.')
  }
}

/**
 * Runs `work` in one transaction; rolls back and rethrows on any error, and always releases the client. Throws
 * TransactionAbortedError when `work` swallowed the error of a statement.
 */
export const withTransaction = async <T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => {
  for (let left = options.retries ?? 0; ; left -= 1) {
    try {
      return await runOnce(pool, work, options)
    } catch (error) {
      if (left <= 0 || !isRetryable(error)) throw error
    }
  }
}

/** A deadlock ends one of two transactions, so each of these ends soon. */
export const RETRIES = 5

/** `withTransaction` that runs `work` again after a deadlock; `work` must have no effect besides those on the database. */
export const withRetries = <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  withTransaction(pool, work, { retries: RETRIES })

const runOnce = async <T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  { isolation, opening }: TransactionOptions,
): Promise<T> => {
  const client = await pool.connect()
  const failures = watchFailures(client)
  let broken: Error | undefined
  try {
    const begun = client.query(isolation === undefined ? 'begin' : `begin isolation level ${isolation}`)
    await Promise.all([begun, opening?.(client)])
    const result = await work(client)
    await commitTransaction(client)
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw codeOf(error) === IN_FAILED_TRANSACTION ? (failures.first() ?? error) : error
  } finally {
    failures.end()
    client.release(broken)
  }
}

const IN_FAILED_TRANSACTION = '25P02'

/**
 * The first error of a client's statements: of several that share a round trip each one behind it fails too, and whoever awaits them may
 * hear of a later one first.
 */
const watchFailures = (client: pg.PoolClient): { first(): unknown; end(): void } => {
  const { query } = client
  let first: unknown
  const watched = (...args: readonly unknown[]): unknown => {
    const answer: unknown = Reflect.apply(query, client, args)
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        first ??= error
      })
    }
    return answer
  }
  // CAST: it takes and returns what `query` does.
  client.query = watched as typeof query
  return {
    first: () => first,
    end: () => {
      client.query = query
    },
  }
}

/** Commits; throws TransactionAbortedError when the server could only roll back. */
export const commitTransaction = async (client: pg.ClientBase): Promise<void> => {
  const { command } = await client.query('commit')
  if (command !== 'COMMIT') throw new TransactionAbortedError()
}

/**
 * A statement that each connection parses once, by its name. `text` never changes under a name.
 * @example const findKey = prepared<{ id: string }>('find_key', 'select id from api_keys where hash = $1')
 */
export const prepared =
  <Row extends pg.QueryResultRow>(name: string, text: string) =>
  async (client: pg.Pool | pg.ClientBase, values: readonly unknown[]): Promise<Row[]> =>
    (await client.query<Row>({ name, text, values: [...values] })).rows

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined)

/** True when a unique constraint (that one, where named) refused a row. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  codeOf(error) === '23505' &&
  (constraint === undefined || (error instanceof Error && Reflect.get(error, 'constraint') === constraint))

/** True when the statement may be sent again as it is: deadlock or serialisation failure. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(String(codeOf(error)))

/** True when the database refused the values of a statement, and would again: data exceptions and broken constraints. */
export const isRefused = (error: unknown): boolean => ['22', '23'].includes(String(codeOf(error)).slice(0, 2))

/** Classes of SQLSTATE that speak of the rows of a statement: data exceptions, broken constraints, what triggers and functions raise. */
const OF_ROWS = ['22', '23', '44', 'P0', 'CW']

/** True when the database itself cannot do its work, whatever rows it is asked about. */
export const isDatabaseFailure = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !OF_ROWS.includes(String(codeOf(error)).slice(0, 2))
