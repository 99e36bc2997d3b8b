import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkRole } from './roleCheck.js'

const ROLE = `clerk_${process.pid}_${Date.now()}`

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [] })
  await database.pool.query(
    `create role ${ROLE}; create table of_others (id int); grant usage on schema public to ${ROLE}`,
  )
})
afterAll(async () => {
  await database?.pool.query(`drop owned by ${ROLE}; drop role ${ROLE}`)
  await database?.drop()
})

const check = async () => {
  const pool = createPool({ connectionString: database.url, max: 1, applicationName: 'test' })
  try {
    await pool.query(`set role ${ROLE}`)
    return await checkRole(pool)
  } finally {
    await pool.end()
  }
}

it('names a right that the database role lacks: to make tables, then to change those of others', async () => {
  expect(await check()).toMatchObject({
    state: 'fault',
    message: expect.stringContaining('may not make tables in schema "public"'),
  })
  await database.pool.query(`grant create on schema public to ${ROLE}`)
  expect(await check()).toMatchObject({
    state: 'fault',
    message: expect.stringContaining('of_others belong to another role'),
  })
  await database.pool.query(`alter table of_others owner to ${ROLE}`)
  expect(await check()).toMatchObject({ state: 'ok', check: 'database role' })
})
