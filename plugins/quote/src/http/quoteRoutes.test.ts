import { type IntegratorAuth, invalidApiKey } from '@causeway/core/plugin'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ANYONE,
  createQuoteWorld,
  DEAD_ADDRESS,
  DESTINATION_USDC,
  FOREIGN_USER,
  INTEGRATOR,
  ORIGIN_USDC,
  type QuoteWorld,
  RECIPIENT,
  usdcBody,
  ZERO_ADDRESS,
} from '../fixtures/quoteWorld.js'
import { quoteRoutes } from './quoteRoutes.js'

const auth: IntegratorAuth = {
  authenticate: async (key) => {
    if (key === undefined) return ANYONE
    if (key === 'good') return INTEGRATOR
    throw invalidApiKey()
  },
}

let world: QuoteWorld
let running: TestServer
const initialMood = () => ({ ...world.mood })
let calm: ReturnType<typeof initialMood>

beforeAll(async () => {
  world = createQuoteWorld()
  calm = initialMood()
  running = await startTestServer(
    quoteRoutes({ engine: world.service, clock: world.clock, settings: world.settings, keyFlagOf: () => null }),
    {
      auth,
    },
  )
})
afterAll(() => running.close())
beforeEach(() => {
  Object.assign(world.mood, calm)
  Object.assign(world.prices, { ETH: '2000', USDC: '1', DAI: '1' })
  world.store.free = 10n ** 30n
  world.store.inserted.length = 0
  // Every test begins with empty caches.
  world.clock.time += 3_600_000
})

const post = async (path: string, body: unknown, key?: string) => {
  const response = await fetch(`${running.server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  // CAST: what the routes answer is checked against their schemas by the test server.
  const answer = (await response.json()) as Record<string, unknown>
  return { status: response.status, answer }
}

const refusedAt = async (amount: bigint) =>
  (await post('/quote', usdcBody({ amount: amount.toString() }))).answer.errorCode

const refusal = async (changes: object, path = '/quote') => {
  const { status, answer } = await post(path, usdcBody({ ...changes }))
  expect(world.store.inserted).toEqual([])
  return `${status} ${String(answer.errorCode)}`
}

describe('bad bodies (wire.md K.1)', () => {
  const amounts = ['-1', '1e18', '0x10', ' 1', '1.0', '1_000', '٣', '', '9'.repeat(100_000), 1, null, true, ['1'], {}]
  it.each(amounts)('amount %j is 400 INVALID_REQUEST before anything is asked (F75)', async (amount) => {
    const { status, answer } = await post('/quote', usdcBody({ amount }))
    expect([status, answer.errorCode]).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.message).toContain('body.amount')
    expect(world.mood.simulations).toBe(0)
  })

  const slippages = ['10001', '-1', '1.5', '', ' 5', '0x5', '01', '1e2', 50, true, [], {}, '٣']
  it.each(['slippageTolerance', 'latePaymentSlippageTolerance'])(
    '%s of whatever type has its own code',
    async (name) => {
      for (const value of slippages) {
        for (const path of ['/quote', '/price']) {
          expect([value, await refusal({ [name]: value }, path)]).toEqual([value, '400 INVALID_SLIPPAGE_TOLERANCE'])
        }
      }
      expect((await post('/quote', usdcBody({ [name]: '0' }))).status).toBe(200)
      expect((await post('/quote', usdcBody({ [name]: '10000' }))).status).toBe(200)
    },
  )

  it.each([
    ['a missing field', { user: undefined }, '400 INVALID_REQUEST'],
    ['a wrong type', { originChainId: '1' }, '400 INVALID_REQUEST'],
    ['an unknown trade type', { tradeType: 'EXACT' }, '400 INVALID_REQUEST'],
    ['a flag that is no boolean', { useFallbacks: 'yes' }, '400 INVALID_REQUEST'],
    ['amount 0', { amount: '0' }, '400 AMOUNT_TOO_LOW'],
    ['amount 2^256 (F76)', { amount: (2n ** 256n).toString() }, '400 INVALID_REQUEST'],
    [
      'an output whose input is beyond 2^256',
      { amount: (2n ** 256n - 1n).toString(), tradeType: 'EXACT_OUTPUT' },
      '400 INVALID_REQUEST',
    ],
    ['less than the fees', { amount: '20000' }, '400 AMOUNT_TOO_LOW'],
    ['a share of a subsidy without a subsidy', { subsidizationBps: 5000 }, '400 INVALID_SUBSIDIZATION'],
    ['a share out of range', { subsidizeFees: true, subsidizationBps: 10_001 }, '400 INVALID_SUBSIDIZATION'],
    ['a share as text', { subsidizeFees: true, subsidizationBps: '1' }, '400 INVALID_SUBSIDIZATION'],
    ['a cap without a subsidy', { maxSubsidizationAmount: '1' }, '400 INVALID_SUBSIDIZATION'],
    ['an unknown chain', { originChainId: 99 }, '400 UNSUPPORTED_CHAIN'],
    ['a chain switched off', { destinationChainId: 3 }, '400 CHAIN_DISABLED'],
    ['a malformed input currency', { originCurrency: 'USDC' }, '400 INVALID_INPUT_CURRENCY'],
    ['an empty input currency', { originCurrency: '' }, '400 INVALID_INPUT_CURRENCY'],
    ['a malformed output currency', { destinationCurrency: '0x12' }, '400 INVALID_OUTPUT_CURRENCY'],
    ['an unknown currency', { originCurrency: RECIPIENT }, '400 UNSUPPORTED_CURRENCY'],
    ['a malformed user', { user: 'me' }, '400 INVALID_ADDRESS'],
    ['a malformed recipient', { recipient: '0xabc' }, '400 INVALID_ADDRESS'],
    ['an empty recipient', { recipient: '' }, '400 INVALID_ADDRESS'],
    ['a malformed refund address', { refundTo: 'there' }, '400 INVALID_ADDRESS'],
    ['a refund to the depository', { refundTo: `0x${'de'.repeat(20)}` }, '400 INVALID_ADDRESS'],
    ['the zero address as recipient', { recipient: ZERO_ADDRESS }, '400 INVALID_RECIPIENT'],
    ['the depository as recipient', { recipient: `0x${'DE'.repeat(20)}` }, '400 INVALID_RECIPIENT'],
    ['the fill contract as recipient', { recipient: `0x${'f1'.repeat(20)}` }, '400 INVALID_RECIPIENT'],
    [
      'a token as recipient',
      { recipient: DESTINATION_USDC.toUpperCase().replace('0X', '0x') },
      '400 INVALID_RECIPIENT',
    ],
    [
      'no recipient on a foreign VM',
      { destinationChainId: 4, originCurrency: ZERO_ADDRESS, destinationCurrency: ZERO_ADDRESS },
      '400 USER_RECIPIENT_MISMATCH',
    ],
    ['nothing moved', { destinationChainId: 1, destinationCurrency: ORIGIN_USDC }, '400 UNSUPPORTED_ROUTE'],
    [
      'calls where none run',
      {
        destinationChainId: 4,
        originCurrency: ZERO_ADDRESS,
        destinationCurrency: ZERO_ADDRESS,
        recipient: FOREIGN_USER,
        txs: [{ to: FOREIGN_USER, value: '0', data: '0x' }],
      },
      '400 UNSUPPORTED_EXECUTION_TYPE',
    ],
  ])('%s', async (_what, changes, expected) => {
    expect(await refusal(changes)).toBe(expected)
    expect(await refusal(changes, '/price')).toBe(expected)
  })

  it.each([
    ['schema before slippage', { user: 5, slippageTolerance: 5 }, 'INVALID_REQUEST'],
    ['slippage before subsidization', { slippageTolerance: 5, subsidizationBps: 5 }, 'INVALID_SLIPPAGE_TOLERANCE'],
    ['subsidization before chains', { subsidizationBps: 5, originChainId: 99 }, 'INVALID_SUBSIDIZATION'],
    ['chains before currencies', { destinationChainId: 99, originCurrency: 'x' }, 'UNSUPPORTED_CHAIN'],
    ['currencies before addresses', { destinationCurrency: 'x', user: 'x' }, 'INVALID_OUTPUT_CURRENCY'],
    ['addresses before price', { user: 'x', amount: '1' }, 'INVALID_ADDRESS'],
  ])('%s (K.1 1)', async (_what, changes, code) => {
    expect(await refusal(changes)).toBe(`400 ${code}`)
  })

  it('price before simulation (K.1 1)', async () => {
    world.mood.simulation = { ok: false, kind: 'revert', message: 'no' }
    expect(await refusal({ amount: '1' })).toBe('400 AMOUNT_TOO_LOW')
    world.prices.ETH = '0'
    world.clock.time += 60_000
    expect(await refusal({})).toBe('503 PRICE_FETCH_FAILED')
  })

  it.each([
    { useDepositAddress: true },
    { usePermit: true },
    { subsidizeFees: true },
    { appFees: [{ recipient: RECIPIENT, fee: '10' }] },
    { fixedRate: '1:1' },
    { topupGas: true },
    { useFallbacks: true },
    { useExternalLiquidity: true },
    { depositFeePayer: RECIPIENT },
    { recoveryAddress: RECIPIENT },
    { strict: true },
    { topupGasAmount: '1' },
  ])('%j changes money or path and is refused by name, never ignored', async (changes) => {
    const { status, answer } = await post('/quote', usdcBody(changes))
    expect([status, answer.errorCode]).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.message).toContain(`body.${Object.keys(changes)[0]}`)
  })

  it('ignores unknown fields and options that are off', async () => {
    const off = {
      useDepositAddress: false,
      usePermit: false,
      appFees: [],
      txs: [],
      topupGas: false,
      subsidizeFees: false,
    }
    const { status, answer } = await post(
      '/quote',
      usdcBody({ ...off, source: 'x', protocolVersion: 'v2', includeProtocolSignature: true }),
    )
    expect(status).toBe(200)
    expect(JSON.stringify(answer)).not.toContain('orderSignature')
  })

  it.each([
    ['slippage', '50', 'slippageTolerance'],
    ['slippage_tolerance', '50', 'slippageTolerance'],
    ['SlippageTolerance', '50', 'slippageTolerance'],
    ['appFee', [{ recipient: RECIPIENT, fee: '10' }], 'appFees'],
    ['recepient', RECIPIENT, 'recipient'],
    ['refund_to', RECIPIENT, 'refundTo'],
    ['maxSubsidisationAmount', '1', 'maxSubsidizationAmount'],
  ])('a misspelt %s is refused with the right name, never ignored', async (name, value, right) => {
    for (const path of ['/quote', '/price']) {
      const { status, answer } = await post(path, usdcBody({ [name]: value }))
      expect([status, answer.errorCode]).toEqual([400, 'INVALID_REQUEST'])
      expect(answer.message).toContain(`did you mean ${right}?`)
    }
    expect(world.store.inserted).toEqual([])
  })

  it('names unknown fields in warnings, and says nothing of what clients send on purpose', async () => {
    for (const path of ['/quote', '/price']) {
      const { status, answer } = await post(path, usdcBody({ colour: 'red', trackingId: 7 }))
      expect([status, answer.warnings]).toEqual([
        200,
        [expect.stringContaining('"colour"'), expect.stringContaining('"trackingId"')],
      ])
      const sent = { source: 'x', apiKey: 'k', includeProtocolSignature: true, protocolVersion: 'v2' }
      expect((await post(path, usdcBody(sent))).answer).not.toHaveProperty('warnings')
    }
  })

  it('reads null in an optional field as absent, and refuses an empty referrer', async () => {
    const nulls = { recipient: null, refundTo: null, slippageTolerance: null, txs: null, appFees: null, referrer: null }
    const more = { usePermit: null, subsidizationBps: null, additionalData: { userPublicKey: null } }
    expect((await post('/quote', usdcBody({ ...nulls, ...more }))).status).toBe(200)
    expect(JSON.parse(world.store.inserted[0]?.body ?? '')).not.toHaveProperty('recipient')
    const { status, answer } = await post('/quote', usdcBody({ referrer: '' }), 'good')
    expect([status, answer.errorCode, answer.message]).toEqual([
      400,
      'INVALID_REQUEST',
      expect.stringContaining('body.referrer is empty'),
    ])
  })

  it('says which currency a symbol is, and why a known chain is not served', async () => {
    const message = async (changes: object) => (await post('/quote', usdcBody({ ...changes }))).answer.message
    expect(await message({ originCurrency: 'usdc' })).toContain(`USDC there is ${ORIGIN_USDC}`)
    expect(await message({ destinationCurrency: 'ETH' })).toContain(`ETH there is ${ZERO_ADDRESS}`)
    expect(await message({ originChainId: 728126428 })).toContain('this deployment has no chain of the VM tvm')
  })

  it('of an amount that fees eat names the fees and the least deposit, which is then quoted', async () => {
    const { answer } = await post('/quote', usdcBody({ amount: '20000' }))
    expect(answer.errorCode).toBe('AMOUNT_TOO_LOW')
    expect(answer.message).toMatch(/network .*service .* USDC or more covers them/)
    const least = BigInt(Object(answer.errorData).leastAmount)
    expect((await post('/quote', usdcBody({ amount: least.toString() }))).status).toBe(200)
    expect(await refusedAt(least - 1n)).toBe('AMOUNT_TOO_LOW')
  })

  it('refuses what is no JSON', async () => {
    const { status, answer } = await post('/quote', '{"user":')
    expect([status, answer.errorCode]).toEqual([400, 'INVALID_REQUEST'])
  })
})

describe('keys (wire.md 1.1, K.1 7)', () => {
  it.each([
    ['/quote', { referrer: 'shop' }, undefined, '401 UNAUTHORIZED_QUOTE'],
    ['/price', { referrer: 'shop' }, undefined, '401 UNAUTHORIZED_QUOTE'],
    ['/quote/v2', {}, undefined, '401 UNAUTHORIZED_QUOTE'],
    ['/quote', {}, 'bad', '401 UNAUTHORIZED'],
    ['/quote', { referrer: null }, undefined, '200 undefined'],
    ['/quote', { referrer: 'shop' }, 'good', '200 undefined'],
    ['/quote/v2', {}, 'good', '200 undefined'],
    ['/quote', { referrer: 'shop', user: 5 }, undefined, '401 UNAUTHORIZED_QUOTE'],
  ])('%s with %j and key %s is %s (F85)', async (path, changes, key, expected) => {
    const { status, answer } = await post(path, usdcBody(changes), key)
    expect(`${status} ${String(answer.errorCode)}`).toBe(expected)
  })

  it('leaves /quote/v2 open before the date', async () => {
    const time = world.clock.time
    world.clock.time = Date.parse('2026-10-01T23:59:59.999Z')
    expect((await post('/quote/v2', usdcBody())).status).toBe(200)
    world.clock.time += 1
    expect((await post('/quote/v2', usdcBody())).status).toBe(401)
    world.clock.time = time
  })
})

describe('failures behind a quote', () => {
  const call = { from: RECIPIENT, to: DESTINATION_USDC, data: '0x', value: '0' }

  it('a recipient the token refuses is DESTINATION_TX_FAILED in plain words (F60)', async () => {
    world.mood.simulation = {
      ok: false,
      kind: 'recipient-cannot-receive',
      message: 'Blocked',
      call,
      data: 'Blocked',
      block: 7n,
    }
    const { status, answer } = await post('/quote', usdcBody())
    expect(status).toBe(400)
    expect(answer).toMatchObject({
      errorCode: 'DESTINATION_TX_FAILED',
      message: 'The recipient cannot receive this token: Blocked',
      failedCallData: call,
      errorData: 'Blocked',
      approxSimulatedBlock: 7,
      requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  })

  it.each([
    ['insufficient-funds', '400 INSUFFICIENT_LIQUIDITY', '400 INSUFFICIENT_LIQUIDITY'],
    ['revert', '400 DESTINATION_TX_FAILED', '400 DESTINATION_TX_FAILED'],
    ['transient', '503 RPC_HTTP_ERROR', '503 SERVICE_UNAVAILABLE'],
  ] as const)('a simulation that fails by %s', async (kind, onV2, elsewhere) => {
    world.mood.simulation = { ok: false, kind, message: 'no' }
    const codes = []
    for (const path of ['/quote/v2', '/quote', '/price']) {
      const { status, answer } = await post(path, usdcBody(), 'good')
      codes.push(`${status} ${String(answer.errorCode)}`)
    }
    expect(codes).toEqual([onV2, elsewhere, elsewhere])
  })

  it('more than the solver owns is INSUFFICIENT_LIQUIDITY, a balance never seen SERVICE_UNAVAILABLE', async () => {
    world.store.free = 5n
    expect(await refusal({})).toBe('400 INSUFFICIENT_LIQUIDITY')
    expect(await refusal({}, '/price')).toBe('400 INSUFFICIENT_LIQUIDITY')
    world.store.free = null
    world.clock.time += 1_000
    expect(await refusal({})).toBe('503 SERVICE_UNAVAILABLE')
    expect(await refusal({}, '/price')).toBe('503 SERVICE_UNAVAILABLE')
  })
})

describe('good bodies', () => {
  it.each([
    ['a burn address', { user: DEAD_ADDRESS }],
    ['the zero address as user', { user: ZERO_ADDRESS }],
    ['a refund to the marker of the native currency', { refundTo: ZERO_ADDRESS }],
    ['a source to leave out that is not there', { excludedSwapSources: ['nowhere'] }],
    [
      'another VM with a recipient',
      {
        destinationChainId: 4,
        originCurrency: ZERO_ADDRESS,
        destinationCurrency: ZERO_ADDRESS,
        amount: '1000000000000000000',
        recipient: FOREIGN_USER,
      },
    ],
  ])('%s can be priced', async (_what, changes) => {
    expect((await post('/price', usdcBody(changes))).status).toBe(200)
  })
})
