import { afterAll, beforeAll, expect, it } from 'vitest'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { SqlKeptSums } from './sqlKeptSums.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database?.drop())

const sum = (part: string, amount: bigint, currency = 'coin') => ({ part, currency, amount })
const at = (height: bigint, ...sums: readonly ReturnType<typeof sum>[]) => ({ since: 5n, height, moved: height, sums })

it('F155: sums of an account are kept by what changed, never back, and apart from those of others', async () => {
  const kept = new SqlKeptSums(database.pool)
  const load = async (account = 'a') => {
    const found = await kept.load(9, account)
    return found && { ...found, sums: [...found.sums].sort((left, right) => (left.part < right.part ? -1 : 1)) }
  }
  expect(await load()).toBeNull()
  expect(await kept.save(9, 'a', at(10n, sum('1', 1n)), 5n)).toBe(false)
  expect(await kept.save(9, 'a', at(10n, sum('1', 1n), sum('2', 2n)), null)).toBe(true)
  expect(await kept.save(9, 'b', at(10n, sum('1', 7n)), null)).toBe(true)
  expect(await kept.save(9, 'a', at(20n, sum('1', 0n), sum('3', 2n ** 200n)), 10n)).toBe(true)
  expect(await load()).toEqual(at(20n, sum('2', 2n), sum('3', 2n ** 200n)))
  // Another process has kept more; a backup that was put back has less.
  expect(await kept.save(9, 'a', at(15n, sum('2', 9n)), 10n)).toBe(false)
  expect(await kept.save(9, 'a', at(40n, sum('2', 9n)), 30n)).toBe(false)
  expect(await load()).toEqual(at(20n, sum('2', 2n), sum('3', 2n ** 200n)))
  expect(await kept.save(9, 'a', at(12n, sum('4', 1n)), null)).toBe(true)
  expect([await load(), await load('b')]).toEqual([at(12n, sum('4', 1n)), at(10n, sum('1', 7n))])
})
