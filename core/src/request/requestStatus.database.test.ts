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
