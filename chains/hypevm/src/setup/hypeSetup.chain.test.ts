import { environmentOf, systemClock } from '@causeway/core'
import { createSecp256k1Signer } from '@causeway/core/chain'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hypeAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { CHAIN_ID, type HypeWorld, openHypeWorld, SPOT } from '../hypeWorld.test.support.js'
import { type HypeOptions, SPOT_USDC } from '../options.js'
import { hypeSetup, publicChains } from './hypeSetup.js'

const allocator = createSecp256k1Signer(`0x${'11'.repeat(32)}`)

let world: HypeWorld
beforeAll(async () => {
  world = await openHypeWorld()
}, 60_000)
afterAll(() => world?.chain.close())

const placeOf = (spotUsdc: string) => ({
  ...{ id: CHAIN_ID, rpc: [{ http: world.chain.endpoint.http }], options: { spotUsdc, lagMs: 0 }, timeoutMs: 5_000 },
})

describe('an API server', () => {
  it('of the network is taken, of another one refused', async () => {
    await expect(hypeSetup.checkEndpoints(placeOf(SPOT))).resolves.toBeUndefined()
    await expect(hypeSetup.checkEndpoints(placeOf(SPOT_USDC.mainnet))).rejects.toThrow(/^Endpoint 1 of 1 .*another/)
  })
})

it('a token has the symbol and the decimal places of the exchange; perps USDC is none', async () => {
  await expect(hypeSetup.readToken(placeOf(SPOT), SPOT)).resolves.toMatchObject({ symbol: 'USDC', decimals: 8 })
  for (const address of [`0x${'99'.repeat(16)}`, world.vault.address, 'nonsense', NATIVE])
    await expect(hypeSetup.readToken(placeOf(SPOT), address)).rejects.toThrow(/no token|no address|native/)
})

it('deposits are kept on the account of the allocator, and currencies of the list are well-formed, on every public chain', () => {
  for (const { id, slug, name, options, confirmations, native, tokens } of publicChains) {
    // CAST: the options of the list, with their depository.
    const complete = hypeSetup.optionsFor({ deployer: null, payout: null, allocator }, { id, options }) as HypeOptions
    const config = {
      ...{ id, slug, name, package: '', rpc: [{ http: 'http://127.0.0.1:1' }], currencies: [], confirmations },
      ...{ solver: '', enabled: true, options: {} },
    }
    const logger = pino({ level: 'silent' })
    const adapter = hypeAdapter(complete, { config, clock: systemClock, logger, environment: environmentOf({}) })
    expect(adapter.depository).toBe(adapter.lane.addressOf(allocator))
    for (const { address } of [native, ...tokens]) expect(adapter.normalizeCurrency(address)).toBe(address)
  }
})
