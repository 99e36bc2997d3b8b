import { environmentOf, systemClock } from '@causeway/core'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tronAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { CHAIN_ID, newKey, openTronWorld, type TronWorld } from '../tronWorld.test.support.js'
import { publicChains, tronSetup } from './tronSetup.js'

let world: TronWorld
beforeAll(async () => {
  world = await openTronWorld()
}, 60_000)
afterAll(() => world?.chain.close())

const placeOf = (genesisHash: string, ...urls: readonly string[]) => ({
  ...{ id: CHAIN_ID, rpc: urls.map((http) => ({ http })), options: { genesisHash }, timeoutMs: 5_000 },
})
const place = () => placeOf(world.genesisHash, world.chain.endpoint.http)

describe('a node', () => {
  it('of the network is taken', async () => {
    await expect(tronSetup.checkEndpoints(place())).resolves.toBeUndefined()
  })

  it('of another network, or none, is refused with its place in the list', async () => {
    const { http } = world.chain.endpoint
    await expect(tronSetup.checkEndpoints(placeOf('0'.repeat(64), http))).rejects.toThrow(/^Endpoint 1 of 1 .*another/)
    const silent = placeOf(world.genesisHash, http, 'http://127.0.0.1:1')
    await expect(tronSetup.checkEndpoints(silent)).rejects.toThrow(/^Endpoint 2 of 2 /)
  })
})

describe('a token', () => {
  it('has the symbol, the name and the decimals that the network shows', async () => {
    const facts = { address: world.usdt, symbol: 'TOK', name: 'Token', decimals: 6 }
    await expect(tronSetup.readToken(place(), world.usdt)).resolves.toMatchObject(facts)
  })

  it('is none where there is none, and for TRX', async () => {
    for (const address of [world.depository, world.user.address, 'nonsense', NATIVE])
      await expect(tronSetup.readToken(place(), address)).rejects.toThrow(/no token|no address|native/)
  })
})

describe('the doctor', () => {
  it('finds depository and solver in order, and names another allocator', async () => {
    const adapter = world.adapterOver()
    const states = async (allocator: string | null) =>
      (await adapter.diagnose({ timeoutMs: 5_000, allocator })).map(({ check, state }) => `${check} ${state}`)
    expect(await states(world.allocator.address)).toEqual(
      expect.arrayContaining(['contract ok', 'allocator ok', 'account ok']),
    )
    expect(await states(newKey().address)).toContain('allocator fault')
    expect(await states(null)).toContain('allocator unchecked')
    const wrong = world.adapterOver({ depository: world.usdt })
    expect((await wrong.verifyContracts({ allocator: null })).map(({ check, state }) => `${check} ${state}`)).toEqual([
      'contract ok',
      'allocator fault',
    ])
    await Promise.all([adapter.stop(), wrong.stop()])
  })
})

it('currencies of the list are well-formed on every public chain', () => {
  expect(publicChains).toHaveLength(3)
  for (const { id, slug, name, confirmations, native, tokens } of publicChains) {
    const config = {
      ...{ id, slug, name, package: '', rpc: [{ http: 'http://127.0.0.1:1' }], currencies: [], confirmations },
      ...{ solver: world.solver.address, enabled: true, options: {} },
    }
    const deps = { config, clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) }
    const adapter = tronAdapter({ depository: world.depository }, deps)
    for (const { address } of [native, ...tokens]) expect(adapter.normalizeCurrency(address)).toBe(address)
  }
})
