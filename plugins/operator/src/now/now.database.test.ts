import { coreMigrations } from '@causeway/core/host'
import { type Chain, ChainRegistry, recordAudit, withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auditListCommand } from '../audit/auditCommand.js'
import type { OperatorDeps } from '../operatorDeps.js'
import { Flow } from './flow.js'
import { nowCommand } from './nowCommand.js'
import { readNow } from './readNow.js'

const NOW = Date.UTC(2026, 10, 28, 12, 30, 30)
const MINUTE = 60_000

let database: TestDatabase
let deps: OperatorDeps
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  // CAST: what these commands use.
  deps = {
    pool: database.pool,
    clock: { now: () => NOW },
    chains: new ChainRegistry(
      [2, 3].map(
        (id) => ({ config: { id, slug: `c${id}`, solver: '' }, adapter: { capabilities: {} } }) as unknown as Chain,
      ),
    ),
  } as unknown as OperatorDeps
})
afterAll(() => database?.drop())
beforeEach(() => database.pool.query('truncate requests, deposits, payouts cascade'))

let number = 0

interface Made {
  readonly status: string
  /** Milliseconds before now. */
  readonly begun: number
  readonly ended?: number
  readonly usd?: string
  readonly due?: number
  readonly trouble?: string
}

const makeRequest = async ({ status, begun, ended = begun, usd = '0', due, trouble }: Made): Promise<string> => {
  number += 1
  const open = !['success', 'refund', 'failure'].includes(status)
  const at = (ago: number) => new Date(NOW - ago)
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
       recipient, amount_in, amount_out, terms, quoted_at, created_at, begun_at, updated_at, next_action, next_action_at, amount_usd,
       trouble, trouble_since)
     values (decode(lpad($1, 64, '0'), 'hex'), $2, 1, 2, 'a', 'b', 'u', 'r', 1, 1, '{}', $10, $10, $3, $4, $5, $6, $7, $8, $9)
     returning '0x' || encode(id, 'hex') as id`,
    [
      String(number),
      status,
      at(begun),
      at(ended),
      open ? 'decide' : null,
      open ? at(due ?? -MINUTE) : null,
      usd,
      trouble ?? null,
      trouble === undefined ? null : at(begun),
      // Its quote is older than its deposit.
      at(begun + 5 * MINUTE),
    ],
  )
  return rows[0]?.id ?? ''
}

const makeDeposit = (requestId: string, seen: number) =>
  database.pool.query(
    `insert into deposits (chain_id, tx_id, position, onchain_id, depositor, depository, currency, amount, state, request_id, outcome,
       created_at)
     values (1, $1, 0, '\\x01', 'd', 'y', 'a', 1, 'included', decode(substr($1, 3), 'hex'), 'fill', $2)`,
    [requestId, new Date(NOW - seen)],
  )

describe('now', () => {
  it('counts the hour by minute: what began, what ended as what, what it was worth', async () => {
    await makeRequest({ status: 'success', begun: 3 * MINUTE, ended: 2 * MINUTE, usd: '100.255' })
    await makeRequest({ status: 'success', begun: 70 * MINUTE, ended: 2 * MINUTE, usd: '5' })
    await makeRequest({ status: 'refund', begun: 2 * MINUTE, ended: MINUTE, usd: '0.1' })
    await makeRequest({ status: 'failure', begun: 2 * MINUTE, ended: 0 })
    await makeRequest({ status: 'pending', begun: 2 * MINUTE, usd: '20' })
    await makeRequest({ status: 'success', begun: 90 * MINUTE, ended: 80 * MINUTE, usd: '1000' })
    const { minutes, hour, open } = await readNow(deps, new Flow(database.pool), NOW)
    expect(minutes).toHaveLength(60)
    expect(minutes[0]?.at).toBe('2026-11-28T11:31:00.000Z')
    expect(minutes.slice(-4)).toEqual([
      { at: '2026-11-28T12:27:00.000Z', begun: 1, succeeded: 0, refunded: 0, failed: 0, usd: '100.26' },
      { at: '2026-11-28T12:28:00.000Z', begun: 3, succeeded: 2, refunded: 0, failed: 0, usd: '20.10' },
      { at: '2026-11-28T12:29:00.000Z', begun: 0, succeeded: 0, refunded: 1, failed: 0, usd: '0.00' },
      { at: '2026-11-28T12:30:00.000Z', begun: 0, succeeded: 0, refunded: 0, failed: 1, usd: '0.00' },
    ])
    expect(hour).toEqual({
      begun: 4,
      succeeded: 2,
      refunded: 1,
      failed: 1,
      usd: '120.36',
      successBps: 5_000,
      fillMs: null,
    })
    expect(open).toBe(1)
  })

  it('tells how long fills took, from the deposit seen to the success, of those within the hour', async () => {
    for (let at = 1; at <= 100; at += 1) {
      const id = await makeRequest({ status: 'success', begun: 10 * MINUTE, ended: 5 * MINUTE })
      await makeDeposit(id, 5 * MINUTE + at * 10)
    }
    const old = await makeRequest({ status: 'success', begun: 100 * MINUTE, ended: 70 * MINUTE })
    await makeDeposit(old, 90 * MINUTE)
    const { hour } = await readNow(deps, new Flow(database.pool), NOW)
    expect(hour.fillMs).toEqual({ p50: 500, p99: 990, count: 100 })
  })

  it('lists what is late by more than a minute, oldest first, with why; and no more than fifty', async () => {
    const late = await makeRequest({
      status: 'pending',
      begun: 9 * MINUTE,
      due: 5 * MINUTE,
      trouble: 'no node answers',
    })
    await makeRequest({ status: 'pending', begun: 9 * MINUTE, due: MINUTE - 1 })
    const older = await makeRequest({ status: 'submitted', begun: 9 * MINUTE, due: 6 * MINUTE })
    const { stuck, stuckCount } = await readNow(deps, new Flow(database.pool), NOW)
    expect(stuckCount).toBe(2)
    expect(stuck).toEqual([
      expect.objectContaining({ kind: 'request', id: older, why: null, lateSeconds: 360 }),
      expect.objectContaining({ kind: 'request', id: late, chainId: 2, action: 'decide', why: 'no node answers' }),
    ])
    for (let at = 0; at < 55; at += 1) await makeRequest({ status: 'pending', begun: 9 * MINUTE, due: 3 * MINUTE })
    const more = await readNow(deps, new Flow(database.pool), NOW)
    expect([more.stuck.length, more.stuckCount, more.stuck[0]?.id]).toEqual([50, 57, older])
    const lines: string[] = []
    await nowCommand(deps).run({ arguments: [], options: {}, print: (line) => lines.push(line) })
    const text = lines.join(' ').replaceAll(/ +/g, ' ')
    expect(text).toContain('STUCK: 57')
    expect(text).toContain(`REQUEST ${older} on c2: decide is 6 min late`)
    expect(text).toContain('and 7 more')
    expect(lines.filter((line) => line.length > 100)).toEqual([])
  })

  it('names above all what keeps whole chains waiting, and says it of each that waits for it', async () => {
    const run = (text: string) => database.pool.query(text)
    try {
      await run(`insert into lanes (chain_id, signer, state, position, height, reason, updated_at) values
        (2, '0x5e', 'quarantined', '{}', 1, '1 transaction of this key', now())`)
      await run(`insert into leases (name, epoch, expires_at) select name, 1, clock_timestamp() + seconds * interval '1 second'
        from (values ('watch:2', 5), ('lane:2:0x5e', 5), ('watch:3', -200)) as l(name, seconds)`)
      await run(`insert into chain_cursors values (3, '{}', 1, 1, to_timestamp(${NOW / 1000 - 700}))`)
      await run(`insert into chain_halts values (3, 1, 20, 10, now())`)
      await makeRequest({ status: 'pending', begun: 9 * MINUTE, due: 5 * MINUTE })
      const { obstacles, stuck } = await readNow(deps, new Flow(database.pool), NOW)
      expect(obstacles.map(({ kind, chain, signer, text }) => [kind, chain, signer, text])).toEqual([
        ['lane', 'c2', '0x5e', expect.stringContaining('"causeway lanes release c2 0x5e --all" opens it')],
        ['halt', 'c3', null, expect.stringContaining('causeway halts')],
        ['role', 'c3', null, 'c3: no host has read deposits for 3 min. Start one: "causeway start --role watcher".'],
        ['role', 'c3', null, 'c3: no host has ever made payouts. Start one: "causeway start --role solver".'],
        ['chain', 'c3', null, expect.stringContaining('no new block was read for 11 min')],
      ])
      expect(stuck[0]?.why).toContain('the payout lane c2 0x5e is quarantined: 1 transaction of this key')
      const lines: string[] = []
      await nowCommand(deps).run({ arguments: [], options: {}, print: (line) => lines.push(line) })
      expect(lines[0]).toContain('The payout lane c2 0x5e is quarantined')
      expect(lines.filter((line) => line.length > 100)).toEqual([])
    } finally {
      await run('delete from lanes; delete from leases; delete from chain_cursors; delete from chain_halts')
    }
  })

  it('a host reads again only what may still change: the newest minutes, and what came with time', async () => {
    const flow = new Flow(database.pool)
    await makeRequest({ status: 'success', begun: 30 * MINUTE, ended: 30 * MINUTE, usd: '7' })
    await makeRequest({ status: 'success', begun: 2 * MINUTE, ended: MINUTE, usd: '3' })
    const before = await flow.read(NOW)
    // Rows of a minute that is settled are not looked at any more.
    await makeRequest({ status: 'success', begun: 30 * MINUTE, ended: 30 * MINUTE, usd: '100' })
    await makeRequest({ status: 'failure', begun: MINUTE, ended: 0, usd: '1' })
    const after = await flow.read(NOW)
    expect(after.slice(0, -3)).toEqual(before.slice(0, -3))
    expect(after.at(29)).toMatchObject({ begun: 1, succeeded: 1, usd: '7.00' })
    expect(after.at(-1)).toMatchObject({ failed: 1 })
    // Ten minutes later the same minutes stand further back, and those between were read.
    const later = await flow.read(NOW + 10 * MINUTE)
    expect(later.slice(0, 47)).toEqual(after.slice(10, 57))
    expect(later.at(49)).toMatchObject({ at: after.at(-1)?.at, failed: 1 })
    // A clock set back reads what it no longer knows.
    expect((await flow.read(NOW - 5 * MINUTE)).at(34)).toMatchObject({ begun: 2, usd: '107.00' })
  })

  it('says of an hour in which nothing happened just that', async () => {
    expect(await readNow(deps, new Flow(database.pool), NOW)).toMatchObject({
      hour: { begun: 0, usd: '0.00', successBps: null, fillMs: null },
      stuck: [],
      stuckCount: 0,
    })
  })
})

describe('audit list', () => {
  const list = async (options: object) => {
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    await auditListCommand(deps).run({ arguments: [], options: { limit: '50', json: true, ...options }, print })
    return JSON.parse(lines.join('\n'))
  }

  it('is newest first, bounded, goes on below a number, and can be of one subject', async () => {
    for (const subject of ['deposit 1', 'deposit 2', 'deposit 1']) {
      await withTransaction(database.pool, (client) =>
        recordAudit(client, { at: NOW, actor: 'tests', action: 'parked refund', subject, details: { reason: 'why' } }),
      )
    }
    const all = await list({})
    expect(all).toMatchObject({ schemaVersion: 1, more: false })
    expect(all.entries.map(({ subject }: { subject: string }) => subject)).toEqual([
      'deposit 1',
      'deposit 2',
      'deposit 1',
    ])
    expect(all.entries[0]).toMatchObject({ at: '2026-11-28T12:30:30.000Z', actor: 'tests', details: { reason: 'why' } })
    const first = await list({ limit: '1' })
    expect(first.more).toBe(true)
    const rest = await list({ before: first.entries[0].id })
    expect(rest.entries).toEqual(all.entries.slice(1))
    expect((await list({ subject: 'deposit 2' })).entries).toHaveLength(1)
    for (const options of [{ limit: '0' }, { before: 'x' }, { subject: '' }])
      await expect(list(options)).rejects.toThrow(/^Give/)
  })
})
