import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { changeStatuses } from './changeStatus.js'
import {
  canMove,
  FINISHED_STATUSES,
  REQUEST_STATUSES,
  REQUEST_TRANSITIONS,
  type RequestStatus,
} from './requestStatus.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())

const NOW = Date.UTC(2026, 10, 21)
let requests = 0

const insert = async (status: RequestStatus): Promise<`0x${string}`> => {
  requests += 1
  const id = requests.toString(16).padStart(64, '0')
  const finished = FINISHED_STATUSES.includes(status)
  await database.pool.query(
    `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
       recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at)
     values (decode($1, 'hex'), $2, 1, 2, 'a', 'b', 'u', 'r', 1, 1, '{}', now(), now(), now(), $3, $4)`,
    [id, status, finished ? null : 'decide', finished ? null : new Date(NOW)],
  )
  return `0x${id}`
}

const eventsOf = async (id: string): Promise<unknown[]> => {
  const { rows } = await database.pool.query(
    `select version, status, payload::json->>'status' as told from request_events where request_id = decode($1, 'hex')`,
    [id.slice(2)],
  )
  return rows
}

describe('the status machine (wire.md B.2, K.2)', () => {
  it('leaves success and refund for good, and failure only for an operator’s refund', () => {
    expect(REQUEST_TRANSITIONS.success).toEqual([])
    expect(REQUEST_TRANSITIONS.refund).toEqual([])
    expect(REQUEST_TRANSITIONS.failure).toEqual(['pending', 'refund'])
  })

  it('reaches every status from waiting, and an end from every status', () => {
    const reach = (from: RequestStatus): Set<RequestStatus> => {
      const seen = new Set<RequestStatus>([from])
      for (const status of seen) for (const next of REQUEST_TRANSITIONS[status]) seen.add(next)
      return seen
    }
    expect([...reach('waiting')].sort()).toEqual([...REQUEST_STATUSES].sort())
    for (const status of REQUEST_STATUSES) {
      expect([...reach(status)].some((end) => end === 'success' || end === 'refund')).toBe(true)
    }
  })

  const pairs = REQUEST_STATUSES.flatMap((from) => REQUEST_STATUSES.map((to) => ({ from, to })))
  it.each(pairs)(
    'the database moves $from to $to exactly when the map allows it, and tells in the same transaction',
    async ({ from, to }) => {
      const id = await insert(from)
      const next = FINISHED_STATUSES.includes(to) ? {} : { next: { action: 'decide', at: NOW } }
      const moved = await withTransaction(database.pool, (client) =>
        changeStatuses(client, [{ requestId: id, to, ...next }], NOW),
      )
      expect(moved.has(id)).toBe(canMove(from, to))
      const { rows } = await database.pool.query<{ status: string }>(
        `select status from requests where id = decode($1, 'hex')`,
        [id.slice(2)],
      )
      expect(rows[0]?.status).toBe(canMove(from, to) ? to : from)
      expect(await eventsOf(id)).toEqual(canMove(from, to) ? [{ version: 2, status: to, told: to }] : [])
    },
  )

  it('tells nothing when the transaction is rolled back', async () => {
    const id = await insert('waiting')
    await expect(
      withTransaction(database.pool, async (client) => {
        await changeStatuses(client, [{ requestId: id, to: 'pending', next: { action: 'decide', at: NOW } }], NOW)
        throw new Error('crash')
      }),
    ).rejects.toThrow('crash')
    expect(await eventsOf(id)).toEqual([])
  })

  it('cannot represent an unfinished request without a next action, nor a finished one with one (invariant 4)', async () => {
    const id = await insert('pending')
    const set = (text: string) =>
      database.pool.query(`update requests set ${text} where id = decode($1, 'hex')`, [id.slice(2)])
    await expect(set('next_action = null, next_action_at = null')).rejects.toThrow('requests_next_action')
    await expect(set(`status = 'success'`)).rejects.toThrow('requests_next_action')
  })
})

describe('touches of requests, by which their records are stored', () => {
  const touchesOf = async (id: string): Promise<number> => {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from request_touches where request_id = decode($1, 'hex')`,
      [id.slice(2)],
    )
    return rows[0]?.count ?? -1
  }
  const fail = (requestId: `0x${string}`, reason: string) =>
    database.pool.query(`update requests set fail_reason = $2 where id = decode($1, 'hex')`, [
      requestId.slice(2),
      reason,
    ])

  it('a transaction leaves one, however often it changes the request, and each later transaction one of its own', async () => {
    const id = await insert('waiting')
    expect(await touchesOf(id)).toBe(1)
    await withTransaction(database.pool, async (client) => {
      await changeStatuses(client, [{ requestId: id, to: 'depositing', next: { action: 'a', at: NOW } }], NOW)
      await changeStatuses(client, [{ requestId: id, to: 'pending', next: { action: 'b', at: NOW } }], NOW)
      await client.query(`update requests set fail_reason = 'UNKNOWN' where id = decode($1, 'hex')`, [id.slice(2)])
    })
    expect(await touchesOf(id)).toBe(2)
    await fail(id, 'A')
    await fail(id, 'B')
    expect(await touchesOf(id)).toBe(4)
  })

  it('a reader that takes the touches while a request changes misses no change', async () => {
    const id = await insert('waiting')
    const [reader, writer] = [await database.pool.connect(), await database.pool.connect()]
    try {
      await reader.query('begin')
      await reader.query(`delete from request_touches where request_id = decode($1, 'hex')`, [id.slice(2)])
      await writer.query(`update requests set fail_reason = 'A' where id = decode($1, 'hex')`, [id.slice(2)])
      await reader.query('commit')
    } finally {
      reader.release()
      writer.release()
    }
    expect(await touchesOf(id)).toBe(1)
  })

  it('a fill leaves one, a withdrawal none: the record shows nothing of it', async () => {
    const id = await insert('pending')
    const before = await touchesOf(id)
    const pay = (purpose: string) =>
      database.pool.query(
        `with d as (
           insert into deposits (chain_id, tx_id, position, onchain_id, depositor, depository, currency, amount, state, request_id, created_at)
           values (1, $2, 0, '\\x00', 'd', 'd', 'c', 5, 'included', decode($3, 'hex'), now()) returning id)
         insert into payouts (purpose, cause, deposit_id, request_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at,
           next_action, next_action_at)
         select $1, $2, id, decode($3, 'hex'), 2, 's', 'r', 'c', 5, 'ready', now(), now(), 'sign', now() from d`,
        [purpose, `${purpose} ${id}`, id.slice(2)],
      )
    const move = (purpose: string) =>
      database.pool.query(`update payouts set state = 'signed' where cause = $1`, [`${purpose} ${id}`])
    await pay('withdraw')
    await move('withdraw')
    expect(await touchesOf(id)).toBe(before)
    await pay('fill')
    await move('fill')
    expect(await touchesOf(id)).toBe(before + 2)
  })
})
