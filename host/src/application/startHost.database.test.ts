import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CausewayConfig } from '../config/defineConfig.js'
import { checkServer } from '../doctor/database/databaseCheck.js'
import { startHost } from './startHost.js'

let folder: string
let database: TestDatabase
const log = pino({ level: 'silent' })

/** Writes down what happens to it; its route answers when the test says so. */
const recorder = (name: string, journal: string): string => `
import { appendFileSync } from 'node:fs'
const note = (what) => appendFileSync(${JSON.stringify(journal)}, '${name} ' + what + '\\n')
const hold = globalThis.causewayTestHold ??= {}
export default {
  name: '${name}', version: '1.0.0', coreRange: '*', options: { type: 'object' },
  ${name === 'p-second' ? "requires: [Symbol.for('@causeway/test/First')]," : "provides: [Symbol.for('@causeway/test/First')],"}
  register({ provide }) { note('register'); ${name === 'p-first' ? "provide(Symbol.for('@causeway/test/First'), () => ({}))" : ''} },
  routes: () => [{ method: 'GET', path: '/${name}', summary: 'x', bucket: 'none', auth: 'none', responses: { 200: { type: 'object' } },
    handler: async () => { hold.entered?.(); await hold.until; note('answer'); return { from: '${name}' } } }],
  jobs: () => ['watcher', 'solver'].map((role) => ({ name: '${name} ' + role, role, run: (signal) => new Promise((done) => {
    note('job ' + role); signal.addEventListener('abort', () => { note('job end ' + role); done() }) }) })),
  start: async () => note('start'),
  stop: async () => note('stop'),
}`

const journalFile = (): string => join(folder, 'journal')
const journal = (): string[] => readFileSync(journalFile(), 'utf8').trim().split('\n')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-host-'))
  database = await createTestDatabase({ packages: [] })
  for (const name of ['order', 'master', 'other']) {
    writeFileSync(join(folder, `${name}.key`), Buffer.from(name.padEnd(32)).toString('hex'), { mode: 0o600 })
  }
  for (const name of ['p-first', 'p-second']) {
    const home = join(folder, 'node_modules', name)
    mkdirSync(home, { recursive: true })
    writeFileSync(
      join(home, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js' }),
    )
    writeFileSync(join(home, 'index.js'), recorder(name, journalFile()))
  }
})
afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const config = (changes: Partial<CausewayConfig> = {}): CausewayConfig => ({
  network: 'testnet',
  database: { url: database.url, poolSize: 4 },
  http: { port: 0 },
  plugins: ['p-second', 'p-first'],
  defaultPlugins: false,
  keys: { order: { file: 'order.key' }, master: { file: 'master.key' } },
  ...changes,
})

const start = (changes: Partial<CausewayConfig> = {}, roles?: readonly ('api' | 'watcher' | 'solver')[]) =>
  startHost({ config: config(changes), folder, log, roles })

/** An unfinished request from chain 901 to chain 902, and a payout on the latter. */
const addUnfinished = async (): Promise<void> => {
  await (await start({}, ['api'])).stop()
  await database.pool.query(
    `insert into requests (id, order_id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency,
       user_address, recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at)
     values ('\\x01', '\\x02', 'pending', 901, 902, 'a', 'b', 'u', 'r', 1, 1, '{}', now(), now(), now(), 'decide', now()),
       ('\\x03', '\\x04', 'success', 903, 902, 'a', 'b', 'u', 'r', 1, 1, '{}', now(), now(), now(), null, null)`,
  )
}

describe('F126: unfinished requests need a chain that the configuration lacks', () => {
  it('refuses to start and names it, with what needs it', async () => {
    await addUnfinished()
    await expect(start()).rejects.toThrow(
      /lacks: chain 901 \(1 request\); chain 902 \(1 request\)\. Add it to "chains" again.*"database\.allowUnconfigured"/,
    )
  })

  it('starts where it was told to let them wait', async () => {
    await addUnfinished()
    const host = await start({ database: { url: database.url, poolSize: 4, allowUnconfigured: true } })
    expect((await fetch(`${host.url}/p-first`)).status).toBe(200)
    await host.stop()
  })
})

describe('F129: the clocks of this machine and of the database', () => {
  const TWO_HOURS = 7_200_000
  const wrongBy = (milliseconds: number): void => {
    vi.restoreAllMocks()
    const real = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => real() + milliseconds)
  }
  afterEach(() => void vi.restoreAllMocks())

  it.each([TWO_HOURS, -TWO_HOURS])(
    '%i ms apart: no host starts; it says both times, and the doctor does',
    async (off) => {
      wrongBy(off)
      const error: unknown = await start().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ name: 'WrongClockError' })
      const says =
        /differs from this machine's by 2 h 0 min: the database says (\S+), this machine (\S+)\. No host starts with more than an hour/
      const [, ofDatabase = '', ofMachine = ''] = says.exec(String(error)) ?? []
      expect(Math.abs(Date.parse(ofMachine) - Date.parse(ofDatabase) - off)).toBeLessThan(10_000)
      expect(String(error)).toMatch(/Set the clock that is wrong.*NTP/)
      expect(existsSync(journalFile())).toBe(false)
      const findings = await checkServer(database.pool, { database: { poolSize: 1, searchPoolSize: 1 } })
      const clock = { check: 'clock', state: 'fault', message: expect.stringMatching(says), remedy: expect.any(String) }
      expect(findings).toContainEqual(expect.objectContaining(clock))
    },
  )

  it('half an hour apart: a host starts, and goes on when its own jumps', async () => {
    wrongBy(TWO_HOURS / 4)
    const host = await start()
    wrongBy(TWO_HOURS)
    expect((await fetch(`${host.url}/p-first`)).status).toBe(200)
    await host.stop()
  })
})

describe('startHost', () => {
  it('starts plugins by what they require, and stops everything in reverse', async () => {
    const host = await start()
    expect((await fetch(`${host.url}/p-first`)).status).toBe(200)
    await host.stop()
    const jobs = (name: string) => ['watcher', 'solver'].map((role) => `${name} job ${role}`)
    const ends = (name: string) => ['solver', 'watcher'].map((role) => `${name} job end ${role}`)
    expect(journal()).toEqual([
      'p-first register',
      'p-second register',
      'p-first start',
      'p-second start',
      ...jobs('p-first'),
      ...jobs('p-second'),
      'p-first answer',
      ...ends('p-second'),
      ...ends('p-first'),
      'p-second stop',
      'p-first stop',
    ])
  })

  it('answers what is in flight before it stops anything', async () => {
    const host = await start()
    const hold: { entered?: () => void; until?: Promise<void> } = {}
    const entered = new Promise<void>((resolve) => {
      hold.entered = resolve
    })
    let release = () => {}
    hold.until = new Promise((resolve) => {
      release = resolve
    })
    Object.assign(Reflect.get(globalThis, 'causewayTestHold'), hold)
    const answer = fetch(`${host.url}/p-first`)
    await entered
    const stopped = host.stop()
    release()
    expect(await (await answer).json()).toEqual({ from: 'p-first' })
    await stopped
    Object.assign(Reflect.get(globalThis, 'causewayTestHold'), { entered: undefined, until: undefined })
    const lines = journal()
    expect(lines.indexOf('p-first answer')).toBeLessThan(lines.indexOf('p-second job end solver'))
    await expect(fetch(`${host.url}/p-first`)).rejects.toThrow()
  })

  it('runs the jobs of its roles alone; without the role api it serves metrics and liveness only', async () => {
    const host = await start({}, ['solver'])
    expect((await fetch(`${host.url}/p-first`)).status).toBe(404)
    expect(await (await fetch(`${host.url}/lives`)).json()).toEqual({ status: 'ok' })
    expect((await fetch(`${host.url}/metrics`)).status).toBe(404)
    const metrics = await (await fetch(`${host.consoleUrl}/metrics`)).text()
    expect(metrics).toContain('process_cpu_seconds_total')
    expect(metrics).toMatch(/causeway_http_request_seconds_count\{route="\/lives",method="GET",status="200"\} 1/)
    await host.stop()
    expect(journal().filter((line) => line.includes(' job '))).toEqual(
      expect.not.arrayContaining([expect.stringContaining('watcher')]),
    )
  })

  it('refuses a database that belongs to another network or master key (faults.md F109)', async () => {
    await (await start()).stop()
    await expect(start({ network: 'mainnet' })).rejects.toThrow(/belongs to a deployment of testnet/)
    const keys = { order: { file: 'order.key' }, master: { file: 'other.key' } }
    await expect(start({ keys })).rejects.toThrow(/another master key/)
  })

  it('takes another master key beside the one of the database, and while one takes the place of the other, both only', async () => {
    const [master, other] = [{ file: 'master.key' }, { file: 'other.key' }]
    const startWith = async (masters: { master: { file: string }; previousMaster?: { file: string } }) =>
      (await start({ keys: { order: { file: 'order.key' }, ...masters } })).stop()
    await startWith({ master })
    await startWith({ master: other, previousMaster: master })
    await startWith({ master })
    // What a rotation writes first.
    await database.pool.query(`update deployment set next_master_mark = repeat('0', 16)`)
    await expect(startWith({ master })).rejects.toThrow(/Give it both/)
    await expect(startWith({ master: other })).rejects.toThrow(/Give it both/)
    await expect(startWith({ master: other, previousMaster: master })).rejects.toThrow(/a third one/)
    await database.pool.query('update deployment set next_master_mark = master_mark')
    await startWith({ master: other, previousMaster: master })
    await database.pool.query('update deployment set next_master_mark = null')
    await startWith({ master })
    await expect(startWith({ master: other })).rejects.toThrow(/another master key/)
  })

  it('refuses a second new master key where a host waits for one already, and one that another took the place of', async () => {
    const [master, other, third] = [{ file: 'master.key' }, { file: 'other.key' }, { file: 'order.key' }]
    const startWith = async (masters: { master: { file: string }; previousMaster?: { file: string } }) =>
      (await start({ keys: { order: { file: 'order.key' }, ...masters } })).stop()
    await startWith({ master })
    await startWith({ master: other, previousMaster: master })
    await expect(startWith({ master: third, previousMaster: master })).rejects.toThrow(
      /another new master key.*keys copy/,
    )
    await startWith({ master: other, previousMaster: master })
    await startWith({ master })
    // As a rotation leaves it.
    await database.pool.query('update deployment set master_mark = announced_master_mark, announced_master_mark = null')
    await expect(startWith({ master: third, previousMaster: master })).rejects.toThrow(/neither "keys.master" nor/)
    await startWith({ master: other, previousMaster: master })
  })

  it('says plainly that a port is taken, and leaves nothing behind', async () => {
    const host = await start()
    const port = Number(new URL(host.url).port)
    await expect(start({ http: { port } })).rejects.toThrow(new RegExp(`Port ${port} .* taken by another process`))
    expect((await fetch(`${host.url}/lives`)).status).toBe(200)
    await host.stop()
  })

  it('says plainly that the database cannot be reached, without its URL (faults.md F96)', async () => {
    const url = 'postgres://someone:hidden-word@127.0.0.1:1/x'
    const error: unknown = await start({ database: { url } }).catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(/database cannot be reached/)
    expect(String(error)).not.toContain('hidden-word')
  })
})
