import type { TestDatabase } from '@causeway/core/testing'
import pg from 'pg'

/** Backups of a test's database, as databases of their own on the same server. */
export interface DatabaseCopies {
  /** A copy of the database as it is now, and its URL; whoever is connected to the original is cut off. */
  take(): Promise<string>
  drop(): Promise<void>
}

export const databaseCopies = (database: TestDatabase): DatabaseCopies => {
  const source = new URL(database.url).pathname.slice(1)
  const copies: string[] = []
  const asAdmin = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
    const url = new URL(database.url)
    url.pathname = '/postgres'
    const client = new pg.Client({ connectionString: url.toString() })
    await client.connect()
    await work(client).finally(() => client.end())
  }
  return {
    take: async () => {
      const copy = `${source}_copy${copies.length}`
      copies.push(copy)
      await asAdmin(async (client) => {
        // Waits until they are gone: a database that somebody uses is no template.
        await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [source])
        await client.query(`create database ${copy} template ${source}`)
      })
      const url = new URL(database.url)
      url.pathname = `/${copy}`
      return url.toString()
    },
    drop: () =>
      asAdmin(async (client) => {
        for (const name of copies.splice(0)) await client.query(`drop database if exists ${name} with (force)`)
      }),
  }
}
