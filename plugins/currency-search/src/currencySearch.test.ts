import 'reflect-metadata'
import type { ServerResponse } from 'node:http'
import { environmentOf } from '@causeway/core'
import type { ChainAdapter, ChainConfig, TokenFacts } from '@causeway/core/chain'
import { ChainRegistry, type CurrencySearch, type OutgoingHttp, type Provide } from '@causeway/core/plugin'
import { Value } from '@sinclair/typebox/value'
import { pino } from 'pino'
import { container as root } from 'tsyringe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import plugin from './index.js'
import { type OpenSources, openSources } from './openSources.js'
import { type CurrencySearchOptions, currencySearchOptions } from './options.js'
import { HOSTILE, type SourceServer, sendJson, startSourceServer } from './sourceServer.test.support.js'

const SOLANA = 792_703_809
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const SECRET = 'very-secret-key'
const NATIVE = `0x${'00'.repeat(20)}`
const at = (byte: string): string => `0x${byte.toLowerCase()}${'0'.repeat(38)}`

const USDC = { chainId: 1, address: at('C1'), symbol: 'USDC', name: 'USD Coin', decimals: 6 }

/** Facts on the chains by `<chainId>:<address>`; an error is thrown, a missing one is no token. */
let facts: Record<string, TokenFacts | Error | 'hangs'> = {}
let reads: string[] = []
let now = 0
const logged: Record<string, unknown>[] = []
const log = pino({ level: 'info', base: {} }, { write: (line: string) => void logged.push(JSON.parse(line)) })

const chainOf = (id: number, vmType: string, hasTokens = true) => {
  const pattern = vmType === 'evm' ? /^0x[0-9a-fA-F]{40}$/ : /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
  const adapter: Partial<ChainAdapter> = {
    vmType,
    normalizeCurrency: (text) => (pattern.test(text) ? (vmType === 'evm' ? text.toLowerCase() : text) : null),
    native: { address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18 } as ChainAdapter['native'],
    ...(hasTokens
      ? {
          readToken: async (address: string) => {
            reads.push(`${id}:${address}`)
            const answer = facts[`${id}:${address}`]
            if (answer === 'hangs') return new Promise<never>(() => undefined)
            if (answer instanceof Error) throw answer
            return answer ?? null
          },
        }
      : {}),
  }
  // CAST: the search uses no other member.
  return { config: { id, enabled: true } as ChainConfig, adapter: adapter as ChainAdapter }
}
const chains = new ChainRegistry([
  chainOf(1, 'evm'),
  chainOf(10, 'evm'),
  chainOf(SOLANA, 'svm'),
  chainOf(5, 'evm', false),
])

let server: SourceServer
let http: OutgoingHttp
/** Answers by path below the base; others are 404. */
let answers: Record<string, (response: ServerResponse, query: string, headers: Record<string, unknown>) => void> = {}
const opened: { stop: AbortController; running: Promise<void> }[] = []

beforeAll(async () => {
  server = await startSourceServer()
  http = server.client()
})
afterAll(() => server.close())
beforeEach(() => {
  now += 10_000_000
  logged.length = 0
  reads = []
  server.requests.length = 0
  facts = {
    [`1:${at('c1')}`]: { symbol: 'USDC', name: 'USD Coin of the contract', decimals: 6 },
    [`${SOLANA}:${MINT}`]: { symbol: 'EPjF…Dt1v', name: 'EPjF…Dt1v', decimals: 6 },
  }
  answers = {}
  server.answer = (response, url, headers) => {
    const answer = answers[url.pathname.replace('/base', '')]
    if (answer === undefined) response.writeHead(404).end()
    else answer(response, url.searchParams.get('query') ?? '', headers)
  }
})
afterEach(async () => {
  for (const { stop, running } of opened.splice(0)) {
    stop.abort()
    await running
  }
})

/** Sources as a deployment opens them, with the lists requested. */
const open = (given: object, client = http): OpenSources => {
  // CAST: the defaults of the schema complete it.
  const options = Value.Default(currencySearchOptions, {
    allowPrivateTargets: true,
    timeoutMs: 20_000,
    ...given,
  }) as CurrencySearchOptions
  const environment = environmentOf({ SEARCH_KEY: SECRET, ODD_KEY: 'two\nlines' })
  const sources = openSources({ options, http: client, chains, clock: { now: () => now }, environment, log })
  const stop = new AbortController()
  opened.push({ stop, running: sources.run(stop.signal) })
  return sources
}
const list = (path = '/list.json') => ({ url: `${server.url.href}${path}` })
const coingecko = (more: object = {}) => ({
  url: server.url.href,
  platforms: { '1': 'ethereum', [SOLANA]: 'solana' },
  ...more,
})
const jupiter = (more: object = {}) => ({ url: `${server.url.href}/jup`, chainId: SOLANA, ...more })

const search = ({ search: source }: OpenSources, query: Partial<CurrencySearch>) =>
  source.search({ chainIds: [1, 10, SOLANA], addresses: [], limit: 20, ...query }, new AbortController().signal)
const symbols = async (sources: OpenSources, query: Partial<CurrencySearch>) =>
  (await search(sources, query)).map(({ chainId, symbol }) => `${chainId}:${symbol}`)
const serveList = (...tokens: unknown[]) => {
  answers['/list.json'] = (response) =>
    sendJson(response, {
      name: 'Test list',
      timestamp: '2026-11-01T00:00:00.000Z',
      version: { major: 1, minor: 0, patch: 0 },
      tokens,
    })
}
const serveCoins = (found: unknown[], coins: unknown[]) => {
  answers['/search'] = (response) =>
    sendJson(response, { coins: found, exchanges: [], icos: [], categories: [], nfts: [] })
  answers['/coins/list'] = (response) => sendJson(response, coins)
}
const warnings = () => logged.filter(({ level }) => level === 40)

describe('answers of the sources (wire.md 4.1, K.5 1)', () => {
  it('merges lists, CoinGecko and Jupiter by address, unverified, with the decimals of the chain', async () => {
    serveList({
      ...USDC,
      address: USDC.address.toUpperCase().replace('0X', '0x'),
      logoURI: 'https://img.example/usdc.png',
    })
    serveCoins(
      [
        {
          ...{ id: 'usd-coin', name: 'USDC', api_symbol: 'usd-coin', symbol: 'USDC', market_cap_rank: 7 },
          ...{ thumb: 'https://img.example/thumb.png', large: 'https://img.example/large.png' },
        },
        { id: 'bitcoin', name: 'Bitcoin', api_symbol: 'bitcoin', symbol: 'BTC', market_cap_rank: 1, large: null },
      ],
      [
        { id: 'usd-coin', symbol: 'usdc', name: 'USDC', platforms: { ethereum: at('c1'), solana: MINT, other: 'x' } },
        { id: 'bitcoin', symbol: 'btc', name: 'Bitcoin', platforms: {} },
      ],
    )
    answers['/jup/search'] = (response) =>
      sendJson(response, [
        {
          ...{ id: MINT, name: 'USD Coin', symbol: 'USDC', icon: 'https://img.example/sol.png', decimals: 6 },
          ...{ tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', isVerified: true, organicScore: 98.08 },
        },
      ])
    const sources = open({ lists: [list()], coingecko: [coingecko()], jupiter: [jupiter()] })
    expect(await search(sources, { term: 'usdc' })).toEqual([
      {
        ...USDC,
        ...{ vmType: 'evm', groupId: `1:${USDC.address}` },
        metadata: { logoURI: 'https://img.example/usdc.png', verified: false, isNative: false },
      },
      {
        ...{ chainId: SOLANA, address: MINT, symbol: 'USDC', name: 'USDC', decimals: 6, vmType: 'svm' },
        groupId: `${SOLANA}:${MINT}`,
        metadata: { logoURI: 'https://img.example/large.png', verified: false, isNative: false },
      },
    ])
    expect(warnings()).toEqual([])
  })

  it('finds a token by its address on the chains of the search alone', async () => {
    serveList(USDC, { ...USDC, chainId: 10 })
    facts[`10:${at('c1')}`] = { symbol: 'USDC', name: 'USD Coin', decimals: 6 }
    serveCoins([], [{ id: 'jup', symbol: 'jup', name: 'Jupiter', platforms: { solana: MINT } }])
    answers['/jup/search'] = (response, query) =>
      sendJson(response, [{ id: query, name: 'J', symbol: 'JUP', decimals: 6 }])
    const sources = open({ lists: [list()], coingecko: [coingecko()], jupiter: [jupiter()] })
    const place = (chainId: number, address: string) => ({ chainIds: [chainId], addresses: [{ chainId, address }] })
    expect(await symbols(sources, place(1, at('c1')))).toEqual(['1:USDC'])
    expect(await symbols(sources, place(SOLANA, MINT))).toEqual([`${SOLANA}:jup`])
    expect(await symbols(sources, { chainIds: [10], term: 'usdc' })).toEqual(['10:USDC'])
    expect(server.requests.filter(({ path }) => path.includes('search')).map(({ path }) => path)).toEqual([
      `/base/jup/search?query=${MINT}`,
      '/base/search?query=usdc',
    ])
  })

  it('orders equal texts before beginnings before the rest, and reads at most 40 tokens for one search', async () => {
    const token = (byte: string, symbol: string) => ({ ...USDC, address: at(byte), symbol, name: symbol })
    const many = Array.from({ length: 90 }, (_, index) => token(`${index + 10}`, `xab${index}`))
    serveList(...many, token('e1', 'abx'), token('e2', 'ab'))
    for (const { address, symbol } of [...many, token('e1', 'abx'), token('e2', 'ab')]) {
      facts[`1:${address}`] = { symbol, name: symbol, decimals: 6 }
    }
    const found = await symbols(open({ lists: [list()] }), { term: 'ab', limit: 100 })
    expect(found.slice(0, 3)).toEqual(['1:ab', '1:abx', '1:xab0'])
    expect([found.length, reads.length]).toEqual([40, 40])
    expect(await symbols(open({ lists: [list()] }), { term: 'ab', limit: 2 })).toEqual(['1:ab', '1:abx'])
  })

  it('takes chain ids of a list as the options map them', async () => {
    serveList({ chainId: 101, address: MINT, symbol: 'USDC', name: 'USD Coin', decimals: 6 })
    const sources = open({ lists: [{ ...list(), chainIds: { '101': SOLANA } }] })
    expect(await symbols(sources, { term: 'usdc' })).toEqual([`${SOLANA}:USDC`])
  })
})

describe('the chain decides about decimals', () => {
  it('leaves out a token that contradicts its chain, has none there, or whose chain does not answer', async () => {
    const token = (byte: string, chainId = 1) => ({ ...USDC, chainId, address: at(byte), symbol: `T${byte}` })
    serveList(token('a1'), token('a2'), token('a3'), token('a4'), token('a5', 5))
    facts = {
      [`1:${at('a1')}`]: { symbol: 'A', name: 'A', decimals: 18 },
      [`1:${at('a2')}`]: new Error('no node answers'),
      [`1:${at('a4')}`]: { symbol: 'A', name: 'A', decimals: 6 },
    }
    const sources = open({ lists: [list()] })
    expect(await symbols(sources, { chainIds: [1, 5], term: 't' })).toEqual(['1:Ta4'])
  })

  it('believes a later source that agrees with the chain, and one that states none', async () => {
    serveList({ ...USDC, decimals: 18, symbol: 'USDC' })
    answers['/other.json'] = (response) => sendJson(response, { tokens: [{ ...USDC, name: 'Right' }] })
    expect(await search(open({ lists: [list(), list('/other.json')] }), { term: 'usdc' })).toMatchObject([
      { name: 'Right', decimals: 6 },
    ])
    serveCoins(
      [{ id: 'usd-coin', name: 'Coin', symbol: 'UsDc', large: '' }],
      [{ id: 'usd-coin', symbol: 'usdc', name: 'Coin', platforms: { ethereum: at('c1') } }],
    )
    expect(await search(open({ coingecko: [coingecko()] }), { term: 'usdc' })).toMatchObject([
      { symbol: 'USDC', name: 'Coin', decimals: 6 },
    ])
  })

  it('returns what is confirmed when the time is over', async () => {
    serveList(USDC, { ...USDC, address: at('b1') })
    facts[`1:${at('b1')}`] = 'hangs'
    const sources = open({ lists: [list()], timeoutMs: 1_000 })
    await search(sources, { addresses: [{ chainId: 1, address: at('c1') }] })
    expect(await search(sources, { term: 'usdc' })).toMatchObject([{ address: at('c1') }])
  })
})

describe('what untrusted sources write', () => {
  it('becomes one visible line of bounded length, and an image URL only if it is https', async () => {
    serveList(
      {
        ...USDC,
        symbol: `\u202eUS\u0000DC${'\u200b'}`,
        name: `A\n\u2066${'b'.repeat(500)}`,
        logoURI: 'javascript:alert(1)',
      },
      ...[
        'http://img.example/a',
        'data:image/png;base64,AA',
        `https://img.example/${'a'.repeat(600)}`,
        'https://u:p@x.y/',
        7,
      ].map((logoURI, index) => ({ ...USDC, address: at(`d${index}`), logoURI })),
    )
    for (const index of [0, 1, 2, 3, 4]) facts[`1:${at(`d${index}`)}`] = { symbol: 'U', name: 'U', decimals: 6 }
    const found = await search(open({ lists: [list()] }), { term: 'us' })
    expect(found.map(({ metadata }) => metadata.logoURI)).toEqual(['', '', '', '', '', ''])
    expect(found).toContainEqual(expect.objectContaining({ symbol: 'US DC', name: `A ${'b'.repeat(98)}` }))
  })

  it('is left out entry by entry, and counted', async () => {
    serveList(
      USDC,
      ...[null, 5, 'token', [], {}, { ...USDC, chainId: '1' }, { ...USDC, chainId: 1.5 }, { ...USDC, address: 'usdc' }],
      ...[
        { ...USDC, address: { toString: 1 } },
        { ...USDC, address: NATIVE },
        { ...USDC, symbol: '\u202e ' },
      ],
      ...[
        { ...USDC, symbol: undefined },
        { ...USDC, symbol: ['USDC'] },
      ],
      ...[null, undefined, -1, 256, 1.5, '6', {}].map((decimals) => ({ ...USDC, decimals })),
      { ...USDC, chainId: 77 },
    )
    expect(await symbols(open({ lists: [list()] }), { term: 'usdc' })).toEqual(['1:USDC'])
    expect(logged).toMatchObject([{ level: 30, source: 'lists', tokens: 1, refused: 20 }])
  })

  it.each(Object.entries(HOSTILE))(
    'a server that %s is left out, and said once without its URL',
    async (_what, behave) => {
      serveList(USDC)
      answers['/bad.json'] = behave
      answers['/coins/list'] = behave
      answers['/jup/search'] = behave
      answers['/search'] = behave
      const keyed = () => ({ apiKey: { env: 'SEARCH_KEY' } })
      const sources = open({
        lists: [{ ...list('/bad.json'), maxBytes: 100_000 }, list()],
        coingecko: [coingecko({ ...keyed(), maxBytes: 100_000 })],
        jupiter: [jupiter(keyed())],
      })
      expect(await symbols(sources, { term: 'usdc' })).toEqual(['1:USDC'])
      const asked = server.requests.length
      expect(await symbols(sources, { term: 'usd' })).toEqual(['1:USDC'])
      expect(server.requests.length).toBe(asked)
      // Both paths of CoinGecko, the other list, and Jupiter.
      const failed = () => warnings().map(({ source }) => source)
      await expect.poll(() => failed().sort()).toEqual(['coingecko', 'coingecko', 'jupiter', 'lists 1'])
      expect(server.requests.some(({ path }) => path.includes('elsewhere'))).toBe(false)
      expect(JSON.stringify(logged)).not.toMatch(new RegExp(`${SECRET}|${server.url.port}|127\\.0\\.0\\.1|https?:`))
      expect(server.requests.find(({ path }) => path.startsWith('/base/jup'))?.headers['x-api-key']).toBe(SECRET)
      expect(server.requests.find(({ path }) => path.startsWith('/base/search'))?.headers['x-cg-demo-api-key']).toBe(
        SECRET,
      )
    },
  )

  it('a server that hangs costs no other source its tokens', async () => {
    serveList(USDC)
    answers['/jup/search'] = () => undefined
    const client = server.client()
    const sources = open({ lists: [list()], jupiter: [jupiter()], timeoutMs: 1_000 }, client)
    await search(sources, { addresses: [{ chainId: 1, address: at('c1') }] })
    expect(await symbols(sources, { term: 'usdc' })).toEqual(['1:USDC'])
    client.close()
  })
})

describe('requests to a server', () => {
  const calls = () => server.requests.length

  it('equal questions share one; answers are used for their time, empty ones for a minute', async () => {
    answers['/jup/search'] = (response, query) =>
      sendJson(response, query === 'usdc' ? [{ id: MINT, name: 'USD Coin', symbol: 'USDC', decimals: 6 }] : [])
    const sources = open({ jupiter: [jupiter()] })
    const both = await Promise.all([1, 2, 3].map(() => symbols(sources, { term: 'usdc' })))
    expect(both).toEqual([1, 2, 3].map(() => [`${SOLANA}:USDC`]))
    now += 590_000
    await symbols(sources, { term: 'usdc' })
    expect(calls()).toBe(1)
    now += 20_000
    await symbols(sources, { term: 'usdc' })
    expect([calls(), reads.length]).toEqual([2, 2])
    expect(await symbols(sources, { term: 'nothing' })).toEqual([])
    now += 50_000
    await symbols(sources, { term: 'nothing' })
    expect(calls()).toBe(3)
    now += 20_000
    await symbols(sources, { term: 'nothing' })
    expect(calls()).toBe(4)
    await symbols(sources, { term: 'n' })
    await symbols(sources, { term: 'usdc', chainIds: [1] })
    expect(calls()).toBe(4)
  })

  it('at most four are open at once', async () => {
    const held: ServerResponse[] = []
    const soon = { interval: 2 }
    let most = 0
    answers['/jup/search'] = (response) => {
      held.push(response)
      most = Math.max(most, held.length)
    }
    const sources = open({ jupiter: [jupiter()] })
    let left = 10
    const all = Array.from({ length: left }, (_, index) =>
      search(sources, { term: `term ${index}` }).then(() => left--),
    )
    while (left > 0) {
      await expect.poll(() => held.length >= Math.min(4, left), soon).toBe(true)
      const response = held.shift()
      if (response !== undefined) sendJson(response, [])
      const before = left
      await expect.poll(() => left < before, soon).toBe(true)
    }
    await Promise.all(all)
    expect(most).toBe(4)
  })
})

describe('options', () => {
  it('without sources leave the plugin off: no source, no job', async () => {
    // CAST: the defaults of the schema complete it.
    const options = Value.Default(currencySearchOptions, {}) as CurrencySearchOptions
    const container = root.createChildContainer()
    const provided: unknown[] = []
    const provide: Provide['provide'] = (_token, make) => void provided.push(make(container))
    await plugin.register?.({ container, options, provide })
    expect([provided, plugin.jobs?.({ container, options })]).toEqual([[[]], []])
    await plugin.stop?.({ container, options })
  })

  it.each([
    [{ lists: [{ url: 'http://lists.example/a' }] }, 'lists[0].url', /https/],
    [
      { lists: [{ url: 'https://10.0.0.1/secret-path' }], allowPrivateTargets: false },
      'lists[0].url',
      /public internet/,
    ],
    [{ coingecko: [{ url: 'https://user:hunter2@x.example', platforms: {} }] }, 'coingecko[0].url', /password/],
    [{ jupiter: [{ chainId: 3 }] }, 'jupiter[0].chainId', /chain 3.*not configured/],
    [{ coingecko: [{ platforms: { '3': 'base' } }] }, 'coingecko[0].platforms', /chain 3.*not configured/],
    [{ lists: [{ url: 'https://x.example', chainIds: { '101': 3 } }] }, 'lists[0].chainIds', /chain 3.*not configured/],
    [{ jupiter: [{ chainId: SOLANA, apiKey: { env: 'NO_KEY' } }] }, 'jupiter[0]', /NO_KEY.*empty/],
    [{ jupiter: [{ chainId: SOLANA, apiKey: { env: 'ODD_KEY' } }] }, 'jupiter[0]', /ODD_KEY.*ASCII/],
  ])('%j stop the start with the place and the remedy', (given, place, message) => {
    const said = (() => {
      try {
        return open(given)
      } catch (error) {
        return String(error)
      }
    })()
    expect(said).toMatch(message)
    expect(said).toContain(place)
    expect(said).not.toMatch(/hunter2|secret-path|two/)
  })
})
