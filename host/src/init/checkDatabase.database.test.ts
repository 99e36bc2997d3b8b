import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostMigrations } from '../application/hostMigrations.js'
import { checkDatabase } from './checkDatabase.js'

const packages = [
  { name: '@causeway/core', migrations: coreMigrations },
  { name: '@causeway/host', migrations: hostMigrations },
]

let database: TestDatabase
let printed: string[]

const open = async (migrations: typeof packages): Promise<void> => {
  database = await createTestDatabase({ packages: migrations, poolSize: 1 })
}
beforeEach(() => {
  printed = []
  return open([])
})
afterEach(() => database.drop())

const check = (url = database.url) => checkDatabase(url, (line) => printed.push(line))

/** What is said of a database at an address that is nearly that of the test; nothing of the address itself. */
const refusalOf = async (change: (url: URL) => void): Promise<string> => {
  const url = new URL(database.url)
  change(url)
  const said = await check(url.toString()).then(() => 'accepted', String)
  for (const part of [url.password, url.host, '://']) expect(said).not.toContain(part)
  return said
}

describe('the database of a new deployment', () => {
  it('may be empty, or have our tables and no deployment; what can be put right later is told', async () => {
    await check()
    expect(printed.at(-1)).toMatch(/reachable and fit, empty$/)
    expect(printed.join()).toContain('Before real money: database durability')
    await database.drop()
    await open(packages)
    await check()
    expect(printed.at(-1)).toMatch(/tables of Causeway/)
  })

  it('is not that of another deployment, whose keys are others', async () => {
    await database.drop()
    await open(packages)
    await database.pool.query(`insert into deployment (network) values ('testnet')`)
    await expect(check()).rejects.toThrow(/belongs to a deployment of testnet already/)
  })

  it('is not one of something else', async () => {
    await database.pool.query('create table invoices (id int)')
    await expect(check()).rejects.toThrow(/tables of something else \(invoices\)/)
  })

  it('must answer, let its user in and be there; neither URL nor password is said', async () => {
    expect(await refusalOf((url) => Object.assign(url, { port: '9' }))).toMatch(
      /^UsageError: database cannot be reached\./,
    )
    expect(await refusalOf((url) => Object.assign(url, { password: 'wrong-one' }))).toMatch(/does not let this user in/)
    expect(await refusalOf((url) => Object.assign(url, { pathname: '/causeway_none' }))).toMatch(
      /is not on that server/,
    )
    await expect(check('mysql://a:b@127.0.0.1/d')).rejects.toThrow(/begins with postgres:/)
  })

  it('must be UTF8', async () => {
    const latin = `${new URL(database.url).pathname.slice(1)}_latin`
    await database.pool.query(`create database ${latin} template template0 encoding latin1 locale 'C'`)
    try {
      expect(await refusalOf((url) => Object.assign(url, { pathname: `/${latin}` }))).toMatch(
        /encoding of the database is LATIN1, not UTF8/,
      )
    } finally {
      await database.pool.query(`drop database ${latin}`)
    }
  })

  it('must be of PostgreSQL 15 or newer', async () => {
    // The server tells an older version to whoever connects to this database.
    await database.pool.query(`create schema older;
      create function older.current_setting(name text) returns text language sql as
        $$select case name when 'server_version_num' then '140011' else pg_catalog.current_setting(name) end$$`)
    const url = new URL(database.url)
    url.searchParams.set('options', '-c search_path=older,pg_catalog,public')
    await expect(check(url.toString())).rejects.toThrow('is PostgreSQL 14. Use PostgreSQL 15 or newer.')
  })
})
