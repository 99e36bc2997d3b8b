import type { BlockRef } from '@causeway/core/chain'
import { ChainRegistry, createPool } from '@causeway/core/plugin'
import { createTestDatabase, startTestServer, type TestDatabase, type TestServer } from '@causeway/core/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chainOf } from '../chainStandIn.test.support.js'
import { DatabaseProbe } from './databaseProbe.js'
import { HeadWatch } from './headWatch.js'
import { livesRoute } from './livesRoute.js'

const head = (time: number): BlockRef => ({ height: 1n, hash: '0x01', time })
const chains = new ChainRegistry([
  chainOf({ id: 1 }, async () => head(10_000)),
  chainOf({ id: 2 }, async () => head(1)),
  chainOf({ id: 3 }),
  chainOf({ id: 4, privateId: 'secret-uuid' }),
])

let database: TestDatabase
let running: TestServer | undefined
const stop = new AbortController()

beforeAll(async () => {
  database = await createTestDatabase({ packages: [] })
})
afterAll(async () => {
  stop.abort()
  await database.drop()
})
afterEach(() => running?.close())

const serve = async (pool = database.pool): Promise<string> => {
  const heads = new HeadWatch({ chains, clock: { now: () => 10_001_000 }, listing: () => ({}) })
  heads.start(stop.signal)
  const probe = new DatabaseProbe({ pool, timeoutMs: 5_000, now: () => performance.now() })
  const deployment = { network: 'testnet', serviceName: 'relay', version: '1.2.3' } as const
  running = await startTestServer([livesRoute({ chains, database: probe, deployment, heads })])
  return running.server.url
}

describe('GET /lives (wire.md 4.14)', () => {
  it('is 200 {status} while the database answers', async () => {
    const answer = await fetch(`${await serve()}/lives`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ status: 'ok' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('reports each component; a lagging or unseen chain does not make it 503, a private one is not named', async () => {
    const answer = await fetch(`${await serve()}/lives?withReport=true`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      status: 'ok',
      report: {
        version: '1.2.3',
        postgres: { status: 'ok', reason: null },
        redis: 'not used',
        'chain-chain-1': { status: 'ok', reason: null },
        'chain-chain-2': { status: 'lagging', reason: expect.any(String) },
        'chain-chain-3': { status: 'unknown', reason: expect.any(String) },
      },
    })
  })

  it('is 503 with its body when the database is down, unless it is skipped', async () => {
    const pool = createPool({ connectionString: 'postgres://127.0.0.1:1/none', max: 1, applicationName: 'test' })
    const url = await serve(pool)
    const answer = await fetch(`${url}/lives?withReport=true&skipRedis=true`)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      status: 'error',
      report: { postgres: { status: 'error' }, redis: 'skipped' },
    })
    const skipped = await fetch(`${url}/lives?withReport=true&skipPostgres=true`)
    expect(skipped.status).toBe(200)
    expect(await skipped.json()).toMatchObject({ report: { postgres: 'skipped' } })
    await pool.end()
  })
})
