import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LeaseKeeper } from '../database/leases.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { processGauges } from './processGauges.js'
import { PromMetrics } from './promMetrics.js'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [], poolSize: 2 })
})
afterAll(() => database?.drop())

/** Beside a source that asks the same pool, as the gauges of a host do. */
const connections = async (): Promise<Record<string, number>> => {
  const { pool } = database
  const metrics = new PromMetrics({ registry: new Registry(), keepMs: 0 })
  const asking = { name: 'asking', gauges: [], read: () => pool.query('select 1').then(() => []) }
  metrics.addSource(asking)
  metrics.addSource({ ...asking, name: 'asking too' })
  metrics.addSource(processGauges({ pool, leases: new LeaseKeeper({ pool }) }))
  const states = /^causeway_database_connections\{state="(\w+)"\} (\d+)$/gm
  return Object.fromEntries([...(await metrics.text()).matchAll(states)].map(([, state = '', n]) => [state, Number(n)]))
}

it('nothing waits for a connection in an idle process, whatever its own gauges ask just then', async () => {
  for (let look = 0; look < 3; look += 1) expect(await connections()).toMatchObject({ waiting: 0 })
})

it('what waits while every connection is used is counted', async () => {
  const { pool } = database
  const used = [await pool.connect(), await pool.connect()]
  const waiting = pool.query('select 1')
  const seen = connections()
  for (const client of used) client.release()
  await waiting
  // The two of the gauges wait as well.
  expect(await seen).toEqual({ used: 2, idle: 0, waiting: 3 })
})
