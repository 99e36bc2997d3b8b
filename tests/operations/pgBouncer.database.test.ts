import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coreMigrations, findSessionProblem } from '@causeway/core/host'
import { createPool, openKnex, PostgresNotifier } from '@causeway/core/plugin'
import { createTestDatabase, giveOddSettings, type TestDatabase } from '@causeway/core/testing'
import { startHost } from '@causeway/host'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PgBouncer, startPgBouncer, withPgBouncer } from '../harness/database/pgBouncer.js'

let database: TestDatabase
let folder: string
let pooler: PgBouncer | undefined

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await giveOddSettings(database.url)
  folder = mkdtempSync(join(tmpdir(), 'causeway-pooled-'))
  for (const name of ['order', 'master'])
    writeFileSync(join(folder, `${name}.key`), Buffer.from(name.padEnd(32)).toString('hex'), { mode: 0o600 })
})
afterEach(() => pooler?.close())
afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const host = (url: string) =>
  startHost({
    config: {
      network: 'testnet',
      database: { url, poolSize: 4 },
      http: { port: 0 },
      plugins: [],
      defaultPlugins: false,
      keys: { order: { file: 'order.key' }, master: { file: 'master.key' } },
    },
    folder,
    log: pino({ level: 'silent' }),
  })

describe.skipIf(!withPgBouncer())('PgBouncer before the database (faults.md F168)', () => {
  it('serves a host in session mode: settings, named statements, notifications', async () => {
    pooler = await startPgBouncer(database.url, 'session')
    const url = pooler.through(database.url)
    expect(await findSessionProblem(url)).toBeNull()
    const running = await host(url)
    const pool = createPool({
      ...{ connectionString: url, max: 2, applicationName: 'causeway test', statementMs: 5_000 },
      ...{ asynchronousCommit: true, plansOnce: true },
    })
    const db = openKnex(pool)
    const over = new AbortController()
    const notifier = new PostgresNotifier({ connectionString: url })
    const heard = new Promise((resolve) =>
      notifier.on(
        'causeway_lane',
        (payload) => {
          if (payload === null) void pool.query(`select pg_notify('causeway_lane', 'seven')`)
          else resolve(payload)
        },
        over.signal,
      ),
    )
    const listening = notifier.run(over.signal)
    try {
      const time = new Date('2026-02-01T03:04:05.678Z')
      const asked = `select timestamptz '2026-02-01T03:04:05.678Z' as time, current_setting('plan_cache_mode') as plans`
      const expected = [{ time, plans: 'force_generic_plan' }]
      for (const name of ['asked', 'asked']) expect((await pool.query({ name, text: asked })).rows).toEqual(expected)
      expect((await db.raw(asked)).rows).toEqual(expected)
      expect(await heard).toBe('seven')
    } finally {
      over.abort()
      await Promise.all([listening, db.destroy(), pool.end(), running.stop()])
    }
  })

  it.each(['transaction', 'statement'] as const)('is refused in %s mode, with what to do', async (mode) => {
    pooler = await startPgBouncer(database.url, mode)
    await expect(host(pooler.through(database.url))).rejects.toThrow(
      /^The database cannot be used: the pooler before the database .*\. Set pool_mode = session for this database \(PgBouncer\)/,
    )
  })
})
