import 'reflect-metadata'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { CLOCK, CURRENCIES, type Currency, type CurrencyRegistry, systemClock } from '@causeway/core'
import { createLogger } from '@causeway/core/host'
import {
  CHAINS,
  CURRENCY_SEARCH_SOURCES,
  type CurrencySearch,
  DEPOSIT_ADDRESS_RULES,
  LOGGER,
  POOL,
} from '@causeway/core/plugin'
import { createTestDatabase, startTestServer, type TestDatabase, type TestServer } from '@causeway/core/testing'
import { container as root } from 'tsyringe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, chains, heldCurrency } from './chainStandIn.test.support.js'
import plugin from './index.js'

const zero = at('00')
const held = [
  heldCurrency(1, 'ETH', zero, true),
  heldCurrency(10, 'ETH', zero, true),
  heldCurrency(1, 'USDC', at('c1')),
  heldCurrency(10, 'USDC', at('c2')),
  heldCurrency(99, 'USDC', at('c9')),
]
const registry: CurrencyRegistry = {
  find: (chainId, address) => held.find((item) => item.chainId === chainId && item.address === address),
  native: () => undefined,
  ofChain: () => [],
  all: () => held,
}
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const imported = [
  // Held as well: the configuration goes first.
  { chainId: 1, address: at('c1'), symbol: 'FAKE', name: 'Wrong', decimals: 1, metadata: { verified: true } },
  {
    chainId: 792703809,
    address: mint,
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    groupID: 'usdc',
    metadata: { verified: true },
  },
  { chainId: 1, address: at('d1'), symbol: 'USDX', name: 'Another dollar', decimals: 6 },
  { chainId: 1, address: at('d2'), symbol: 'bUSD', name: 'A 100%_real dollar', decimals: 18, depositAddress: true },
  { chainId: 10, address: at('d3'), symbol: 'OPX', name: 'Optimal', decimals: 18, default: true },
  { chainId: 555, address: at('d4'), vmType: 'evm', symbol: 'USDZ', name: 'Elsewhere', decimals: 18 },
]

const context = { container: root.createChildContainer(), options: { connections: 2, externalTimeoutMs: 300 } }
let database: TestDatabase
let server: TestServer
let folder: string
let asked: CurrencySearch[] = []
let external: (query: CurrencySearch) => Promise<readonly Currency[]> = async () => []

const importFile = async (content: unknown): Promise<readonly string[]> => {
  const file = path.join(folder, 'currencies.json')
  await writeFile(file, JSON.stringify(content))
  const lines: string[] = []
  const [command] = plugin.commands?.(context) ?? []
  await command?.run({ arguments: [file], options: {}, print: (line) => void lines.push(line) })
  return lines
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-currencies-'))
  database = await createTestDatabase({ packages: [{ name: plugin.name, migrations: plugin.migrations ?? [] }] })
  const { container } = context
  container.registerInstance(POOL, database.pool)
  container.registerInstance(CLOCK, systemClock)
  container.registerInstance(CHAINS, chains)
  container.registerInstance(CURRENCIES, registry)
  container.registerInstance(DEPOSIT_ADDRESS_RULES, { isCustodial: () => false })
  container.registerInstance(LOGGER, createLogger({ level: 'silent' }))
  container.registerInstance(CURRENCY_SEARCH_SOURCES, [
    {
      name: 'test',
      search: (query) => {
        asked.push(query)
        return external(query)
      },
    },
  ])
  await plugin.register?.({ ...context, provide: () => undefined })
  server = await startTestServer(plugin.routes?.(context) ?? [])
  await importFile(imported)
})

afterAll(async () => {
  await server.close()
  await plugin.stop?.(context)
  await database.drop()
  await rm(folder, { recursive: true })
})

const post = (version: 'v1' | 'v2', body?: unknown) =>
  fetch(`${server.server.url}/currencies/${version}`, {
    method: 'POST',
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
const search = async (body?: unknown): Promise<Currency[]> => (await (await post('v2', body)).json()) as Currency[]
const grouped = async (body?: unknown) =>
  (await (await post('v1', body)).json()) as (Currency & { readonly groupID: string })[][]
const found = async (body?: unknown): Promise<readonly string[]> =>
  (await search(body)).map(({ chainId, symbol }) => `${chainId}:${symbol}`)

describe('POST /currencies/v2 (wire.md 4.1)', () => {
  it('answers an absent body: what the solver holds, then defaults, then the rest; no private or unknown chain', async () => {
    expect(await found()).toEqual([
      '1:ETH',
      '10:ETH',
      '1:USDC',
      '10:USDC',
      '10:OPX',
      '792703809:USDC',
      '1:bUSD',
      '1:USDX',
    ])
  })

  it('sends every field of a currency, and no group (wire.md 0.2)', async () => {
    expect(await search({ tokens: [`792703809:${mint}`] })).toEqual([
      {
        chainId: 792703809,
        address: mint,
        symbol: 'USDC',
        name: 'USD Coin',
        decimals: 6,
        vmType: 'svm',
        metadata: { logoURI: '', verified: true, isNative: false },
      },
    ])
  })

  it('defaultList', async () => {
    expect(await found({ defaultList: true })).toEqual(['1:ETH', '10:ETH', '1:USDC', '10:USDC', '10:OPX'])
  })

  it('chainIds; an unknown chain has nothing', async () => {
    expect(await found({ chainIds: [10] })).toEqual(['10:ETH', '10:USDC', '10:OPX'])
    expect(await found({ chainIds: [555, 7] })).toEqual([])
  })

  it('term: equal before beginning before containing, whatever the case', async () => {
    expect(await found({ term: 'usd' })).toEqual(['1:USDC', '10:USDC', '792703809:USDC', '1:USDX', '1:bUSD'])
    expect(await found({ term: ' UsDx ' })).toEqual(['1:USDX'])
    expect(await found({ term: 'dollar' })).toEqual(['1:bUSD', '1:USDX'])
    expect(await found({ term: at('d3').slice(0, 6).toUpperCase() })).toEqual(['10:OPX'])
  })

  it('term: ranks also among more rows than it sorts', async () => {
    await database.pool.query(`insert into currencies
      select 10, '0xcc' || lpad(to_hex(i), 38, '0'), 'CMN' || i, 'Common', 18, 'evm', 'c' || i, '', false, false, i = 5900,
        false, 'cmn' || i, 'common', '0xcc' || lpad(to_hex(i), 38, '0'), now() from generate_series(1, 6000) i`)
    expect((await found({ term: 'cmn' })).slice(0, 2)).toEqual(['10:CMN5900', '10:CMN1'])
    await database.pool.query(`delete from currencies where name = 'Common'`)
  })

  it('term: characters of patterns and quotes are plain text', async () => {
    expect(await found({ term: '100%_' })).toEqual(['1:bUSD'])
    expect(await found({ term: '%' })).toEqual(['1:bUSD'])
    expect(await found({ term: "'; drop table currencies; --" })).toEqual([])
    expect(await found({ term: '\\' })).toEqual([])
  })

  it('the configuration goes before an imported currency of the same address', async () => {
    expect(await found({ address: at('C1') })).toEqual(['1:USDC'])
    expect(await found({ term: 'fake' })).toEqual([])
  })

  it('address: exact, by the rules of each chain', async () => {
    expect(await found({ address: zero })).toEqual(['1:ETH', '10:ETH'])
    expect(await found({ address: at('D1'), chainIds: [1] })).toEqual(['1:USDX'])
    expect(await found({ address: at('d1'), chainIds: [10] })).toEqual([])
    expect(await found({ address: mint.toLowerCase() })).toEqual([])
    expect(await found({ address: 'nonsense' })).toEqual([])
  })

  it('includeAllChains: the same asset on every chain', async () => {
    const body = { address: at('c1'), chainIds: [1], includeAllChains: true }
    expect(await found(body)).toEqual(['1:USDC', '10:USDC', '792703809:USDC'])
    const tokens = { tokens: [`1:${at('C1')}`], includeAllChains: true }
    expect(await found(tokens)).toEqual(['1:USDC', '10:USDC', '792703809:USDC'])
  })

  it('currencyId is the group of v1 (wire.md K.5 1)', async () => {
    expect(await found({ currencyId: 'usdc' })).toEqual(['1:USDC', '10:USDC', '792703809:USDC'])
  })

  it('tokens; one of a private chain shows to who names it', async () => {
    const tokens = [`1:${at('D2')}`, `99:${at('c9')}`, '1:nonsense', `555:${at('d4')}`]
    expect(await found({ tokens })).toEqual(['99:USDC', '1:bUSD'])
  })

  it('verified', async () => {
    expect(await found({ verified: false, term: 'usd' })).toEqual(['1:USDX', '1:bUSD'])
  })

  it('depositAddressOnly: what the solver holds on chains with addresses, whatever an import says', async () => {
    expect(await found({ depositAddressOnly: true, verified: true })).toEqual(['1:ETH', '1:USDC'])
  })

  it('limit: 20 by default, at most 100, else 400 {message}', async () => {
    expect(await found({ limit: 2 })).toEqual(['1:ETH', '10:ETH'])
    for (const limit of [0, 101, -1, 1.5, '5']) {
      const answer = await post('v2', { limit })
      expect(answer.status).toBe(400)
      expect(Object.keys(Object(await answer.json()))).toEqual(['message', 'statusCode'])
    }
    const many = Array.from({ length: 130 }, (_, index) => ({
      chainId: 10,
      address: `0x${index.toString(16).padStart(2, '0')}${'f'.repeat(38)}`,
      symbol: `MANY${index}`,
      name: 'Many',
      decimals: 18,
    }))
    await importFile(many)
    expect(await search({ term: 'many' })).toHaveLength(20)
    expect(await search({ term: 'many', limit: 100 })).toHaveLength(100)
  })

  it('is 400 for other malformed bodies and ignores unknown fields', async () => {
    for (const body of [{ chainIds: ['1'] }, { tokens: ['1'] }, { term: 5 }, { verified: 'yes' }, []]) {
      expect((await post('v2', body)).status).toBe(400)
    }
    expect((await post('v2', { referrer: 'someone' })).status).toBe(200)
  })

  it('is cacheable and tagged (wire.md H.6)', async () => {
    const { headers } = await post('v2', {})
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300')
    expect(headers.get('etag')).toBeTruthy()
  })
})

describe('useExternalSearch (wire.md K.5 1)', () => {
  const outside: Currency = { ...heldCurrency(1, 'USDC', at('e1')), symbol: 'OUT', name: 'Outside', groupId: 'out' }

  it('asks the sources only when told to, and adds what is new and fits', async () => {
    asked = []
    external = async () => [outside, outside, { ...outside, chainId: 99 }, { ...outside, symbol: 'ELSE', name: 'Else' }]
    expect(await found({ term: 'out' })).toEqual([])
    expect(asked).toEqual([])
    expect(await found({ term: 'out', useExternalSearch: true })).toEqual(['1:OUT'])
    expect(asked).toMatchObject([{ term: 'out', limit: 20 }])
    expect(await found({ address: at('E1'), useExternalSearch: true })).toEqual(['1:OUT'])
    expect(asked[1]?.addresses).toContainEqual({ chainId: 1, address: at('e1') })
  })

  it('never describes what the operator listed, by configuration or import', async () => {
    const imitation = (address: string) => ({ ...outside, address, symbol: 'IMITATION', name: 'Imitation' })
    external = async () => [at('c1'), at('d1'), at('e1')].map(imitation)
    const body = { term: 'imitation', useExternalSearch: true }
    expect((await search(body)).map(({ address }) => address)).toEqual([at('e1')])
    for (const address of [at('c1'), at('d1')]) {
      expect(await search({ ...body, address, verified: false })).toEqual([])
    }
  })

  it('asks no source where only the catalogue can answer', async () => {
    asked = []
    external = async () => [outside]
    const body = { term: 'out', useExternalSearch: true }
    for (const more of [{ verified: true }, { defaultList: true }, { depositAddressOnly: true }]) {
      expect(await found({ ...body, ...more })).toEqual([])
    }
    expect(asked).toEqual([])
    expect(await found({ ...body, verified: false })).toEqual(['1:OUT'])
  })

  it('names a token as a source does, unless the source contradicts the chain about decimals', async () => {
    const facts = (decimals: number) => ({ symbol: 'RAW', name: 'Raw', decimals })
    const tokens = new Map([
      [at('e5'), facts(6)],
      [at('e6'), facts(18)],
      [at('e7'), facts(18)],
    ])
    Object.assign(chains.get(1).adapter, { readToken: async (address: string) => tokens.get(address) ?? null })
    external = async () => ['e5', 'e6'].map((byte) => ({ ...outside, address: at(byte) }))
    const lookup = async (byte: string) =>
      (await search({ address: at(byte), chainIds: [1], useExternalSearch: true })).map(
        ({ symbol, decimals, metadata }) => `${symbol} ${decimals} ${metadata.verified}`,
      )
    expect(await lookup('e5')).toEqual(['OUT 6 false'])
    expect(await lookup('e6')).toEqual(['RAW 18 false'])
    expect(await lookup('e7')).toEqual(['RAW 18 false'])
    Object.assign(chains.get(1).adapter, { readToken: undefined })
  })

  it('leaves out a source that fails or is late', async () => {
    external = () => Promise.reject(new Error('down'))
    expect(await found({ term: 'opx', useExternalSearch: true })).toEqual(['10:OPX'])
    external = () => new Promise(() => undefined)
    expect(await found({ term: 'opx', useExternalSearch: true })).toEqual(['10:OPX'])
  })
})

describe('POST /currencies/v1 (wire.md 4.2)', () => {
  it('groups the same asset across chains, each entry with its group', async () => {
    const groups = await grouped({ term: 'usdc' })
    expect(groups.map((group) => group.map(({ chainId, groupID }) => `${chainId}:${groupID}`))).toEqual([
      ['1:usdc', '10:usdc', '792703809:usdc'],
    ])
  })

  it('completes a group that the limit cut', async () => {
    const groups = await grouped({ term: 'usdc', limit: 1 })
    expect(groups.map((group) => group.length)).toEqual([3])
  })

  it('answers an absent body', async () => {
    expect((await grouped()).length).toBeGreaterThan(2)
  })
})

describe('currencies import', () => {
  const countRows = async () => (await database.pool.query('select count(*)::int as n from currencies')).rows[0].n

  it('changes nothing when repeated, and replaces what changed', async () => {
    const before = await countRows()
    expect((await importFile(imported)).at(-1)).toBe('6 currencies imported.')
    expect(await countRows()).toBe(before)
    await importFile([{ ...imported[2], symbol: 'USDY' }])
    expect(await countRows()).toBe(before)
    expect(await found({ term: 'usdy' })).toEqual(['1:USDY'])
  })

  it('writes nothing when one entry is wrong', async () => {
    const before = await countRows()
    const bad = [
      { ...imported[2], address: at('f1') },
      { ...imported[2], decimals: -1 },
    ]
    await expect(importFile(bad)).rejects.toThrow(/Nothing was imported: 1 problem/)
    expect(await countRows()).toBe(before)
  })

  it('tells its progress by batches', async () => {
    const rows = Array.from({ length: 1200 }, (_, index) => ({
      chainId: 1,
      address: `0xbb${index.toString(16).padStart(38, '0')}`,
      symbol: `BATCH${index}`,
      name: 'Batch',
      decimals: 18,
    }))
    expect(await importFile(rows)).toEqual(['500 of 1200', '1000 of 1200', '1200 of 1200', '1200 currencies imported.'])
  })
})
