import { afterAll, beforeAll, expect, it } from 'vitest'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { clearForgottenAlerts, clearProviderAlert, findProviderAlerts, raiseProviderAlert } from './providerAlerts.js'

const AT = 1_700_000_000_000
const ALERT = { chainId: 7, kind: 'providers-disagree', subject: 'deposit 0xab 0', details: 'shown by a' } as const

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database?.drop())

it('an alert opens once, counts how often it is seen, and keeps the first words of a disagreement', async () => {
  const { pool } = database
  expect(await raiseProviderAlert(pool, ALERT, AT)).toBe(true)
  expect(await raiseProviderAlert(pool, { ...ALERT, details: 'shown by none' }, AT + 5)).toBe(false)
  expect(await findProviderAlerts(pool, { chainId: 7 })).toEqual([
    { ...ALERT, firstSeen: AT, lastSeen: AT + 5, count: 2, clearedAt: null },
  ])
  expect(await findProviderAlerts(pool, { chainId: 8 })).toEqual([])
})

it('an alert that was cleared, or that nobody repeats, is over; seen again it is a new one', async () => {
  const { pool } = database
  await clearProviderAlert(pool, ALERT, AT + 10)
  expect(await findProviderAlerts(pool)).toEqual([])
  expect(await raiseProviderAlert(pool, ALERT, AT + 20)).toBe(true)
  await clearForgottenAlerts(pool, AT + 100_000)
  expect(await findProviderAlerts(pool)).toMatchObject([{ firstSeen: AT + 20, count: 1 }])
  await clearForgottenAlerts(pool, AT + 200_000)
  expect(await findProviderAlerts(pool)).toEqual([])
  expect(await findProviderAlerts(pool, { all: true })).toMatchObject([{ clearedAt: AT + 200_000 }])
})
