import type { CurrencyRegistry } from '@causeway/core'
import { ChainRegistry, PermitSupport } from '@causeway/core/plugin'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import type { Static } from '@sinclair/typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { ChainCatalogue } from './chainCatalogue.js'
import type { ChainsAnswer } from './chainSchemas.js'
import { chainOf, currencyOf } from './chainStandIn.test.support.js'
import type { ChainListing } from './chainsOptions.js'
import { chainsRoute } from './chainsRoute.js'
import { HeadWatch } from './health/headWatch.js'

const zero = `0x${'0'.repeat(40)}`
const usdc = `0x${'c0'.repeat(20)}`
const uuid = '2f6f0c0a-8a3c-4c51-9a52-6f1a3d1b0f11'

const held = [currencyOf(1, 'ETH', zero, true), currencyOf(1, 'USDC', usdc)]
const currencies: CurrencyRegistry = {
  find: () => undefined,
  native: () => undefined,
  ofChain: (chainId) => held.filter((currency) => currency.chainId === chainId),
  all: () => held,
}
const chains = new ChainRegistry([
  chainOf({
    id: 1,
    explorerUrl: 'https://scan.example',
    currencies: [
      { address: usdc, symbol: 'USDC', name: 'USDC coin', decimals: 6, groupId: 'usdc', supportsPermit: true },
    ],
  }),
  chainOf({ id: 2, enabled: false }),
  chainOf({ id: 3, privateId: uuid }),
])

const clock = 0
let running: TestServer | undefined
const serve = async (listings: Readonly<Record<number, ChainListing>> = {}): Promise<string> => {
  const listing = (id: number): ChainListing => listings[id] ?? {}
  const heads = new HeadWatch({ chains, clock: { now: () => 0 }, listing })
  const permits = new PermitSupport({ handlers: [], now: () => clock })
  const catalogue = new ChainCatalogue({ chains, currencies, heads, permits, listing, now: () => clock })
  running = await startTestServer([chainsRoute(catalogue)])
  return running.server.url
}
const list = async (url: string, query = '') => {
  const answer = await fetch(`${url}/chains${query}`)
  return ((await answer.json()) as Static<typeof ChainsAnswer>).chains
}

afterEach(() => running?.close())

describe('GET /chains (wire.md 4.6)', () => {
  it('shows the paths of the explorer that the operator named, else those usual for the chain (wire.md K.3 9)', async () => {
    const [entry] = await list(await serve({ 1: { explorerPaths: { address: '/account/{ADDRESS}' } } }))
    const usual = { transaction: '/tx/{TX_HASH}', token: '/token/{ADDRESS}' }
    expect(entry?.explorerPaths).toEqual({ ...usual, address: '/account/{ADDRESS}' })
  })

  it('sends every leaf of an entry', async () => {
    const [entry] = await list(await serve(), '?referrer=someone')
    const token = { id: 'usdc', symbol: 'USDC', name: 'USDC coin', address: usdc, decimals: 6 }
    const native = { id: 'eth', symbol: 'ETH', name: 'ETH coin', address: zero, decimals: 18 }
    const fees = { withdrawalFee: 0, depositFee: 0, surgeEnabled: false }
    expect(entry).toEqual({
      id: 1,
      name: 'chain-1',
      displayName: 'Chain 1',
      httpRpcUrl: '',
      wsRpcUrl: '',
      explorerUrl: 'https://scan.example',
      explorerName: '',
      explorerPaths: { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/token/{ADDRESS}' },
      explorerQueryParams: null,
      depositEnabled: true,
      tokenSupport: 'Limited',
      disabled: false,
      partialDisableLimit: 0,
      blockProductionLagging: false,
      currency: { ...native, supportsBridging: true },
      ...fees,
      featuredTokens: [{ ...token, supportsBridging: true, metadata: { logoURI: 'https://example.com/USDC.png' } }],
      erc20Currencies: [{ ...token, supportsBridging: true, supportsPermit: true, permit2: false, ...fees }],
      solverCurrencies: [native, token],
      iconUrl: null,
      logoUrl: null,
      brandColor: null,
      contracts: {},
      vmType: 'evm',
      baseChainId: null,
      statusMessage: null,
      solverAddresses: ['0x00000000000000000000000000000000000000ee'],
      tags: [],
      protocol: {
        v2: {
          chainId: 'chain-1',
          depository: '0x00000000000000000000000000000000000000dd',
          depositoryVault: null,
        },
      },
    })
  })

  it('shows public endpoints only, never those of the operator (wire.md 4.6 httpRpcUrl)', async () => {
    const url = await serve({ 1: { publicRpc: { http: 'https://public.example' } } })
    const text = await (await fetch(`${url}/chains?includeChains=${uuid}`)).text()
    expect(JSON.parse(text).chains[0]).toMatchObject({ httpRpcUrl: 'https://public.example', wsRpcUrl: '' })
    expect(text).not.toMatch(/internal|secret/)
  })

  it('lists a switched-off chain as disabled', async () => {
    const entry = (await list(await serve())).find(({ id }) => id === 2)
    expect(entry).toMatchObject({ disabled: true, depositEnabled: false, currency: { supportsBridging: false } })
  })

  it.each([
    [
      'as a destination',
      { from: null, to: 'Paused.' },
      { depositEnabled: false, disabled: false, statusMessage: 'Paused.' },
    ],
    [
      'as an origin',
      { from: 'Halted.', to: null },
      { depositEnabled: true, disabled: false, statusMessage: 'Halted.' },
    ],
    [
      'both ways',
      { from: 'None.', to: 'None. Paused.' },
      { depositEnabled: false, disabled: true, statusMessage: 'None. Paused.' },
    ],
  ])('says at once why a chain is closed %s, and that it opened', async (_name, gap, shown) => {
    const url = await serve()
    expect((await list(url))[0]).toMatchObject({ depositEnabled: true, disabled: false, statusMessage: null })
    chains.setGap(1, gap)
    expect((await list(url))[0]).toMatchObject(shown)
    chains.setGap(1, null)
    expect((await list(url))[0]).toMatchObject({ depositEnabled: true, disabled: false, statusMessage: null })
  })

  it('lists a private chain only with its UUID (wire.md K.3 8)', async () => {
    const url = await serve()
    const ids = async (query: string) => (await list(url, query)).map(({ id }) => id)
    expect(await ids('')).toEqual([1, 2])
    expect(await ids('?includeChains=3')).toEqual([1, 2])
    expect(await ids('?includeChains=null')).toEqual([1, 2])
    expect(await ids(`?includeChains=other,${uuid.toUpperCase()}`)).toEqual([1, 2, 3])
  })

  it('is cacheable, has an entity tag and answers 304 (wire.md H.6)', async () => {
    const url = await serve()
    const first = await fetch(`${url}/chains`)
    expect(first.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300')
    const etag = first.headers.get('etag')
    expect(etag).toBeTruthy()
    const second = await fetch(`${url}/chains`, { headers: { 'if-none-match': String(etag) } })
    expect(second.status).toBe(304)
  })
})
