import { ServiceError } from '@causeway/core'
import { findAddresses } from '@causeway/core/plugin'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usdc, ZERO } from './addressChain.js'
import { type AddressWorld, addressBody, REFUND, startAddressWorld } from './addressWorld.js'

const REINDEX = '/transactions/deposit-address/reindex'
const LOOKUP = '/deposit-addresses/v1'

let world: AddressWorld

beforeAll(async () => {
  world = await startAddressWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.mood.holdings.clear()
  // Past every cool-down and hour.
  world.clock.time += 3_700_000
})

const given = async (changes: Readonly<Record<string, unknown>> = {}, key?: string) => {
  const { status, body } = await world.post('/quote', addressBody(changes), key)
  expect([status, body.message]).toEqual([200, undefined])
  return { depositAddress: body.steps[0].depositAddress as string, requestId: body.requestId as `0x${string}` }
}

describe('GET /deposit-addresses/v1 (wire.md 2.12)', () => {
  it('tells an address, by itself in any form or by its request', async () => {
    const { depositAddress, requestId } = await given({ refundTo: REFUND })
    const answer = {
      ...{ depositAddress, requestId, type: 'open', chainId: 1, currency: 'usdc', refundTo: REFUND },
      createdAt: new Date(world.clock.time).toISOString(),
    }
    const mixed = `0x${depositAddress.slice(2).toUpperCase()}`
    for (const query of [`address=${depositAddress}`, `address=${mixed}`, `requestId=${requestId}`]) {
      expect(await world.get(`${LOOKUP}?${query}`, 'other')).toEqual({ status: 200, body: answer })
    }
  })

  it('401 without a key, 404 unknown, 400 unless exactly one of both is asked for', async () => {
    const { depositAddress, requestId } = await given()
    const statusOf = async (query: string, key?: string) => (await world.get(`${LOOKUP}${query}`, key)).status
    expect(await statusOf(`?address=${depositAddress}`)).toBe(401)
    expect(await statusOf(`?address=${REFUND}`, 'shop')).toBe(404)
    expect(await statusOf('?address=nonsense', 'shop')).toBe(404)
    expect(await statusOf(`?requestId=0x${'00'.repeat(32)}`, 'shop')).toBe(404)
    expect(await statusOf('?requestId=nonsense', 'shop')).toBe(404)
    expect(await statusOf('', 'shop')).toBe(400)
    expect(await statusOf(`?address=${depositAddress}&requestId=${requestId}`, 'shop')).toBe(400)
  })

  it('tells none that the table was made to hold: neither derived nor signed here', async () => {
    const { requestId } = await given()
    const other = `0x${'ab'.repeat(20)}`
    await world.pool.query('update deposit_addresses set address = $2, account = $2 where request_id = $1', [
      Buffer.from(requestId.slice(2), 'hex'),
      other,
    ])
    expect((await world.get(`${LOOKUP}?address=${other}`, 'shop')).status).toBe(503)
  })
})

describe('POST /transactions/deposit-address/reindex (wire.md 2.11)', () => {
  const reindex = (depositAddress: string, more: object = {}, key?: string) =>
    world.post(REINDEX, { chainId: 1, depositAddress, ...more }, key)
  const placeOf = async (requestId: `0x${string}`, chainId: number) => {
    const [address] = await findAddresses(world.pool, { requestId })
    const { rows } = await world.pool.query(
      'select forced, expected, called::int as called, next_look_at, account from deposit_address_places where address_id = $1 and chain_id = $2',
      [address?.id, chainId],
    )
    return rows[0]
  }

  it('what lies there, of any currency, is taken up: the place is due now, and dust is swept on nobody’s order but the operator’s', async () => {
    const { depositAddress, requestId } = await given()
    world.mood.holdings.set(1, [{ currency: ZERO, amount: 7n }])
    const before = await placeOf(requestId, 1)
    expect(await reindex(depositAddress)).toEqual({
      status: 200,
      body: {
        message: 'The address is looked at now: what is worth its sweep is swept, the rest stays until more comes.',
        triggeredCurrencies: [{ currency: ZERO, symbol: 'ETH', balance: '7' }],
        ...{ checkedCurrencies: 2, failedCurrencies: 0 },
      },
    })
    const place = await placeOf(requestId, 1)
    expect(place).toMatchObject({ forced: false, expected: true, called: before.called + 1 })
    expect(place.next_look_at.getTime()).toBe(world.clock.time)
  })

  it('a token that the solver does not hold is named, with how it is recovered; nothing is triggered', async () => {
    const { depositAddress, requestId } = await given()
    world.mood.holdings.set(1, [{ currency: REFUND.toLowerCase(), amount: 5n }])
    const before = await placeOf(requestId, 1)
    const { body } = await reindex(depositAddress, { currency: REFUND })
    expect(body).toMatchObject({ triggeredCurrencies: [], checkedCurrencies: 1 })
    expect(body.message).toMatch(/^5 smallest units of 0x[0-9a-f]{40} arrived and cannot be exchanged: the operator/)
    expect(await placeOf(requestId, 1)).toEqual(before)
  })

  it('nothing there triggers nothing', async () => {
    const { depositAddress, requestId } = await given()
    const before = await placeOf(requestId, 1)
    const { body } = await reindex(depositAddress)
    expect(body).toMatchObject({ triggeredCurrencies: [], checkedCurrencies: 2 })
    expect(await placeOf(requestId, 1)).toEqual(before)
  })

  it('once in 60 seconds for an address and chain, and 429 says when', async () => {
    const { depositAddress } = await given()
    const answers = await Promise.all([1, 2, 3].map(() => reindex(depositAddress)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    expect((await reindex(depositAddress, { targetChainId: 2 })).status).toBe(200)
    world.clock.time += 59_999
    expect((await reindex(depositAddress)).status).toBe(429)
    world.clock.time += 1
    expect((await reindex(depositAddress)).status).toBe(200)
  })

  it('on another chain of the VM where the address is the same one; 400 on all others', async () => {
    const { depositAddress, requestId } = await given()
    world.mood.holdings.set(2, [{ currency: usdc(2), amount: 5n }])
    const { body } = await reindex(depositAddress, { targetChainId: 2, currency: 'usdc' })
    expect(body).toMatchObject({ checkedCurrencies: 1, triggeredCurrencies: [{ symbol: 'USDC', balance: '5' }] })
    expect(await placeOf(requestId, 2)).toMatchObject({ forced: false, expected: true, account: depositAddress })
    const looks = world.mood.looks
    for (const targetChainId of [3, 4, 5, 77])
      expect((await reindex(depositAddress, { targetChainId })).status).toBe(400)
    expect((await reindex(depositAddress, { currency: 'nonsense' })).status).toBe(400)
    expect(world.mood.looks).toBe(looks)
  })

  it('404 for an unknown pair of chain and address', async () => {
    const { depositAddress } = await given()
    expect((await reindex(depositAddress, { chainId: 2 })).status).toBe(404)
    expect((await reindex(depositAddress, { chainId: 77 })).status).toBe(404)
    expect((await reindex(REFUND)).status).toBe(404)
  })

  it('403 for whoever is not the owner of an address that a key got', async () => {
    const { depositAddress } = await given({}, 'shop')
    expect((await reindex(depositAddress)).status).toBe(403)
    expect((await reindex(depositAddress, {}, 'other')).status).toBe(403)
    expect((await reindex(depositAddress, {}, 'shop')).status).toBe(200)
  })

  it('503 where the chain says nothing, and the next look is free', async () => {
    const { depositAddress } = await given()
    world.mood.holdings.set(1, new ServiceError('RPC_HTTP_ERROR', 'down'))
    expect((await reindex(depositAddress)).status).toBe(503)
    world.mood.holdings.clear()
    expect((await reindex(depositAddress)).status).toBe(200)
  })
})
