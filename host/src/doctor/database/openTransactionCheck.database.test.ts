import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkOpenTransactions } from './openTransactionCheck.js'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [] })
})
afterAll(() => database?.drop())

it('names a transaction that wrote and is open for more than a minute, and none that only reads or is young', async () => {
  const client = await database.pool.connect()
  const ours = async () =>
    (await checkOpenTransactions(shifted)).filter(({ subject, state }) => subject === 'database' && state === 'fault')
  // The minute passes in the question, not here.
  const shifted = {
    query: (text: string, values: readonly unknown[]) =>
      database.pool.query(text.replaceAll('clock_timestamp()', `(clock_timestamp() + interval '70 seconds')`), [
        ...values,
      ]),
  } as typeof database.pool
  await client.query(`begin; set local application_name = 'a forgotten session'`)
  await client.query('select 1')
  expect(await ours()).toEqual([])
  const { rows } = await client.query<{ pid: number }>('select pg_current_xact_id(), pg_backend_pid() as pid')
  expect(await ours()).toMatchObject([
    {
      message: expect.stringMatching(/a forgotten session.* open for 7\d s/),
      remedy: expect.stringContaining(`(${rows[0]?.pid})`),
    },
  ])
  expect(
    (await checkOpenTransactions(database.pool)).filter(
      ({ subject, state }) => subject === 'database' && state === 'fault',
    ),
  ).toEqual([])
  await client.query('rollback')
  expect(await ours()).toEqual([])
  client.release()
})
