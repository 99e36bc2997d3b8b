import pg from 'pg'

const INT8 = 20
const NUMERIC = 1700

export interface PoolSettings {
  readonly connectionString: string
  /** Most connections at once. */
  readonly max: number
  readonly applicationName: string
}

/** Parsers of this pool alone: `int8` arrives as bigint, `numeric` as decimal text, `timestamptz` as Date. */
const types: pg.CustomTypesConfig = {
  // CAST: pg's declaration knows only its own type ids; the two overridden ones are passed through unchanged otherwise.
  getTypeParser: ((id: number, format?: 'text' | 'binary') => {
    if (id === INT8) return (text: string) => BigInt(text)
    if (id === NUMERIC) return (text: string) => text
    return pg.types.getTypeParser(id, format as 'text')
  }) as pg.CustomTypesConfig['getTypeParser'],
}

/** The process's one pool. Errors of idle clients are swallowed: the next query reports what is wrong. */
export const createPool = (settings: PoolSettings): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: settings.connectionString,
    max: settings.max,
    application_name: settings.applicationName,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    types,
  })
  pool.on('error', () => undefined)
  return pool
}

/** Runs `work` in one transaction; rolls back and rethrows on any error, and always releases the client. */
export const withTransaction = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined)

/** True when a unique constraint (that one, where named) refused a row. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  codeOf(error) === '23505' &&
  (constraint === undefined || (error instanceof Error && Reflect.get(error, 'constraint') === constraint))

/** True when the statement may be sent again as it is: deadlock or serialisation failure. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(String(codeOf(error)))
