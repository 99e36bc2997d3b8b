import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { decideIncluded } from '../deposit/mempoolDeposits.js'
import { NOW } from '../payout/groundWorld.test.support.js'
import { changeStatuses } from '../request/changeStatus.js'
import { AddressWorld } from './addressWorld.test.support.js'

let world: AddressWorld
beforeAll(async () => {
  world = await AddressWorld.open()
})
afterAll(() => world?.ground.database.drop())

const someoneWaits = () =>
  vi.waitFor(async () => {
    const { rowCount } = await world.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    expect(rowCount).toBe(1)
  })

/** Runs `change` in a transaction that commits once `other` waits for its locks. */
const meanwhile = async (change: (client: PoolClient) => Promise<unknown>, other: () => Promise<unknown>) => {
  const client = await world.pool.connect()
  await client.query('begin')
  await change(client)
  const waiting = other()
  await someoneWaits()
  await client.query('commit')
  client.release()
  await waiting
}

/** A request whose address was paid, and that waits for the deposit of its sweep. */
const announced = async () => {
  const given = await world.give()
  await world.arrive(world.arrival(given.to, 1_000n))
  expect(await world.requestsOf(given.orderId)).toMatchObject([{ status: 'pending', next: 'await-block' }])
  return given
}

describe('a request whose deposit is recorded while its announcement is withdrawn', () => {
  it('is decided where the deposit commits first', async () => {
    const { to, orderId, requestId } = await announced()
    const place = await world.place(to)
    const vain = { place, found: [], sweep: null, nextAt: NOW, expected: false, trouble: null, gone: [] }
    await meanwhile(
      (client) => decideIncluded(client, [requestId], NOW),
      () => world.look(vain),
    )
    expect(await world.requestsOf(orderId)).toMatchObject([{ status: 'pending', next: 'decide' }])
  })

  it('is decided where the withdrawal commits first', async () => {
    const { orderId, requestId } = await announced()
    const next = { action: 'await-deposit', at: NOW }
    await meanwhile(
      (client) => changeStatuses(client, [{ requestId, to: 'waiting', next }], NOW),
      () => world.ground.see(world.ground.event(orderId, 1_000n, 101n)),
    )
    expect(await world.requestsOf(orderId)).toMatchObject([{ status: 'pending', next: 'decide' }])
  })
})
