import type { Hex } from '@causeway/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { ether, NATIVE, type NetworkChain, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, type QuoteAnswer, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, leakIn, nativeBody, postQuote, startHttpWorld, tokenBody } from './httpWorld.js'
import { namesAt } from './quoteAmounts.js'

const UNKNOWN: Hex = `0x${'ab'.repeat(32)}`
const STATUS_PATHS = ['/intents/status', '/intents/status/v2', '/intents/status/v3'] as const
const ORDER_OF_STATUSES = ['waiting', 'pending', 'submitted', 'success']

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world?.close())

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => callApi(world.host.url, path, { headers })
const post = (path: string, body: unknown) => callApi(world.host.url, path, { body })

const messageAlone = ({ status, body, text }: ApiAnswer): number => {
  expect([status, namesAt(body)]).toEqual([status, ['message']])
  expect(leakIn(world, text)).toBeNull()
  return status
}

const quote = async (body: unknown, apiKey?: string): Promise<QuoteAnswer> => {
  const answer = await postQuote(world, body, '/quote', apiKey)
  expect([answer.status, valueAt(answer.body, 'message')]).toEqual([200, undefined])
  // CAST: the tests of the quote's shape check it.
  return answer.body as QuoteAnswer
}

const statusOf = (requestId: string, version = '/v3') => get(`/intents/status${version}?requestId=${requestId}`)

interface Followed {
  readonly quote: QuoteAnswer
  /** The status before anything was paid. */
  readonly first: unknown
  readonly deposit: Hex
  /** Every status seen, each once, in order. */
  readonly seen: readonly string[]
  readonly last: unknown
}

/** Quotes, pays and polls the item's own check until the request is final, as a client does. */
const transfer = async (
  body: Readonly<Record<string, unknown>>,
  final: string,
  user: number,
  apiKey?: string,
): Promise<Followed> => {
  const given = await quote(body, apiKey)
  const { body: first } = await statusOf(given.requestId)
  const [{ chain }] = world.network.chains
  const deposit = await executeQuote(chain, userOf(world.network, user), given)
  return { quote: given, first, deposit, ...(await follow(given, final)) }
}

const follow = async (given: QuoteAnswer, final: string) => {
  const check = textAt(given.steps.at(-1), 'items.0.check.endpoint')
  const seen: string[] = []
  const last = await until(`status ${final}`, async () => {
    const { status, body } = await get(check)
    expect(status).toBe(200)
    const word = textAt(body, 'status')
    if (seen.at(-1) !== word) seen.push(word)
    return word === final ? body : null
  })
  return { seen, last }
}

const STATUS_V3 = [
  ...['destinationChainId', 'details', 'failReason', 'inTxHashes', 'originChainId', 'quoteCreatedAt'],
  ...['refundFailReason', 'status', 'txHashes', 'updatedAt'],
]
const STATUS_V2 = [
  ...['destinationChainId', 'details', 'inTxHashes', 'originChainId', 'quoteCreatedAt', 'status', 'time', 'txHashes'],
]

/** Holds the three surfaces against each other and returns v3's body (wire.md 2.1, 2.2, K.2 8). */
const expectSurfaces = async (requestId: string): Promise<unknown> => {
  const [v1, v2, v3] = await Promise.all(['', '/v2', '/v3'].map((version) => statusOf(requestId, version)))
  for (const answer of [v1, v2, v3]) {
    expect([answer?.status, answer?.headers.get('cache-control')]).toEqual([200, 'no-store'])
  }
  expect(v1?.body).toEqual(v3?.body)
  expect(namesAt(v3?.body)).toEqual(STATUS_V3)
  expect(namesAt(v2?.body)).toEqual(STATUS_V2)
  for (const name of [
    'status',
    'details',
    'inTxHashes',
    'txHashes',
    'originChainId',
    'destinationChainId',
    'quoteCreatedAt',
  ]) {
    expect(valueAt(v2?.body, name)).toEqual(valueAt(v3?.body, name))
  }
  expect(valueAt(v2?.body, 'time')).toBe(valueAt(v3?.body, 'updatedAt'))
  return v3?.body
}

describe('the status of a request that is not paid (wire.md 2.1, 2.2, H.3)', () => {
  it('is waiting on every surface', async () => {
    const before = Date.now()
    const { requestId } = await quote(nativeBody(world))
    const body = await expectSurfaces(requestId)
    const [from, to] = world.network.chains
    expect(body).toEqual({
      status: 'waiting',
      details: null,
      inTxHashes: [],
      txHashes: [],
      updatedAt: expect.any(Number),
      quoteCreatedAt: expect.any(Number),
      originChainId: from.chain.chainId,
      destinationChainId: to.chain.chainId,
      failReason: 'N/A',
      refundFailReason: 'N/A',
    })
    for (const name of ['updatedAt', 'quoteCreatedAt']) {
      expect(Number(valueAt(body, name))).toBeGreaterThanOrEqual(before - 1_000)
      expect(Number(valueAt(body, name))).toBeLessThanOrEqual(Date.now() + 1_000)
    }
  })

  it('ignores further parameters and the case of the id, and needs no key (0.1, A.1 1)', async () => {
    const { requestId } = await quote(nativeBody(world))
    expect((await get(`/intents/status/v3?requestId=${requestId}&referrer=relay.link&x=1`)).status).toBe(200)
    expect((await statusOf(`0x${requestId.slice(2).toUpperCase()}`)).status).toBe(200)
  })

  it.each(STATUS_PATHS)('%s: unknown is 404, missing or malformed 400', async (path) => {
    expect(messageAlone(await get(`${path}?requestId=${UNKNOWN}`))).toBe(404)
    const malformed = ['', '0x12', 'abc', UNKNOWN.slice(2), `${UNKNOWN}00`, `0x${'zz'.repeat(32)}`, "0x' or 1=1", '%00']
    for (const id of malformed) expect([id, messageAlone(await get(`${path}?requestId=${id}`))]).toEqual([id, 400])
    expect(messageAlone(await get(path))).toBe(400)
    expect(messageAlone(await get(`${path}?requestId=${UNKNOWN}&requestId=${UNKNOWN}`))).toBeLessThan(500)
  })
})

describe('a transfer over HTTP alone', () => {
  const recipient = freshAddress()
  let done: Followed
  const fillHash = () => textAt(done.last, 'txHashes.0')
  const [from, to] = [() => world.network.chains[0], () => world.network.chains[1]]

  const succeeded = async ({ chain }: NetworkChain, hash: string) =>
    (await receiptOf(chain, `0x${hash.slice(2)}`)).status === '0x1'

  beforeAll(async () => {
    const user = userOf(world.network, 0).address
    done = await transfer(tokenBody(world, { user, recipient }), 'success', 0)
  })

  it('goes from waiting to success, never back, and the recipient has the quoted amount', async () => {
    const places = done.seen.map((status) => ORDER_OF_STATUSES.indexOf(status))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((left, right) => left - right))
    expect(await balanceOnChain(to(), recipient, to().usdc)).toBe(BigInt(done.quote.details.currencyOut.amount))
  })

  it('shows both transactions on every surface', async () => {
    const body = await expectSurfaces(done.quote.requestId)
    expect(body).toMatchObject({
      status: 'success',
      details: null,
      inTxHashes: [done.deposit],
      txHashes: [expect.stringMatching(/^0x[0-9a-f]{64}$/)],
      failReason: 'N/A',
      refundFailReason: 'N/A',
    })
    expect(await succeeded(to(), fillHash())).toBe(true)
    expect(Number(valueAt(body, 'updatedAt'))).toBeGreaterThan(Number(valueAt(body, 'quoteCreatedAt')))
    expect(valueAt(body, 'quoteCreatedAt')).toBe(valueAt(done.first, 'quoteCreatedAt'))
  })

  it('GET /transactions/status knows both transactions and their request (H.3)', async () => {
    const ends = [
      [from().chain.chainId, done.deposit],
      [to().chain.chainId, fillHash()],
    ] as const
    for (const [chainId, txHash] of ends) {
      const { status, body } = await get(`/transactions/status?chainId=${chainId}&txHash=${txHash}&referrer=x`)
      expect([status, body]).toEqual([
        200,
        { status: 'success', requestId: done.quote.requestId, chainId, txHash, blockNumber: expect.any(Number) },
      ])
    }
  })

  it('GET /transactions/status: a stranger is 200 without a request, an unknown 404, malformed 400', async () => {
    const { chain } = from()
    const other = await chain.send(userOf(world.network, 4), { to: freshAddress(), value: 1n })
    await receiptOf(chain, other)
    const stranger = await get(`/transactions/status?chainId=${chain.chainId}&txHash=${other}`)
    expect([stranger.status, valueAt(stranger.body, 'requestId')]).toEqual([200, null])
    expect(messageAlone(await get(`/transactions/status?chainId=${chain.chainId}&txHash=${UNKNOWN}`))).toBe(404)
    const malformed = [
      ...['', `?txHash=${UNKNOWN}`, `?chainId=${chain.chainId}`, `?chainId=x&txHash=${UNKNOWN}`],
      ...[`?chainId=1&txHash=${UNKNOWN}`, `?chainId=${chain.chainId}&txHash=0x12`, `?chainId=-1&txHash=${UNKNOWN}`],
    ]
    for (const query of malformed) {
      expect([query, messageAlone(await get(`/transactions/status${query}`))]).toEqual([query, 400])
    }
  })

  it('POST /transactions/index takes a hint as text or number, and is 404 for what no chain knows (2.3)', async () => {
    const { chainId } = from().chain
    for (const id of [chainId, String(chainId)]) {
      const body = { chainId: id, txHash: done.deposit, requestId: done.quote.requestId, referrer: 'relay.link' }
      expect(messageAlone(await post('/transactions/index', body))).toBe(200)
    }
    expect(messageAlone(await post('/transactions/index', { chainId, txHash: UNKNOWN }))).toBe(404)
    const malformed = [
      {},
      { chainId },
      { txHash: UNKNOWN },
      { chainId: 'x', txHash: UNKNOWN },
      { chainId, txHash: '0x1' },
    ]
    for (const body of [...malformed, { chainId: 1, txHash: UNKNOWN }, { chainId: true, txHash: UNKNOWN }, []]) {
      expect(messageAlone(await post('/transactions/index', body))).toBe(400)
    }
  })

  it('POST /transactions/single is harmless, whatever is reported (2.4)', async () => {
    const { requestId } = done.quote
    const chainId = String(to().chain.chainId)
    for (const hash of ['txHash', 'replacementTxHash']) {
      const tx = JSON.stringify({ to: recipient, value: '1', [hash]: fillHash() })
      expect(messageAlone(await post('/transactions/single', { requestId, chainId, tx, referrer: 'x' }))).toBe(200)
    }
    const unknown = JSON.stringify({ txHash: UNKNOWN })
    expect(messageAlone(await post('/transactions/single', { requestId: UNKNOWN, chainId, tx: unknown }))).toBe(200)
    for (const tx of ['', 'x', '[]', 'null', '{}', '{"txHash":5}', '{"txHash":"0x12"}', 5]) {
      expect(messageAlone(await post('/transactions/single', { requestId, chainId, tx }))).toBe(400)
    }
    expect(await expectSurfaces(requestId)).toMatchObject({ status: 'success', txHashes: [fillHash()] })
  })
})

describe('a refund (wire.md 1.2, B.3, K.2 4)', () => {
  it('that was forced shows its reason, its transaction, and the money is back', async () => {
    const user = userOf(world.network, 1)
    const [from] = world.network.chains
    const before = await balanceOnChain(from, user.address, from.usdc)
    const body = tokenBody(world, { user: user.address, recipient: freshAddress(), referrer: 'debug-force-refund' })
    expect((await postQuote(world, body)).status).toBe(401)
    const done = await transfer(body, 'refund', 1, world.host.apiKey)
    expect(done.seen).not.toContain('failure')
    const shown = await expectSurfaces(done.quote.requestId)
    expect(shown).toMatchObject({
      status: 'refund',
      inTxHashes: [done.deposit],
      txHashes: [expect.stringMatching(/^0x[0-9a-f]{64}$/)],
      refundFailReason: 'N/A',
    })
    expect(textAt(shown, 'failReason')).toBe('UNKNOWN')
    const refund = textAt(shown, 'txHashes.0')
    const found = await get(`/transactions/status?chainId=${from.chain.chainId}&txHash=${refund}`)
    expect(found.body).toMatchObject({ status: 'success', requestId: done.quote.requestId })
    // Exactly what came in, less at most what the refund's own transaction costs.
    const lost = before - (await balanceOnChain(from, user.address, from.usdc))
    expect(lost).toBeGreaterThanOrEqual(0n)
    expect(lost).toBeLessThan(1_000_000n)
  })

  it('of a deposit far below the quote is a request of its own, and told under the id of the quote (F135)', async () => {
    const user = userOf(world.network, 4)
    const given = await quote(nativeBody(world, { user: user.address, recipient: freshAddress() }))
    const [from] = world.network.chains
    const deposit = await depositNative(from, user, given.protocol.v2.orderId, ether('0.005'))
    await until('the refund', async () => {
      const { body } = await statusOf(given.requestId)
      return valueAt(body, 'status') === 'refund' ? true : null
    })
    const told = await expectSurfaces(given.requestId)
    expect(told).toMatchObject({ inTxHashes: [deposit], txHashes: [expect.any(String)] })
    expect(textAt(told, 'failReason')).toBe('DEPOSITED_AMOUNT_TOO_LOW_TO_FILL')
    const family = `/requests/v3?id=${given.requestId}&includeChildRequests=true`
    const { body } = await callApi(world.host.url, family, { apiKey: world.host.apiKey })
    const [own] = listAt(body, 'requests')
      .map((record) => textAt(record, 'id'))
      .filter((id) => id !== given.requestId)
    if (own === undefined) throw new Error('The deposit has no request')
    expect(await expectSurfaces(own)).toEqual(told)
  })
})

describe('POST /currencies/v2 and /v1 (wire.md 4.1, 4.2)', () => {
  const symbols = async (body: unknown): Promise<readonly string[]> => {
    const answer = await post('/currencies/v2', body)
    expect(answer.status).toBe(200)
    return listAt({ list: answer.body }, 'list').map((item) => `${textAt(item, 'symbol')} ${valueAt(item, 'chainId')}`)
  }

  it('lists every currency to its leaves, without a body too', async () => {
    const answer = await callApi(world.host.url, '/currencies/v2', { method: 'POST' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300')
    const list = listAt({ list: answer.body }, 'list')
    expect(list).toHaveLength(6)
    const [{ chain, usdc }] = world.network.chains
    expect(list).toContainEqual({
      chainId: chain.chainId,
      address: usdc,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      vmType: 'evm',
      metadata: { logoURI: '', verified: true, isNative: false },
    })
    expect(await symbols({})).toHaveLength(6)
  })

  it('each filter narrows the list', async () => {
    const [{ chain, usdc }, other] = world.network.chains
    const id = chain.chainId
    const second = other.chain.chainId
    expect([...(await symbols({ chainIds: [id] }))].sort()).toEqual([`BUSD ${id}`, `ETH ${id}`, `USDC ${id}`])
    expect(await symbols({ chainIds: [424_242] })).toEqual([])
    expect(await symbols({ term: 'usdc' })).toEqual([`USDC ${id}`, `USDC ${second}`])
    expect(await symbols({ term: 'Blockable', chainIds: [second] })).toEqual([`BUSD ${second}`])
    expect(await symbols({ term: 'nothing like it' })).toEqual([])
    expect(await symbols({ address: usdc.toUpperCase().replace('0X', '0x'), chainIds: [id] })).toEqual([`USDC ${id}`])
    expect(await symbols({ address: usdc, chainIds: [id], includeAllChains: true })).toEqual([
      `USDC ${id}`,
      `USDC ${second}`,
    ])
    expect(await symbols({ currencyId: 'eth' })).toEqual([`ETH ${id}`, `ETH ${second}`])
    expect(await symbols({ tokens: [`${id}:${NATIVE}`, `${second}:${other.usdc}`] })).toHaveLength(2)
    expect(await symbols({ verified: true })).toHaveLength(6)
    expect(await symbols({ verified: false })).toEqual([])
    expect(await symbols({ defaultList: true })).toHaveLength(6)
    expect(await symbols({ depositAddressOnly: true })).toEqual([])
    expect(await symbols({ useExternalSearch: true, term: 'nothing like it', referrer: 'x' })).toEqual([])
    expect(await symbols({ limit: 1 })).toHaveLength(1)
    expect(await symbols({ limit: 100 })).toHaveLength(6)
  })

  it('a limit out of 1 to 100, or a field of another type, is 400 {message}', async () => {
    const [{ chain }] = world.network.chains
    const bad = [
      ...[{ limit: 0 }, { limit: 101 }, { limit: -1 }, { limit: 1.5 }, { limit: '20' }],
      ...[
        { chainIds: chain.chainId },
        { chainIds: ['1'] },
        { tokens: ['usdc'] },
        { term: 5 },
        { verified: 'true' },
        [],
      ],
    ]
    for (const path of ['/currencies/v1', '/currencies/v2']) {
      for (const body of bad) expect([body, messageAlone(await post(path, body))]).toEqual([body, 400])
    }
  })

  it('v1 groups the same asset across chains', async () => {
    const { status, body } = await post('/currencies/v1', {})
    expect(status).toBe(200)
    const groups = listAt({ list: body }, 'list').map((group) => listAt({ group }, 'group'))
    const shape = groups.map((group) => [valueAt(group[0], 'groupID'), group.length])
    expect(Object.fromEntries(shape)).toEqual({ eth: 2, usdc: 2, busd: 2 })
    for (const group of groups) expect(new Set(group.map((item) => valueAt(item, 'groupID'))).size).toBe(1)
  })
})

describe('GET /chains (wire.md 4.6)', () => {
  it('lists each chain to its leaves, and no endpoint of the operator', async () => {
    const { status, body, text, headers } = await get('/chains?referrer=relay.link')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300')
    expect(leakIn(world, text)).toBeNull()
    expect(namesAt(body)).toEqual(['chains'])
    const [{ chain, slug, depository, usdc, blockable }] = world.network.chains
    const entry = listAt(body, 'chains').find((item) => valueAt(item, 'id') === chain.chainId)
    const native = { id: 'eth', symbol: 'ETH', name: 'Ether', address: NATIVE, decimals: 18 }
    const token = { id: 'usdc', symbol: 'USDC', name: 'USD Coin', address: usdc, decimals: 6 }
    const blocking = { id: 'busd', symbol: 'BUSD', name: 'Blockable Dollar', address: blockable, decimals: 6 }
    const fees = { withdrawalFee: 0, depositFee: 0, surgeEnabled: false }
    const tokens = [token, blocking].map((item) => ({ ...item, supportsBridging: true }))
    expect(listAt(body, 'chains')).toHaveLength(2)
    expect(entry).toEqual({
      id: chain.chainId,
      name: slug,
      displayName: `Test ${slug}`,
      httpRpcUrl: '',
      wsRpcUrl: '',
      explorerUrl: '',
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
      featuredTokens: tokens.map((item) => ({ ...item, metadata: { logoURI: '' } })),
      erc20Currencies: tokens.map((item) => ({ ...item, supportsPermit: false, permit2: false, ...fees })),
      solverCurrencies: [native, token, blocking],
      iconUrl: null,
      logoUrl: null,
      brandColor: null,
      contracts: {},
      vmType: 'evm',
      baseChainId: null,
      statusMessage: null,
      solverAddresses: [world.network.roles.solver.address.toLowerCase()],
      tags: [],
      protocol: { v2: { chainId: slug, depository, depositoryVault: null } },
    })
  })

  it('is 304 to who has it already', async () => {
    const etag = (await get('/chains')).headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    const again = await get('/chains', { 'if-none-match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

describe('health and metrics (wire.md 4.14)', () => {
  it('GET /lives says ok, and more when asked', async () => {
    expect(await get('/lives')).toMatchObject({ status: 200, body: { status: 'ok' } })
    const { status, body, text } = await get('/lives?withReport=true')
    expect(status).toBe(200)
    const ok = { status: 'ok', reason: null }
    expect(body).toEqual({
      status: 'ok',
      report: { version: expect.any(String), postgres: ok, redis: 'not used', 'chain-harbor': ok, 'chain-lagoon': ok },
    })
    expect(leakIn(world, text.replace('"postgres"', ''))).toBeNull()
    expect((await get('/lives?withReport=true&skipPostgres=true&skipRedis=true')).status).toBe(200)
  })

  it('GET /metrics is text without a URL or key, with routes and never ids as labels', async () => {
    const { requestId } = await quote(nativeBody(world))
    await statusOf(requestId)
    const { status, headers, text } = await get('/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(text).toMatch(
      /causeway_http_request_seconds_count\{route="\/intents\/status\/v3",method="GET",status="200"\} \d/,
    )
    expect(text).not.toContain(requestId)
    expect(leakIn(world, text)).toBeNull()
  })
})

describe('HTTP itself (wire.md 0.1, H.6, K.5 3)', () => {
  const split = (text: string | null) => (text ?? '').toLowerCase().split(/,\s*/)

  it.each(['/quote/v2', '/intents/status/v3', '/chains', '/transactions/index'])(
    'a browser may call %s from anywhere',
    async (path) => {
      const asked = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
      const { status, headers } = await callApi(world.host.url, path, { method: 'OPTIONS', headers: asked })
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('access-control-max-age')).toBe('600')
      expect(split(headers.get('access-control-allow-methods'))).toEqual(expect.arrayContaining(['get', 'post']))
      expect(split(headers.get('access-control-allow-headers'))).toEqual(
        expect.arrayContaining([
          ...['content-type', 'x-api-key', 'relay-sdk-version', 'relay-kit-ui-version', 'idempotency-key'],
        ]),
      )
    },
  )

  it('a browser may send every header that the description names for operations with a key (K.5 3)', async () => {
    const { headers } = await callApi(world.host.url, '/quote/v2', {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    const allowed = split(headers.get('access-control-allow-headers'))
    const { body } = await callApi(world.host.url, '/documentation/json')
    const shared = Object(valueAt(body, 'components.parameters'))
    const operations = Object.values(Object(valueAt(body, 'paths'))).flatMap((methods) =>
      Object.values(Object(methods)),
    )
    const open = operations.filter((operation) => listAt(operation, 'security').length > 0)
    const named = open.flatMap((operation) =>
      listAt(operation, 'parameters')
        .map((item) => shared[String(valueAt(item, '$ref')).split('/').at(-1) ?? ''] ?? item)
        .filter((item) => valueAt(item, 'in') === 'header')
        .map((item) => textAt(item, 'name').toLowerCase()),
    )
    expect([...new Set(named)]).toEqual(expect.arrayContaining(['idempotency-key', 'x-request-id', 'traceparent']))
    expect(allowed).toEqual(expect.arrayContaining(named))
    // Sessions are for pages of this origin alone.
    expect(allowed).not.toContain('cookie')
  })

  it('answers and refusals alike carry the headers', async () => {
    for (const answer of [await get('/chains'), await get('/nowhere'), await post('/quote', {}), await get('/quote')]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      const exposed = split(answer.headers.get('access-control-expose-headers'))
      expect(exposed).toEqual(expect.arrayContaining(['deprecation', 'sunset', 'link', 'retry-after']))
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    }
  })

  it('an unknown path is 404 and a wrong method 405 with the right ones', async () => {
    for (const path of ['/', '/nowhere', '/quote/v3', '/QUOTE', '/intents/status/v4', '/%2e%2e/etc/passwd', '/%ff']) {
      const answer = await get(path)
      expect([path, messageAlone(answer) === 404 || answer.status === 400]).toEqual([path, true])
    }
    const wrong = [
      ['GET', '/quote', 'POST'],
      ['PUT', '/quote/v2', 'POST'],
      ['POST', '/chains', 'GET'],
      ['DELETE', '/intents/status', 'GET'],
      ['GET', '/currencies/v2', 'POST'],
      ['POST', '/transactions/status', 'GET'],
    ]
    for (const [method = '', path = '', right] of wrong) {
      const answer = await callApi(world.host.url, path, { method })
      expect([path, messageAlone(answer)]).toEqual([path, 405])
      expect(split(answer.headers.get('allow'))).toContain(String(right).toLowerCase())
    }
  })

  it('removed operations are gone (wire.md 0.4)', async () => {
    for (const end of ['signature', 'signature/v2']) {
      expect(messageAlone(await get(`/requests/${UNKNOWN}/${end}`))).toBe(404)
    }
  })

  it('HEAD is answered where GET is', async () => {
    const { status, text } = await callApi(world.host.url, '/chains', { method: 'HEAD' })
    expect([status, text]).toEqual([200, ''])
  })
})
