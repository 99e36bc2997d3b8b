import { type ErrorCode, errorCatalog } from '@causeway/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiAnswer, type ApiCall, callApi, valueAt } from '../harness/apiCall.js'
import { NATIVE } from '../harness/localNetwork.js'
import { type HttpWorld, leakIn, nativeBody, postQuote, startHttpWorld, tokenBody } from './httpWorld.js'

const SLOWEST_MS = 1_000
const QUOTE_PATHS = ['/quote', '/quote/v2', '/price']
const POST_PATHS = ['/currencies/v1', '/currencies/v2', '/transactions/index', '/transactions/single']
const GET_PATHS = [
  ...['/intents/status', '/intents/status/v2', '/intents/status/v3', '/transactions/status', '/chains', '/lives'],
  ...['/chains/liquidity', '/chains/health', '/config', '/config/v2', '/swap-sources'],
]

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
  for (const body of [nativeBody(world), tokenBody(world)]) expect((await postQuote(world, body)).status).toBe(200)
})
afterAll(() => world?.close())

const isRetryable = (code: unknown): boolean =>
  Object.hasOwn(errorCatalog, String(code)) && errorCatalog[String(code) as ErrorCode].retryable

/** Never an unclassified failure, never a leak (faults.md D; F96). */
const expectCalm = ({ status, body, text, headers }: ApiAnswer, path: string): void => {
  const code = valueAt(body, 'errorCode')
  expect({ path, status, code, calm: status < 500 || (status === 503 && isRetryable(code)) }).toMatchObject({
    calm: true,
  })
  if (path !== '/lives') expect(leakIn(world, text)).toBeNull()
  expect(headers.get('content-type') ?? '').toMatch(/^application\/json|^$/)
  if (status >= 400) {
    expect(typeof valueAt(body, 'message')).toBe('string')
    expect(text.length).toBeLessThan(2_000)
  }
  if (QUOTE_PATHS.includes(path) && status >= 400) expect(Object.keys(errorCatalog)).toContain(code)
}

const NASTY: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 1e308, 2 ** 53, '', ' ', '0', '-1', '1e18', '0x', '0x0', NATIVE, '\u0000'],
  ...[
    '\ud800',
    '٣',
    "' or 1=1 --",
    '%s%n',
    '{{7*7}}',
    '../..',
    'é'.repeat(300),
    '9'.repeat(500),
    (2n ** 255n).toString(),
  ],
  ...[[], {}, [[[]]], { toString: 1 }, { length: -1 }, ['0', 1, null], `0x${'ff'.repeat(32)}`, `0x${'ff'.repeat(20)}`],
]
const nasty = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

const FIELDS = [
  ...['user', 'recipient', 'originChainId', 'destinationChainId', 'originCurrency', 'destinationCurrency', 'amount'],
  ...[
    'tradeType',
    'referrer',
    'slippageTolerance',
    'latePaymentSlippageTolerance',
    'refundTo',
    'ttl',
    'txs',
    'appFees',
  ],
  ...[
    'includeProtocolData',
    'explicitDeposit',
    'subsidizeFees',
    'subsidizationBps',
    'enableTrueExactOutput',
    'additionalData',
  ],
  ...['maxRouteLength', 'originGasOverhead', 'authorizationList', 'useDepositAddress', 'fixedRate', 'unknownField'],
]
const OTHER_FIELDS = [
  ...['chainIds', 'term', 'address', 'currencyId', 'tokens', 'verified', 'limit', 'includeAllChains', 'defaultList'],
  ...['chainId', 'txHash', 'requestId', 'tx', 'depositAddressOnly', 'useExternalSearch'],
]

const changes = (names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), nasty, { maxKeys: 4 })

/** A sound quote with some fields spoilt: reaches further than noise does. */
const spoiltQuote = fc
  .tuple(fc.boolean(), changes(FIELDS), fc.constantFrom('EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'))
  .map(([native, change, tradeType]) => (native ? nativeBody : tokenBody)(world, { tradeType, ...change }))

/** Amounts of every size, most of which fit a quote. */
const sizedQuote = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 2n ** 257n }),
    fc.integer({ min: 0, max: 257 }),
    fc.integer({ min: 0, max: 10_000 }),
  )
  .map(([native, amount, shift, slippage]) =>
    (native ? nativeBody : tokenBody)(world, {
      amount: (amount >> BigInt(shift)).toString(),
      slippageTolerance: String(slippage),
      tradeType: shift % 2 === 0 ? 'EXACT_INPUT' : 'EXACT_OUTPUT',
    }),
  )

const noise = fc.oneof(
  fc.json({ maxDepth: 8 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom('{', '[]', '{"a":', `{"__proto__":1}`, '{"a":1,"a":2}', '"\\ud800"', `${'['.repeat(500)}`, '1e999'),
)

const header = fc.constantFrom<Readonly<Record<string, string>>>(
  ...[{}, {}, {}, { 'content-type': 'text/html' }, { 'x-api-key': 'no-such-key-anywhere' }, { 'x-api-key': 'x' }],
  ...[{ accept: 'image/png' }, { 'content-type': 'application/json; charset=latin1' }, { 'if-none-match': '*' }],
  ...[{ 'x-forwarded-for': "1.2.3.4, ' or 1" }, { 'x-request-id': 'x'.repeat(500) }],
)

interface Request {
  readonly path: string
  readonly query: string
  readonly call: ApiCall
}

const anyBody = fc.oneof(spoiltQuote, sizedQuote, changes(OTHER_FIELDS), noise, fc.jsonValue({ maxDepth: 6 }))

const quoteRequest: fc.Arbitrary<Request> = fc
  .tuple(
    fc.constantFrom(...QUOTE_PATHS),
    fc.oneof({ weight: 3, arbitrary: spoiltQuote }, sizedQuote, noise),
    header,
    fc.boolean(),
  )
  .map(([path, body, headers, keyed]) => ({
    path,
    query: '',
    call: { body, headers, ...(keyed ? { apiKey: world.host.apiKey } : {}) },
  }))

const postRequest: fc.Arbitrary<Request> = fc
  .tuple(fc.constantFrom(...POST_PATHS), anyBody, header)
  .map(([path, body, headers]) => ({ path, query: '', call: { body, headers } }))

const parameter = fc.tuple(
  fc.constantFrom(
    'requestId',
    'chainId',
    'originChainId',
    'destinationChainId',
    'user',
    'currency',
    'txHash',
    'includeChains',
    'withReport',
    'skipPostgres',
    'referrer',
    '__proto__',
  ),
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom(
      `0x${'ab'.repeat(32)}`,
      '70001',
      '70002',
      'eth',
      NATIVE,
      '0',
      '-1',
      '1e3',
      'true',
      '',
      '0x',
      '9'.repeat(400),
    ),
  ),
)

const queryText = fc.array(parameter, { maxLength: 5 }).map((pairs) => new URLSearchParams(pairs).toString())

const getRequest: fc.Arbitrary<Request> = fc
  .tuple(
    fc.constantFrom(...GET_PATHS),
    fc.oneof(queryText, fc.constantFrom('%', '%ff', '&&=&', 'requestId[]=1')),
    header,
  )
  .map(([path, query, headers]) => ({ path, query: `?${query}`, call: { headers } }))

const lostRequest: fc.Arbitrary<Request> = fc
  .tuple(
    fc.oneof(fc.webPath(), fc.constantFrom('/quote/', '/%00', '/%ff', '//quote', '/intents/status/', '/..;/chains')),
    fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
    header,
  )
  .map(([path, method, headers]) => ({
    path: path.startsWith('/') ? path : `/${path}`,
    query: '',
    call: { method, headers },
  }))

/** Asked some times more, one answer is quick: where none is, no other process had the machine. */
const expectQuick = async (ask: () => Promise<ApiAnswer>): Promise<void> => {
  const times: number[] = []
  for (let turn = 0; turn < 5; turn += 1) times.push((await ask()).milliseconds)
  expect(Math.min(...times)).toBeLessThan(SLOWEST_MS)
}

const holds = (requests: fc.Arbitrary<Request>, numRuns: number) =>
  fc.assert(
    fc.asyncProperty(requests, async ({ path, query, call }) => {
      const ask = () => callApi(world.host.url, `${path}${query}`, call)
      const answer = await ask()
      expectCalm(answer, path)
      if (answer.milliseconds > SLOWEST_MS) await expectQuick(ask)
    }),
    { numRuns },
  )

it('no quote body does more than be quoted or refused', () => holds(quoteRequest, 350))
it('no body of the other operations does more than be answered or refused', () => holds(postRequest, 200))
it('no query does', () => holds(getRequest, 250))
it('no path and method does', () => {
  // A method without its body says nothing about a path; HEAD and OPTIONS have no body to check.
  return fc.assert(
    fc.asyncProperty(lostRequest, async ({ path, call }) => {
      const ask = () => callApi(world.host.url, path, call)
      const answer = await ask()
      expect([path, answer.status < 500]).toEqual([path, true])
      if (answer.milliseconds > SLOWEST_MS) await expectQuick(ask)
      if (path !== '/metrics') expect(leakIn(world, answer.text)).toBeNull()
    }),
    { numRuns: 100 },
  )
})

it('afterwards it works as before, and nothing was polluted', async () => {
  expect((await postQuote(world, nativeBody(world), '/quote/v2', world.host.apiKey)).status).toBe(200)
  expect((await callApi(world.host.url, '/lives')).body).toMatchObject({ status: 'ok' })
  expect(Object.keys(Object.prototype)).toEqual([])
})
