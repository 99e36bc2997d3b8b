import { Writable } from 'node:stream'
import { moveClock } from '@causeway/core/host'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Deployment } from '../harness/host/deployment.js'
import { ether, NATIVE } from '../harness/localNetwork.js'
import { type QuoteAnswer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { LaneWorld, laneOf } from './laneWorld.js'

let world: LaneWorld

beforeAll(async () => {
  world = await LaneWorld.open()
})
afterAll(() => world?.close())

describe('the hourly limit of a lane', () => {
  const told: string[] = []
  let hosts: readonly [Deployment, Deployment]

  beforeAll(async () => {
    const log = pino(
      { level: 'error' },
      new Writable({
        write: (line, _encoding, done) => {
          if (String(line).includes('hourly limit')) told.push(String(line))
          done()
        },
      }),
    )
    const { chainId } = world.network.chains[1].chain
    // Room for two transfers.
    const limits = { perHour: { [chainId]: [{ currency: NATIVE, amount: '0.25' }] }, solver: { batch: 2 }, log }
    hosts = [await world.start(world.database.url, limits), await world.start(world.database.url, limits)]
  })

  it('a fill larger than the whole limit is refunded at once: waiting would not help', async () => {
    const quote = await world.transfer(hosts[0], 4, ether('0.6'))
    const view = await waitForStatus(hosts[0].requests, quote.requestId, ['refund'])
    expect(view.failReason).toBe('SOLVER_CAPACITY_EXCEEDED')
    expect(await world.fillsOf(quote)).toBe(0)
  })

  it('holds for two hosts and several batches: payouts wait, the operator is told once, and they go on when the hour has moved', async () => {
    const quotes: QuoteAnswer[] = []
    for (const user of [0, 1, 2, 3]) quotes.push(await world.transfer(hosts[user % 2 === 0 ? 0 : 1], user))
    const lane = await until('two payouts to wait', async () => {
      const seen = await laneOf(hosts[0], 'lagoon')
      return seen.waitingForLimit === 2 && seen.liveAttempts === 0 ? seen : null
    })
    expect(lane).toMatchObject({ state: 'limited', spending: [{ currency: NATIVE, limit: ether('0.25').toString() }] })
    expect(BigInt(lane.spending[0]?.spent ?? 0)).toBeLessThanOrEqual(ether('0.25'))
    expect((await hosts[1].command('lanes')).join('\n')).toContain('2 payout(s) wait for the hourly limit')
    const fills = async () =>
      (await Promise.all(quotes.map((quote) => world.fillsOf(quote)))).reduce((sum, count) => sum + count, 0)
    expect(await fills()).toBe(2)
    expect(told).toHaveLength(1)

    await moveClock(hosts[0].pool, 62 * 60_000)
    for (const { requestId } of quotes) await waitForStatus(hosts[0].requests, requestId, ['success'])
    expect(await fills()).toBe(4)
  })
})
