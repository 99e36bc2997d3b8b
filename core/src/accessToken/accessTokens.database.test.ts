import { afterAll, beforeAll, expect, it } from 'vitest'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { SqlAccessTokens } from './sqlAccessTokens.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database?.drop())

it('an account has the token that expires last, and none of another account or chain', async () => {
  const tokens = new SqlAccessTokens(database.pool)
  expect(await tokens.load(7, 'a')).toBeNull()
  await tokens.save(7, 'a', { token: 'one', expiresAt: 2_000 })
  await tokens.save(7, 'a', { token: 'early', expiresAt: 1_000 })
  expect(await tokens.load(7, 'a')).toEqual({ token: 'one', expiresAt: 2_000 })
  await tokens.save(7, 'a', { token: 'two', expiresAt: 3_000 })
  expect(await tokens.load(7, 'a')).toEqual({ token: 'two', expiresAt: 3_000 })
  expect([await tokens.load(7, 'b'), await tokens.load(8, 'a')]).toEqual([null, null])
})
