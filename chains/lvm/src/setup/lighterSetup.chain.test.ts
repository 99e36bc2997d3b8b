import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHAIN_ID, type LighterWorld, newKey, openLighterWorld, PLENTY } from '../lighterWorld.test.support.js'
import { startLocalLighter } from '../testing/node/localLighter.js'
import { lighterSetup, publicChains } from './lighterSetup.js'
import { registerApiKey } from './registerApiKey.js'

let world: LighterWorld

beforeAll(async () => {
  world = await openLighterWorld()
}, 60_000)

afterAll(() => world?.chain.close())

const placeOf = (http: string) => ({ id: CHAIN_ID, rpc: [{ http }], options: {}, timeoutMs: 5000 })

describe('setup', () => {
  it('knows both public networks', () => {
    expect(publicChains.map(({ id, slug, native }) => [id, slug, native.address])).toEqual([
      [3_586_256, 'lighter', '0'],
      [3_586_257, 'lighter-testnet', '0'],
    ])
  })

  it('checks endpoints, and reads what the exchange says of a spot asset', async () => {
    const { http } = world.chain.endpoint
    await expect(lighterSetup.checkEndpoints(placeOf(http))).resolves.toBeUndefined()
    expect(await lighterSetup.readToken(placeOf(http), '1')).toEqual({
      address: '1',
      symbol: 'ETH',
      name: 'ETH',
      decimals: 8,
    })
    await expect(lighterSetup.readToken(placeOf(http), '44')).rejects.toThrow(/no token/)
    await expect(lighterSetup.readToken(placeOf(http), 'ETH')).rejects.toThrow(/no address/)
    await expect(lighterSetup.checkEndpoints(placeOf('http://127.0.0.1:9'))).rejects.toThrow(/Endpoint 1 of 1/)
  })
})

describe('registerApiKey', () => {
  const requestOf = (account: string, owner: ReturnType<typeof newKey>) => ({
    ...{ url: world.chain.endpoint.http, signingChainId: CHAIN_ID, account, apiKeyIndex: 3, owner: owner.signer },
  })

  it('registers a new key in a slot of the account, again in place of the former one', async () => {
    const owner = newKey()
    await world.chain.fund(owner.owner, PLENTY)
    const request = requestOf(owner.account, owner)
    const first = await registerApiKey(request)
    await world.chain.advance()
    expect(await world.wallet.chain.succeeded(first.txId)).toBe(true)
    const second = await registerApiKey(request)
    await world.chain.advance()
    expect(await world.wallet.chain.succeeded(second.txId)).toBe(true)
    expect(second.publicKey).not.toBe(first.publicKey)
  })

  it('refuses a key that does not own the account', async () => {
    await expect(registerApiKey(requestOf(world.user.account, newKey()))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('does not own'),
    })
  })
})

it('another exchange is refused by the contract that it shows', async () => {
  const other = await startLocalLighter({ chainId: CHAIN_ID, blockMs: 0 })
  const adapter = world.adapterOver([{ http: other.endpoint.http, provider: 'other' }])
  try {
    await expect(adapter.start(new AbortController().signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  } finally {
    await adapter.stop()
    await other.close()
  }
})
