import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, textAt, valueAt } from '../harness/apiCall.js'
import { ether } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { type HttpWorld, leakIn, postQuote, rowCounts, tokenBody } from '../http/httpWorld.js'
import { amountAt, microUsdAt } from '../http/quoteAmounts.js'
import { give, holdings, type SponsoredIntegrator, sponsoredIntegrator, startSponsorWorld } from './sponsorWorld.js'

let world: HttpWorld
let sponsor: SponsoredIntegrator
let unlinked: string
beforeAll(async () => {
  world = await startSponsorWorld({ 'deposit-address': {}, 'gas-topup': {}, quote: { platformBps: { bridge: 20 } } })
  sponsor = await sponsoredIntegrator(world, 'sponsor', { user: 1, balance: 1_000_000_000n })
  unlinked = (await world.host.createApiKey('nobody pays')).apiKey
})
afterAll(() => world?.close())

const asked = (more: Readonly<Record<string, unknown>>) => tokenBody(world, { subsidizeFees: true, ...more })
/** From the token to the native currency: a swap. */
const swapBody = (more: Readonly<Record<string, unknown>>) => asked({ destinationCurrency: NATIVE, ...more })
const NATIVE = `0x${'0'.repeat(40)}`

const quoted = async (body: unknown, apiKey = sponsor.apiKey, path = '/quote'): Promise<unknown> => {
  const answer = await postQuote(world, body, path, apiKey)
  expect([answer.status, valueAt(answer.body, 'message')]).toEqual([200, undefined])
  return answer.body
}
const codeOf = ({ status, body }: ApiAnswer): string => `${status} ${String(valueAt(body, 'errorCode'))}`

const PHASE = 'feeSponsorship.quoted'
const COMPONENTS = ['execution', 'swap', 'relay', 'app', 'rent'] as const
const part = (answer: unknown, component: string, name: 'total' | 'sponsored' | 'userPays') =>
  amountAt(answer, `${PHASE}.components.${component}.${name}.amount`)

/** wire.md 1.5, D.2: each component and all together, and the fees of the answer. */
const expectIdentities = (answer: unknown): void => {
  const sum = (name: 'total' | 'sponsored' | 'userPays') =>
    COMPONENTS.reduce((total, component) => total + part(answer, component, name), 0n)
  for (const component of COMPONENTS)
    expect(part(answer, component, 'total')).toBe(
      part(answer, component, 'sponsored') + part(answer, component, 'userPays'),
    )
  expect(sum('sponsored')).toBe(amountAt(answer, `${PHASE}.sponsoredTotal.amount`))
  expect(sum('userPays')).toBe(amountAt(answer, `${PHASE}.userPaysTotal.amount`))
  expect(sum('sponsored')).toBe(amountAt(answer, 'fees.subsidized.amount'))
  expect(sum('total')).toBe(amountAt(answer, 'fees.relayer.amount') + amountAt(answer, 'fees.app.amount'))
  const usd = (path: string) => microUsdAt(answer, path)
  const impact = (name: string) => usd(`details.expandedPriceImpact.${name}.usd`)
  expect(impact('sponsored')).toBe(usd('fees.subsidized.amountUsd'))
  expect(impact('swap') + impact('execution') + impact('relay') + impact('app')).toBe(usd('details.totalImpact.usd'))
}

describe('a quote whose fees are sponsored (wire.md 1.5, D.9)', () => {
  it.each(['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'])(
    '%s: the user pays the worth alone',
    async (tradeType) => {
      const amount = tradeType === 'EXACT_INPUT' ? '25000000' : ether('25').toString()
      const answer = await quoted(asked({ tradeType, amount, topupGas: true }))
      expect(amountAt(answer, 'details.currencyIn.amount')).toBe(25_000_000n)
      expect(amountAt(answer, 'details.currencyOut.amount')).toBe(ether('25'))
      expectIdentities(answer)
      // The native currency that comes along is of the execution, and 20 basis points are the platform's.
      expect(part(answer, 'execution', 'sponsored')).toBeGreaterThan(2_020_000n)
      expect(part(answer, 'relay', 'sponsored')).toBe(50_000n)
      expect(valueAt(answer, 'details.isFixedRate')).toBe(false)
    },
  )

  it('the user pays what is not selected; both names of the platform fee are one (K.1 12)', async () => {
    for (const name of ['relay', 'platform']) {
      const answer = await quoted(asked({ sponsoredFeeComponents: [name] }))
      expectIdentities(answer)
      expect(valueAt(answer, `${PHASE}.selectedComponents`)).toEqual(['relay'])
      expect(part(answer, 'relay', 'userPays')).toBe(0n)
      expect(part(answer, 'execution', 'sponsored')).toBe(0n)
      const userPays = amountAt(answer, `${PHASE}.userPaysTotal.amount`)
      expect(amountAt(answer, 'details.currencyOut.amount')).toBe((25_000_000n - userPays) * 10n ** 12n)
    }
  })

  it('the cap cuts to the unit, and says so', async () => {
    const capped = async (cap: bigint) =>
      quoted(asked({ sponsoredFeeComponents: ['relay'], maxSubsidizationAmount: `${cap}` }))
    for (const [cap, sponsored, capHit] of [
      [0n, 0n, true],
      [49_999n, 49_999n, true],
      [50_000n, 50_000n, false],
      [50_001n, 50_000n, false],
    ] as const) {
      const answer = await capped(cap)
      expectIdentities(answer)
      expect([amountAt(answer, 'fees.subsidized.amount'), valueAt(answer, `${PHASE}.capHit`)]).toEqual([
        sponsored,
        capHit,
      ])
      expect(textAt(answer, `${PHASE}.maxSubsidizationAmount`)).toBe(cap.toString())
    }
  })

  it.each([0, 1, 2_500, 10_000])(
    'a share of %d basis points of each component of a swap, before the cap',
    async (share) => {
      const answer = await quoted(swapBody({ subsidizationBps: share }))
      expectIdentities(answer)
      expect(valueAt(answer, `${PHASE}.subsidizationBps`)).toBe(share)
      for (const component of ['execution', 'swap', 'relay', 'app'])
        expect(part(answer, component, 'sponsored')).toBe((part(answer, component, 'total') * BigInt(share)) / 10_000n)
      expect(part(answer, 'swap', 'total')).toBeGreaterThan(0n)
      const data = await callApi(world.host.url, `/integrators/quote-data?requestId=${textAt(answer, 'requestId')}`, {
        apiKey: sponsor.apiKey,
      })
      expect(valueAt(data.body, `${PHASE}.subsidizationBps`)).toBe(share)
    },
  )

  it('/price takes the whole body, counts the sponsor and writes nothing (1.8, K.1 3)', async () => {
    const before = await rowCounts(world)
    const answer = await quoted(asked({ maxSubsidizationAmount: '1000' }), sponsor.apiKey, '/price')
    expect(amountAt(answer, 'fees.subsidized.amount')).toBe(1_000n)
    expect(Object.keys(Object(answer)).sort()).toEqual(['details', 'fees'])
    expect(await rowCounts(world)).toEqual(before)
  })

  it('a cap with a deposit address cuts as on a bridge (wire.md D.9)', async () => {
    const body = { useDepositAddress: true, refundTo: freshAddress() }
    const whole = await quoted(asked(body))
    expectIdentities(whole)
    expect(amountAt(whole, 'details.currencyOut.amount')).toBe(ether('25'))
    const fees = amountAt(whole, 'fees.subsidized.amount')
    const capped = await quoted(asked({ ...body, maxSubsidizationAmount: `${fees / 2n}` }))
    expectIdentities(capped)
    expect([amountAt(capped, 'fees.subsidized.amount'), valueAt(capped, `${PHASE}.capHit`)]).toEqual([fees / 2n, true])
  })

  it('/quote/v2 answers the same, and a plain quote has no sponsor', async () => {
    expectIdentities(await quoted(asked({}), sponsor.apiKey, '/quote/v2'))
    const plain = await quoted(tokenBody(world), sponsor.apiKey)
    expect(Object.keys(Object(plain))).not.toContain('feeSponsorship')
    expect(amountAt(plain, 'fees.subsidized.amount')).toBe(0n)
  })
})

describe('what is refused (wire.md K.1 4, 7, 9)', () => {
  const bad = 'INVALID_SUBSIDIZATION'
  it.each([
    ['a share below 0', { subsidizationBps: -1 }, `400 ${bad}`],
    ['a share above all', { subsidizationBps: 10_001 }, `400 ${bad}`],
    ['a broken share', { subsidizationBps: 2.5 }, `400 ${bad}`],
    ['a share as a text', { subsidizationBps: '5' }, `400 ${bad}`],
    ['a share without the flag', { subsidizeFees: false, subsidizationBps: 5 }, `400 ${bad}`],
    ['a share on a bridge', { subsidizationBps: 5_000 }, `400 ${bad}`],
    [
      'a share on a deposit address',
      { subsidizationBps: 5_000, destinationCurrency: NATIVE, useDepositAddress: true },
      `400 ${bad}`,
    ],
    ['components on a deposit address', { sponsoredFeeComponents: ['app'], useDepositAddress: true }, `400 ${bad}`],
    ['a component nobody knows', { sponsoredFeeComponents: ['tips'] }, `400 ${bad}`],
    ['no component', { sponsoredFeeComponents: [] }, `400 ${bad}`],
    ['components that are no list', { sponsoredFeeComponents: 'app' }, '400 INVALID_REQUEST'],
    ['a cap that is no number', { maxSubsidizationAmount: '1.5' }, `400 ${bad}`],
    ['a cap below 0', { maxSubsidizationAmount: '-1' }, `400 ${bad}`],
    ['a cap as a number', { maxSubsidizationAmount: 5 }, '400 INVALID_REQUEST'],
    ['a cap without the flag', { subsidizeFees: false, maxSubsidizationAmount: '5' }, `400 ${bad}`],
    ['a flag as a text', { subsidizeFees: 'true' }, '400 INVALID_REQUEST'],
    ['a rate without the flag', { subsidizeFees: false, fixedRate: '1:1' }, `400 ${bad}`],
    ['a rate that is none', { fixedRate: '1' }, '400 INVALID_REQUEST'],
    ['a rate far from the market', { fixedRate: '1:1.1' }, `400 ${bad}`],
    ['a rate to another kind of currency', { fixedRate: '1:1', destinationCurrency: NATIVE }, '400 UNSUPPORTED_ROUTE'],
    [
      'the bad share before an unknown chain',
      { subsidizationBps: 5, subsidizeFees: false, originChainId: 99 },
      `400 ${bad}`,
    ],
  ])('%s', async (_what, more, expected) => {
    const before = await rowCounts(world)
    for (const path of ['/quote', '/price']) {
      const answer = await postQuote(world, asked(more), path, sponsor.apiKey)
      expect(codeOf(answer)).toBe(expected)
      expect(leakIn(world, answer.text)).toBeNull()
    }
    expect(await rowCounts(world)).toEqual(before)
  })

  it('without a key: 401, whatever else is wrong; with a key and no wallet, or a wallet with too little: 400', async () => {
    for (const path of ['/quote', '/price']) {
      expect(codeOf(await postQuote(world, asked({ user: 5 }), path))).toBe('401 UNAUTHORIZED')
      const nobody = await postQuote(world, asked({}), path, unlinked)
      expect([codeOf(nobody), textAt(nobody.body, 'message')]).toEqual([
        `400 ${bad}`,
        expect.stringMatching(/none is linked/),
      ])
      const poor = await sponsoredIntegrator(world, `poor ${path}`, { user: 2, balance: 0n })
      const answer = await postQuote(world, asked({}), path, poor.apiKey)
      expect([codeOf(answer), textAt(answer.body, 'message')]).toEqual([
        `400 ${bad}`,
        expect.stringMatching(/linked wallet has 0\.0 USDC .* needs 0\.[0-9]+ USDC/),
      ])
      await quoted(asked({ maxSubsidizationAmount: '0' }), poor.apiKey, path)
    }
  })
})

describe('a hundred quotes at once over one balance (F69)', () => {
  it('as many are given as it covers; the rest is 400, and nothing of the balance is spent', async () => {
    const { apiKey, wallet } = await sponsoredIntegrator(world, 'for seven', { user: 3, balance: 0n })
    await give(world, wallet, 7n * 40_000n + 39_999n)
    const body = asked({ sponsoredFeeComponents: ['relay'], maxSubsidizationAmount: '40000' })
    const answers = await Promise.all(Array.from({ length: 100 }, () => postQuote(world, body, '/quote', apiKey)))
    const given = answers.filter(({ status }) => status === 200)
    const refused = answers.filter((answer) => codeOf(answer) === '400 INVALID_SUBSIDIZATION')
    const limited = answers.filter(({ status }) => status === 429)
    expect(given).toHaveLength(7)
    expect(given.length + refused.length + limited.length).toBe(100)
    expect(limited).toHaveLength(0)
    for (const { text } of refused) expect(leakIn(world, text)).toBeNull()
    expect(await holdings(world, wallet)).toEqual({ app: 7n * 40_000n + 39_999n })
    const kept = await callApi(world.host.url, '/integrators/funding-wallet', { apiKey })
    expect(valueAt(kept.body, 'available')).toBe('39999')
  })
})
