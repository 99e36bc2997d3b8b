import { environmentOf, systemClock } from '@causeway/core'
import { createEd25519Signer } from '@causeway/core/chain'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { svmAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import type { SvmOptions } from '../options.js'
import { type LocalSvmChain, startLocalSvm } from '../testing/index.js'
import { publicChains, svmSetup } from './svmSetup.js'

const ID = 9_000_001
const allocator = createEd25519Signer('11'.repeat(32))
const keys = { deployer: null, payout: null, allocator }

let chain: LocalSvmChain
beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
})
afterAll(() => chain?.close())

const placeOf = (genesisHash: string, ...urls: readonly string[]) => ({
  id: ID,
  rpc: urls.map((http) => ({ http })),
  options: { genesisHash },
  timeoutMs: 5_000,
})
const place = () => placeOf(chain.genesisHash, chain.rpcUrl)

describe('an endpoint', () => {
  it('of the chain is taken', async () => {
    await expect(svmSetup.checkEndpoints(place())).resolves.toBeUndefined()
  })

  it('of another chain, or none, is refused with its place in the list', async () => {
    const other = placeOf(publicChains[0]?.native.address ?? '', chain.rpcUrl)
    await expect(svmSetup.checkEndpoints(other)).rejects.toThrow(/^Endpoint 1 of 1 .*another/)
    const silent = placeOf(chain.genesisHash, chain.rpcUrl, 'http://127.0.0.1:1')
    await expect(svmSetup.checkEndpoints(silent)).rejects.toThrow(/^Endpoint 2 of 2 /)
  })
})

describe('a token', () => {
  it('says its own decimals and symbol', async () => {
    const mint = await chain.createToken({ decimals: 5, metadata: { name: 'Pressed Flowers', symbol: 'PRESS' } })
    const facts = { address: mint, name: 'Pressed Flowers', symbol: 'PRESS', decimals: 5 }
    await expect(svmSetup.readToken(place(), mint)).resolves.toEqual(facts)
  })

  it('is none where there is no mint, no address, or the native currency', async () => {
    const [account] = chain.accounts
    for (const address of [account?.address ?? '', 'nonsense', NATIVE])
      await expect(svmSetup.readToken(place(), address)).rejects.toThrow(/no token|no address|native/)
  })
})

it('deposits are kept on the account of the allocator, and currencies of the list are addresses, on every public chain', () => {
  expect(publicChains.length).toBeGreaterThan(1)
  for (const { id, slug, name, options, confirmations, native, tokens } of publicChains) {
    // CAST: the options of the list, with their depository.
    const complete = svmSetup.optionsFor(keys, { id, options }) as SvmOptions
    const config = {
      ...{ id, slug, name, package: '', rpc: [{ http: 'http://127.0.0.1:1' }], currencies: [], confirmations },
      ...{ solver: '', enabled: true, options: {} },
    }
    const logger = pino({ level: 'silent' })
    const adapter = svmAdapter(complete, { config, clock: systemClock, logger, environment: environmentOf({}) })
    expect(adapter.depository).toBe(adapter.lane.addressOf(allocator))
    for (const { address } of [native, ...tokens]) expect(adapter.normalizeCurrency(address)).toBe(address)
  }
})
