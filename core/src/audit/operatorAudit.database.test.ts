import { afterAll, beforeAll, expect, it } from 'vitest'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { auditActor, findAudit, recordAudit } from './operatorAudit.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())

const entry = (subject: string) => ({
  at: 1_700_000_000_123,
  actor: auditActor(),
  action: 'lanes release',
  subject,
  details: { reason: 'a second deployment, stopped', amount: '12345678901234567890' },
})

const record = (subject: string) => withTransaction(database.pool, (client) => recordAudit(client, entry(subject)))

it('keeps who did what, when, to what and why', async () => {
  await record('lane 1 0xaa')
  await record('lane 2 0xbb')
  const [newest, older] = await findAudit(database.pool, { limit: 10 })
  expect(newest).toMatchObject(entry('lane 2 0xbb'))
  expect(older).toMatchObject(entry('lane 1 0xaa'))
  expect(await findAudit(database.pool, { subject: 'lane 1 0xaa', limit: 10 })).toHaveLength(1)
  expect(auditActor()).not.toBe('')
})

it('is read newest first in pages, beyond the tenth entry too', async () => {
  for (let i = 0; i < 12; i += 1) await record(`deposit ${i}`)
  const first = await findAudit(database.pool, { limit: 8 })
  const before = first.at(-1)?.id ?? ''
  const rest = await findAudit(database.pool, { limit: 4, before })
  expect([...first, ...rest].map(({ subject }) => subject)).toEqual(
    Array.from({ length: 12 }, (_, i) => `deposit ${11 - i}`),
  )
})

it('is stored with what it tells of, or not at all', async () => {
  const failed = withTransaction(database.pool, async (client) => {
    await recordAudit(client, entry('lane 3 0xcc'))
    throw new Error('what it tells of failed')
  })
  await expect(failed).rejects.toThrow('what it tells of failed')
  expect(await findAudit(database.pool, { subject: 'lane 3 0xcc', limit: 10 })).toEqual([])
})

it.each(["update operator_audit set actor = 'x'", 'delete from operator_audit', 'truncate operator_audit'])(
  'is only ever added to: %s',
  async (statement) => {
    await record('lane 4 0xdd')
    await expect(database.pool.query(statement)).rejects.toThrow('only ever added to')
  },
)
