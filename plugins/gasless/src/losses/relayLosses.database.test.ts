import { coreMigrations } from '@causeway/core/host'
import { withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRoute, takeLoss } from './lossCap.js'
import { executeMigrations } from './migrations.js'

const NOON = Date.UTC(2026, 10, 21, 12)
const DAY_MS = 86_400_000
const CAPS = { key: 10n, total: 25n }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({
    packages: [
      { name: '@causeway/core', migrations: coreMigrations },
      { name: 'gasless', migrations: executeMigrations },
    ],
  })
})
afterAll(() => database?.drop())

let calls = 0
const callOf = (apiKeyId: string, usd: bigint) => {
  calls += 1
  return { apiKeyId, usd, caps: CAPS, requestId: `0x${calls.toString(16).padStart(64, '0')}` as const }
}
const take = (apiKeyId: string, usd: bigint, now = NOON) =>
  withTransaction(database.pool, (client) => takeLoss(client, callOf(apiKeyId, usd), now))
const expectOf = (apiKeyId: string, usd: bigint, now = NOON) =>
  withTransaction(database.pool, (client) => expectRoute(client, callOf(apiKeyId, usd), now))

const taken = async (now: number): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await database.pool.query<{ key: string; usd: string }>(
    `select api_key_id as key, usd::text from gasless_losses where day = (to_timestamp($1 / 1000.0) at time zone 'utc')::date order by 1`,
    [now],
  )
  return Object.fromEntries(rows.map(({ key, usd }) => [key, usd]))
}

it('what nobody pays for is counted by key and day, never past a cap, whoever comes at once (wire.md 2.6)', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => take('a', 3n)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  await expect(take('a', 2n)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('this key') })
  await take('a', 1n)
  await take('b', 10n)
  expect(await taken(NOON)).toEqual({ '': '20', a: '10', b: '10' })
  await expect(take('c', 6n)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('all keys') })
  expect(await taken(NOON)).toEqual({ '': '20', a: '10', b: '10' })
  await take('c', 5n)
  await expect(take('d', 11n)).rejects.toMatchObject({ status: 400 })
})

it('a new day begins at midnight UTC, and days of long ago are forgotten', async () => {
  const next = NOON + DAY_MS / 2
  await take('a', 10n, next)
  expect(await taken(next)).toEqual({ '': '10', a: '10' })
  await take('a', 1n, NOON + 40 * DAY_MS)
  expect(await taken(NOON)).toEqual({})
})

it('what routes are to pay for counts until their deposits are there, whoever comes at once', async () => {
  const later = NOON + 80 * DAY_MS
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => expectOf('e', 3n, later)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  await expect(take('e', 2n, later)).rejects.toMatchObject({ status: 400 })
  await take('e', 1n, later)
})
