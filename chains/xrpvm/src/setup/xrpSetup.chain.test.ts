import { environmentOf, systemClock } from '@causeway/core'
import { createSecp256k1Signer } from '@causeway/core/chain'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { xrpAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { CHAIN_ID, type LedgerWorld, newAddress, openLedgerWorld } from '../ledgerWorld.test.support.js'
import type { XrpOptions } from '../options.js'
import { publicChains, xrpSetup } from './xrpSetup.js'

const allocator = createSecp256k1Signer(`0x${'11'.repeat(32)}`)
const keys = { deployer: null, payout: null, allocator }

let world: LedgerWorld
beforeAll(async () => {
  world = await openLedgerWorld()
})
afterAll(() => world?.chain.close())

const placeOf = (networkId: number, ...urls: readonly string[]) => ({
  id: CHAIN_ID,
  rpc: urls.map((http) => ({ http })),
  options: { networkId },
  timeoutMs: 5_000,
})
const place = () => placeOf(CHAIN_ID, world.chain.rpcUrl)

describe('an endpoint', () => {
  it('of the network is taken', async () => {
    await expect(xrpSetup.checkEndpoints(place())).resolves.toBeUndefined()
  })

  it('of another network, or none, is refused with its place in the list', async () => {
    const other = placeOf(CHAIN_ID + 1, world.chain.rpcUrl)
    await expect(xrpSetup.checkEndpoints(other)).rejects.toThrow(/^Endpoint 1 of 1 .*another/)
    const silent = placeOf(CHAIN_ID, world.chain.rpcUrl, 'http://127.0.0.1:1')
    await expect(xrpSetup.checkEndpoints(silent)).rejects.toThrow(/^Endpoint 2 of 2 /)
  })
})

describe('a token', () => {
  it('is called by its code and has 15 decimals', async () => {
    const { token } = world
    const facts = { address: token, symbol: 'TOK', decimals: 15 }
    await expect(xrpSetup.readToken(place(), token)).resolves.toMatchObject(facts)
  })

  it('is none where nobody issues it, or it is no currency, or XRP', async () => {
    for (const address of [`TOK.${newAddress()}`, 'nonsense', NATIVE])
      await expect(xrpSetup.readToken(place(), address)).rejects.toThrow(/no token|no address|native/)
  })
})

it('deposits are kept on the account of the allocator, and currencies of the list are well-formed, on every public chain', () => {
  expect(publicChains.length).toBeGreaterThan(1)
  for (const { id, slug, name, options, confirmations, native, tokens } of publicChains) {
    // CAST: the options of the list, with their depository.
    const complete = xrpSetup.optionsFor(keys, { id, options }) as XrpOptions
    const config = {
      ...{ id, slug, name, package: '', rpc: [{ http: 'http://127.0.0.1:1' }], currencies: [], confirmations },
      ...{ solver: '', enabled: true, options: {} },
    }
    const logger = pino({ level: 'silent' })
    const adapter = xrpAdapter(complete, { config, clock: systemClock, logger, environment: environmentOf({}) })
    expect(adapter.depository).toBe(adapter.lane.addressOf(allocator))
    for (const { address } of [native, ...tokens]) expect(adapter.normalizeCurrency(address)).toBe(address)
  }
})
