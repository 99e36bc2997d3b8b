import type { Environment } from '@causeway/core'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@causeway/core/host'
import pg from 'pg'
import type { SandboxPaths } from './state/sandboxPaths.js'

const DATABASE = 'sandbox'

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Starts or adopts the sandbox's PostgreSQL; at `port` where an earlier start used one, so that its URL stays true. */
export const startSandboxPostgres = (
  paths: SandboxPaths,
  environment: Environment,
  port?: number,
): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir: paths.postgres, environment, ...(port === undefined ? {} : { port }) })

/** An empty database in place of the one before; returns its URL. The cluster is kept, making one takes seconds. */
export const createEmptyDatabase = async (serverUrl: string): Promise<string> => {
  await withClient(serverUrl, async (client) => {
    await client.query(`drop database if exists ${DATABASE} with (force)`)
    await client.query(`create database ${DATABASE}`)
  })
  const url = new URL(serverUrl)
  url.pathname = `/${DATABASE}`
  return url.toString()
}

/** Whether the payout of a request is final. */
export const isPayoutFinal = (databaseUrl: string, requestId: string): Promise<boolean> =>
  withClient(databaseUrl, async (client) => {
    const { rowCount } = await client.query(
      `select 1 from payouts where request_id = decode($1, 'hex') and purpose = 'fill' and state = 'final'`,
      [requestId.slice(2)],
    )
    return rowCount === 1
  })

/** Whether the solver has seen its balance of that many currencies; until then nothing can be quoted. */
export const knowsBalances = async (databaseUrl: string, currencies: number): Promise<boolean> => {
  try {
    const { rows } = await withClient(databaseUrl, (client) =>
      client.query<{ count: number }>('select count(*)::int as count from inventory'),
    )
    return (rows[0]?.count ?? 0) >= currencies
  } catch {
    return false
  }
}
