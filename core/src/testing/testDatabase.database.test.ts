import pg from 'pg'
import { expect, it } from 'vitest'
import type { Migration } from '../database/migrate.js'
import { createTestDatabase } from './testDatabase.js'
import { TEST_DATABASE_VARIABLE } from './testDatabaseVariable.js'

/** A set of migrations that no run has seen. */
const unseen = (): { name: string; migrations: Migration[] }[] => [
  {
    name: '@causeway/core',
    migrations: [{ name: '0001_first', up: `create table notes (text text); select '${Date.now()}'` }],
  },
]

it('gives databases that share their tables but no rows, also when asked for several at once', async () => {
  const packages = unseen()
  const all = await Promise.all([1, 2, 3].map(() => createTestDatabase({ packages, poolSize: 1 })))
  await Promise.all(all.map(({ pool, url }) => pool.query('insert into notes values ($1)', [url])))
  for (const { pool, url } of all) expect((await pool.query('select text from notes')).rows).toEqual([{ text: url }])
  await Promise.all(all.map((database) => database.drop()))
})

it('removes a database though somebody is still connected', async () => {
  const database = await createTestDatabase({ packages: [] })
  const guest = new pg.Client({ connectionString: database.url })
  guest.on('error', () => undefined)
  await guest.connect()
  await database.drop()
  const again = new pg.Client({ connectionString: database.url })
  await expect(again.connect()).rejects.toThrow('does not exist')
})

it('asks for a server where none is named', async () => {
  const named = process.env[TEST_DATABASE_VARIABLE]
  delete process.env[TEST_DATABASE_VARIABLE]
  await expect(createTestDatabase({ packages: [] })).rejects.toThrow(TEST_DATABASE_VARIABLE)
  process.env[TEST_DATABASE_VARIABLE] = named
})
