import { EnvironmentKeys } from '@causeway/core/host'
import { masterMark } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimDatabase } from '../application/claimDatabase.js'
import { hostMigrations } from '../application/hostMigrations.js'
import { checkMaster } from './masterCheck.js'

const key = (digit: string): string => `0x${digit.repeat(64)}`
const OLD = new EnvironmentKeys(new Map([['master', key('7')]]))
const both = (digit: string) =>
  new EnvironmentKeys(
    new Map([
      ['master', key(digit)],
      ['previousMaster', key('7')],
    ]),
  )
const NEW = new EnvironmentKeys(new Map([['master', key('8')]]))
const NONE = new EnvironmentKeys(new Map())

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/host', migrations: hostMigrations }] })
  await claimDatabase(database.pool, { network: 'testnet', keys: OLD })
})
afterAll(() => database?.drop())

const started = (keys: EnvironmentKeys): Promise<boolean> =>
  claimDatabase(database.pool, { network: 'testnet', keys }).then(
    () => true,
    () => false,
  )

const marked = (current: EnvironmentKeys, next: EnvironmentKeys | null): Promise<unknown> =>
  database.pool.query('update deployment set master_mark = $1, next_master_mark = $2, announced_master_mark = $3', [
    masterMark(current),
    next === null ? null : masterMark(next),
    // Hosts wait for a new key from their first start with two until rows are sealed under it.
    next === null && current === OLD ? masterMark(NEW) : null,
  ])

it.each([
  ['before a rotation', OLD, null, ['old', 'both']],
  ['during one', OLD, NEW, ['both']],
  ['after one', NEW, null, ['both', 'new']],
] as const)(
  'a master key is a fault exactly where a start is refused because of it: %s',
  async (_when, current, next, fit) => {
    const processes = Object.entries({ old: OLD, both: both('8'), new: NEW, third: both('9') })
    for (const [name, keys] of processes) {
      await marked(current, next)
      const [finding] = await checkMaster(database.pool, keys)
      const expected = fit.some((fits) => fits === name)
      expect([name, finding?.state]).toEqual([name, expected ? 'ok' : 'fault'])
      expect([name, await started(keys)]).toEqual([name, expected])
    }
  },
)

it('a process without a master key is told nothing of it', async () => {
  expect(await checkMaster(database.pool, NONE)).toEqual([])
})
