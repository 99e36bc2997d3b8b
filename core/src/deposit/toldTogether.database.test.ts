import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Chain } from '../chain/chainRegistry.js'
import type { CurrencyRegistry } from '../money/currency/currency.js'
import { DESTINATION, GroundWorld, LEASE, NOW, originChain } from '../payout/groundWorld.test.support.js'
import { DepositIngest } from './depositIngest.js'

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

it('F135: deposits of one order that two watchers find at once are told in versions of their own', async () => {
  // CAST: the ingest asks only whether a currency is held, and reads no more of a chain.
  const currencies = { find: () => ({}) } as unknown as CurrencyRegistry
  const other = { ...originChain, config: { ...originChain.config, id: DESTINATION, slug: 'destination' } } as Chain
  const ingest = new DepositIngest({ pool: world.pool, clock: { now: () => NOW }, currencies, quoteDays: 30 })
  for (let round = 0; round < 15; round += 1) {
    const { requestId, orderId } = await world.quote()
    const elsewhere = world.event(orderId, 1_000n)
    const page = { deposits: [elsewhere], cursor: 0, height: 100n, tip: 100n, rewoundTo: null }
    await Promise.all([world.see(world.event(orderId, 1_000n)), ingest.apply(other, page, [], LEASE)])
    const { rows } = await world.pool.query<{ versions: number[] }>(
      `select array_agg(version order by version) as versions from request_events where request_id = decode($1, 'hex')`,
      [requestId.slice(2)],
    )
    const versions = rows[0]?.versions ?? []
    expect(versions).toEqual([...new Set(versions)])
  }
})
