import { type EmbeddedPostgres, startEmbeddedPostgres } from '@causeway/core'
import pg from 'pg'
import type { SandboxPaths } from './sandboxPaths.js'

const DATABASE = 'sandbox'

/** Starts or adopts the sandbox's PostgreSQL; at `port` where an earlier start used one, so that its URL stays true. */
export const startSandboxPostgres = (paths: SandboxPaths, port?: number): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir: paths.postgres, ...(port === undefined ? {} : { port }) })

/** An empty database in place of the one before; returns its URL. The cluster is kept, making one takes seconds. */
export const createEmptyDatabase = async (serverUrl: string): Promise<string> => {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(`drop database if exists ${DATABASE} with (force)`)
    await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
  const url = new URL(serverUrl)
  url.pathname = `/${DATABASE}`
  return url.toString()
}
