import { CHAINS, pooledCount, stockPool } from '@causeway/core/plugin'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usdc } from './addressChain.js'
import { type AddressWorld, addressBody, REFUND, startAddressWorld } from './addressWorld.js'

const POOLED = { originChainId: 3, originCurrency: usdc(3) }

let world: AddressWorld

beforeAll(async () => {
  world = await startAddressWorld()
})
afterAll(() => world.close())
// Past every hour.
beforeEach(() => {
  world.clock.time += 3_700_000
})

const stock = async (size: number): Promise<number> => {
  const addresses = world.running.context.container.resolve(CHAINS).get(3).adapter.depositAddresses?.pool
  if (addresses === undefined) throw new Error('Chain 3 has a pool')
  return stockPool(world.pool, { chainId: 3, addresses, seed: new Uint8Array(32) }, size, world.clock.time)
}

const given = async (changes: Readonly<Record<string, unknown>> = {}, key?: string) => {
  const { status, body } = await world.post('/quote', addressBody(changes), key)
  expect([status, body.message]).toEqual([200, undefined])
  return { depositAddress: body.steps[0].depositAddress as string, requestId: body.requestId as `0x${string}` }
}

describe('addresses of a pool', () => {
  beforeEach(async () => {
    await world.pool.query('delete from deposit_address_pool where taken_at is null')
  })

  it('are given once each, and none is 503', async () => {
    expect(await stock(2)).toBe(2)
    const [one, other] = [await given(POOLED, 'trusted'), await given(POOLED, 'trusted')]
    expect(one.depositAddress).not.toBe(other.depositAddress)
    const { status, body } = await world.post('/quote', addressBody(POOLED), 'trusted')
    expect([status, body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  })

  it('are limited by caller and hour; trusted callers have no limit', async () => {
    await stock(8)
    for (const _ of [1, 2]) await given(POOLED, 'shop')
    const { status, body } = await world.post('/quote', addressBody(POOLED), 'shop')
    expect([status, body.errorCode]).toEqual([400, 'ROUTE_TEMPORARILY_RESTRICTED'])
    for (const _ of [1, 2, 3]) await given(POOLED, 'trusted')
    await given(POOLED, 'other')
    world.clock.time += 3_600_001
    await given(POOLED, 'shop')
  })

  it('that nobody with the seed signed are passed over', async () => {
    await stock(1)
    await world.pool.query(
      `insert into deposit_address_pool (chain_id, address, derivation, signature, made_at) values (3, $1, '{}', '0x00', to_timestamp(0))`,
      [REFUND],
    )
    expect((await given(POOLED, 'trusted')).depositAddress).not.toBe(REFUND)
  })

  it('are not taken by a price', async () => {
    await stock(1)
    expect((await world.post('/price', addressBody(POOLED))).status).toBe(200)
    await given(POOLED, 'trusted')
  })

  it('are told to who looks them up', async () => {
    await stock(1)
    const { depositAddress } = await given(POOLED, 'trusted')
    expect((await world.get(`/deposit-addresses/v1?address=${depositAddress}`, 'shop')).status).toBe(200)
  })

  it('are kept ready by whoever holds the seed', async () => {
    const stop = world.start('deposit address pools')
    try {
      await expect.poll(() => pooledCount(world.pool, 3), { timeout: 10_000 }).toBe(5)
    } finally {
      await stop()
    }
  })
})
