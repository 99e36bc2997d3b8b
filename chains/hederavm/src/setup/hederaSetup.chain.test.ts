import { environmentOf, systemClock } from '@causeway/core'
import { createSecp256k1Signer } from '@causeway/core/chain'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hederaAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { CHAIN_ID, type HederaWorld, openHederaWorld } from '../hederaWorld.test.support.js'
import type { HederaOptions } from '../options.js'
import { hederaSetup, publicChains } from './hederaSetup.js'

const allocator = createSecp256k1Signer(`0x${'11'.repeat(32)}`)
const keys = { deployer: null, payout: null, allocator }

let world: HederaWorld
beforeAll(async () => {
  world = await openHederaWorld()
}, 60_000)
afterAll(() => world?.chain.close())

const placeOf = (genesisHash: string, ...urls: readonly string[]) => ({
  id: CHAIN_ID,
  rpc: urls.map((http) => ({ http })),
  options: { genesisHash, mirrorLagBlocks: 0 },
  timeoutMs: 5_000,
})
const place = () => placeOf(world.genesisHash, world.chain.endpoint.http)

describe('a mirror node', () => {
  it('of the network is taken', async () => {
    await expect(hederaSetup.checkEndpoints(place())).resolves.toBeUndefined()
  })

  it('of another network, or none, is refused with its place in the list', async () => {
    const { http } = world.chain.endpoint
    await expect(hederaSetup.checkEndpoints(placeOf(`0x${'00'.repeat(48)}`, http))).rejects.toThrow(
      /^Endpoint 1 of 1 .*another/,
    )
    const silent = placeOf(world.genesisHash, http, 'http://127.0.0.1:1')
    await expect(hederaSetup.checkEndpoints(silent)).rejects.toThrow(/^Endpoint 2 of 2 /)
  })
})

describe('a token', () => {
  it('has the symbol, the name and the decimals that the network shows', async () => {
    const facts = { address: world.token, symbol: 'TOK', name: 'Token', decimals: 6 }
    await expect(hederaSetup.readToken(place(), world.token)).resolves.toMatchObject(facts)
  })

  it('is none where the network has none, for an EVM address, and for HBAR', async () => {
    for (const address of ['0.0.999999', world.vault.address, 'nonsense', NATIVE])
      await expect(hederaSetup.readToken(place(), address)).rejects.toThrow(/no token|no address|native/)
  })
})

it('deposits are kept on the account of the allocator, and currencies of the list are well-formed, on every public chain', () => {
  expect(publicChains.length).toBeGreaterThan(1)
  for (const { id, slug, name, options, confirmations, native, tokens } of publicChains) {
    // CAST: the options of the list, with their depository.
    const complete = hederaSetup.optionsFor(keys, { id, options }) as HederaOptions
    const config = {
      ...{ id, slug, name, package: '', rpc: [{ http: 'http://127.0.0.1:1' }], currencies: [], confirmations },
      ...{ solver: '', enabled: true, options: {} },
    }
    const logger = pino({ level: 'silent' })
    const adapter = hederaAdapter(complete, { config, clock: systemClock, logger, environment: environmentOf({}) })
    expect(adapter.depository).toBe(adapter.lane.addressOf(allocator))
    for (const { address } of [native, ...tokens]) expect(adapter.normalizeCurrency(address)).toBe(address)
  }
})
