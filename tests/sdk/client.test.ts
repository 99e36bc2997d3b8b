import { QuoteBodySchema } from '@causeway/core/plugin'
import { APIError, execute, getQuote, isAPIError, type RelayClient } from '@relayprotocol/relay-sdk'
import { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { callApi, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, leakIn, nativeBody, startHttpWorld } from '../http/httpWorld.js'
import { type ApiProxy, startApiProxy } from './apiProxy.js'
import { quoteFieldsOf } from './quoteFields.js'
import { executeToEnd, pointClientAt, relayChainOf, routeOf, walletOn } from './sdkClient.js'

let world: HttpWorld
/** Adds a key of the operator's own, as the server of a browser application does. */
let keyed: ApiProxy
let headers: Record<string, string>

beforeAll(async () => {
  world = await startHttpWorld({
    plugins: ({ chains }) => ({
      chains: {
        chains: Object.fromEntries(
          chains.map(({ chain }) => [
            String(chain.chainId),
            { publicRpc: { http: chain.rpcUrl, ws: chain.wsUrl }, explorerName: 'Scan' },
          ]),
        ),
      },
    }),
  })
  headers = { 'x-api-key': world.host.apiKey }
  keyed = await startApiProxy({ target: () => world.host.url, prefix: '/relay', apiKey: world.host.apiKey })
  await until('a first price', async () => {
    const { status } = await callApi(world.host.url, '/price', { body: nativeBody(world) })
    return status === 200 ? true : null
  })
})
afterAll(async () => {
  await keyed?.close()
  await world?.close()
})

const pointAtHost = (more: { readonly source?: string; readonly apiKey?: string } = {}): RelayClient =>
  pointClientAt({ baseApiUrl: world.host.url, chains: world.network.chains.map(relayChainOf), ...more })

const walletOf = (user: number) => walletOn(world.network.chains[0], userOf(world.network, user))

/** A little native currency from the first chain to the second. */
const usual = () => {
  const [origin, destination] = world.network.chains
  const route = { currency: NATIVE, toCurrency: NATIVE, amount: ether('0.01') }
  return routeOf(origin, destination, route, walletOf(0))
}

/** What the client throws when the service refuses. */
const refusalOf = async (asking: Promise<unknown>): Promise<APIError> => {
  const error = await asking.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof APIError && isAPIError(error))) throw new Error(`Not refused by the service: ${String(error)}`)
  expect(leakIn(world, error.message)).toBeNull()
  return error
}

describe('keys (wire.md A.1 1 to 3, K.1 7)', () => {
  it('a client with a source and without a key is refused, even when a key is configured: it is not sent', async () => {
    for (const apiKey of [undefined, world.host.apiKey]) {
      pointAtHost({ source: 'shop.example', ...(apiKey === undefined ? {} : { apiKey }) })
      const error = await refusalOf(getQuote(usual(), true))
      expect(error.message).toMatch(/API key/i)
      expect(error.rawError).toMatchObject({ errorCode: 'UNAUTHORIZED_QUOTE', endpoint: `${world.host.url}/quote/v2` })
      // From the body, which is all that the client looks at (wire.md 0.4).
      expect(error.statusCode).toBe(401)
    }
  })

  it('an unknown key in the headers of the quote is none', async () => {
    pointAtHost({ source: 'shop.example' })
    const unknown = { 'x-api-key': `cct_test_${'A'.repeat(43)}` }
    const error = await refusalOf(getQuote(usual(), true, unknown))
    expect(error.message).toMatch(/valid API key/)
    expect(error.rawError).toMatchObject({ errorCode: 'UNAUTHORIZED_QUOTE' })
  })

  it('behind a server that adds a key, the client works with its address alone', async () => {
    const chains = world.network.chains.map(relayChainOf)
    pointClientAt({ baseApiUrl: keyed.url, chains, source: 'shop.example' })
    const wallet = walletOf(1)
    const quote = await getQuote({ ...usual(), wallet }, true)
    const { error, result } = await executeToEnd({ quote, wallet })
    expect([error, result?.steps[0]?.items[0]?.checkStatus]).toEqual([null, 'success'])
    expect(keyed.calls.every((call) => call.headers['x-api-key'] === undefined)).toBe(true)
  })
})

describe('chains that the service lists (wire.md A.1 6, 4.6)', () => {
  it('are all a client needs to pay and to follow', async () => {
    pointClientAt({ baseApiUrl: keyed.url, chains: [], source: 'shop.example' })
    const listed = await configureDynamicChains()
    const [origin, destination] = world.network.chains
    expect(listed.map(({ id, viemChain }) => [id, viemChain?.rpcUrls.default.http, viemChain?.nativeCurrency])).toEqual(
      [origin, destination].map(({ chain }) => [
        chain.chainId,
        [chain.rpcUrl],
        { name: 'Ether', symbol: 'ETH', decimals: 18 },
      ]),
    )
    expect(listed.map(({ vmType, depositEnabled }) => [vmType, depositEnabled])).toEqual([
      ['evm', true],
      ['evm', true],
    ])
    const wallet = walletOf(2)
    const route = { currency: origin.usdc, toCurrency: destination.usdc, amount: 12_000_000n }
    const parameters = routeOf(origin, destination, route, wallet)
    const quote = await getQuote(parameters, true)
    const { error } = await executeToEnd({ quote, wallet })
    expect(error).toBeNull()
    const received = await balanceOnChain(destination, parameters.recipient, destination.usdc)
    expect(received).toBe(BigInt(quote.details?.currencyOut?.amount ?? ''))
  })
})

describe('quotes nobody pays', () => {
  it('without a wallet a price is shown, and its placeholders are never executed (wire.md 0.5)', async () => {
    pointAtHost()
    const { wallet, recipient: _unused, ...parameters } = usual()
    const quote = await getQuote(parameters, true, headers)
    expect(quote.details).toMatchObject({
      sender: expect.stringMatching(/dead$/),
      recipient: expect.stringMatching(/dead$/),
    })
    expect(BigInt(quote.details?.currencyOut?.amount ?? '')).toBeGreaterThan(0n)
    if (wallet === undefined) throw new Error('No wallet')
    // The client prints what it throws.
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(() => execute({ quote, wallet })).toThrow('burn address')
    printed.mockRestore()
  })

  it('without a wallet, of chains that it does not know, the client names zero addresses: a price, and no step (wire.md 0.5)', async () => {
    pointClientAt({ baseApiUrl: world.host.url, chains: [] })
    const { wallet: _none, recipient: _unused, ...parameters } = usual()
    for (const more of [{}, { recipient: freshAddress() }]) {
      const quote = await getQuote({ ...parameters, ...more }, true, headers)
      expect(quote.details?.sender).toBe(NATIVE)
      expect(quote.steps).toEqual([])
      expect(BigInt(quote.details?.currencyOut?.amount ?? '')).toBeGreaterThan(0n)
    }
  })

  it('POST /price answers through the client of the SDK too', async () => {
    const client = pointAtHost()
    const [origin, destination] = world.network.chains
    const user = userOf(world.network, 0).address
    const { data } = await client.utils.request({
      url: `${client.baseApiUrl}/price`,
      method: 'post',
      data: {
        user,
        originChainId: origin.chain.chainId,
        destinationChainId: destination.chain.chainId,
        originCurrency: origin.usdc,
        destinationCurrency: destination.usdc,
        amount: '5000000',
        tradeType: 'EXACT_INPUT',
      },
    })
    expect(data).toMatchObject({ details: { currencyIn: { amount: '5000000' } }, fees: expect.any(Object) })
    expect(data).not.toHaveProperty('steps')
  })
})

describe('refusals as the client throws them (wire.md 0.4, C.1, K.1)', () => {
  const rows: readonly (readonly [string, string, RegExp, () => Readonly<Record<string, unknown>>])[] = [
    ['slippage', 'INVALID_SLIPPAGE_TOLERANCE', /basis points/, () => ({ options: { slippageTolerance: '10001' } })],
    ['no amount', 'AMOUNT_TOO_LOW', /amount/i, () => ({ amount: undefined })],
    ['an unknown chain', 'UNSUPPORTED_CHAIN', /424242/, () => ({ toChainId: 424_242 })],
    ['an unknown currency', 'UNSUPPORTED_CURRENCY', /currency/i, () => ({ currency: `0x${'12'.repeat(20)}` })],
    ['a bad recipient', 'INVALID_ADDRESS', /recipient/i, () => ({ recipient: '0x12' })],
    ['a token as recipient', 'INVALID_RECIPIENT', /recipient/i, () => ({ recipient: world.network.chains[1].usdc })],
    ['an absent capability', 'INVALID_REQUEST', /usePermit/, () => ({ options: { usePermit: true } })],
  ]
  it.each(rows)('%s: %s', async (_, errorCode, says, change) => {
    pointAtHost()
    const error = await refusalOf(getQuote({ ...usual(), ...change() }, true, headers))
    expect(error.message).toMatch(says)
    expect(error.rawError).toMatchObject({ errorCode })
  })
})

describe('fields that the types of the client name (wire.md 0.1)', () => {
  const MONEY = ['appFees', 'slippageTolerance', 'refundTo', 'recipient']

  it.each([
    ['/quote/v2', [...MONEY, 'maxSubsidizationAmount', 'fixedRate', 'topupGasAmount']],
    ['/quote', [...MONEY, 'maxSubsidizationAmount', 'fixedRate', 'topupGasAmount']],
    ['/price', MONEY],
  ])('of %s: each is known, or named in warnings; none counts as misspelt', async (path, some) => {
    const fields = quoteFieldsOf(path)
    expect(fields).toEqual(expect.arrayContaining(some))
    // Null in an optional field is its absence: only names matter.
    const body = { ...Object.fromEntries(fields.map((name) => [name, null])), ...nativeBody(world) }
    const { status, body: answer } = await callApi(world.host.url, path, { body, headers })
    expect([status, valueAt(answer, 'message')]).toEqual([200, undefined])
    const unknown = fields.filter((name) => !Object.hasOwn(QuoteBodySchema.properties, name))
    expect(valueAt(answer, 'warnings') ?? []).toEqual(unknown.map((name) => expect.stringContaining(`"${name}"`)))
  })
})
