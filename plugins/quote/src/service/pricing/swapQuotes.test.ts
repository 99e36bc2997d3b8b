import type { QuoteTerms } from '@causeway/core/plugin'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  ANYONE,
  createQuoteWorld,
  DESTINATION_USDC,
  INTEGRATOR,
  ORIGIN_DAI,
  ORIGIN_USDC,
  type QuoteWorld,
  RECIPIENT,
  TOKEN,
  USER,
  usdcBody,
  WRAPPED,
  ZERO_ADDRESS,
} from '../../fixtures/quoteWorld.js'

let world: QuoteWorld
beforeEach(() => {
  world = createQuoteWorld()
})

interface View {
  readonly requestId: string
  readonly steps: readonly { readonly id: string }[]
  readonly protocol?: object
  readonly details: {
    readonly operation: string
    readonly currencyIn: { readonly amount: string }
    readonly currencyOut: { readonly amount: string; readonly minimumAmount: string }
    readonly refundCurrency: { readonly currency: { readonly address: string } }
    readonly route: Readonly<
      Record<'origin' | 'destination', { readonly router: string; readonly includedSwapSources?: readonly string[] }>
    >
  }
}

const quote = async (changes: object, caller = ANYONE): Promise<View> =>
  // CAST: the shape of wire.md 1.3.
  (await world.service.quote({ body: usdcBody({ ...changes }), caller, exposesUpstreamErrors: true })) as View

const stored = (): { readonly terms: QuoteTerms; readonly facts: Record<string, unknown> } => {
  const last = world.store.inserted.at(-1)
  if (last === undefined) throw new Error('Nothing was stored')
  return { terms: last.terms, facts: JSON.parse(last.quoted) }
}

const refusal = async (changes: object): Promise<string> => {
  const before = world.store.inserted.length
  const code = await quote(changes).then(
    () => 'quoted',
    (error: { readonly code?: string }) => String(error.code),
  )
  expect(world.store.inserted).toHaveLength(before + (code === 'quoted' ? 1 : 0))
  return code
}

const onOne = (originCurrency: string, destinationCurrency: string, more: object = {}) => ({
  destinationChainId: 1,
  originCurrency,
  destinationCurrency,
  amount: (10n ** 18n).toString(),
  ...more,
})

describe('what a route is called (wire.md K.1 9, 1.6)', () => {
  it.each([
    ['one asset on two chains', {}, 'bridge', 'Bridge', ['approve', 'deposit']],
    ['two assets', { destinationCurrency: ZERO_ADDRESS }, 'swap', 'Crosschain Swap', ['approve', 'deposit']],
    [
      'an unlisted input',
      { originCurrency: TOKEN, amount: '50000000000000000000' },
      'swap',
      'Crosschain Swap',
      ['approve', 'deposit'],
    ],
    ['an unlisted output', { destinationCurrency: TOKEN }, 'swap', 'Crosschain Swap', ['approve', 'deposit']],
    ['calls', { txs: [{ to: RECIPIENT, data: '0x1234' }] }, 'bridge', 'Call', ['approve', 'deposit']],
    ['a swap on one chain', onOne(TOKEN, ORIGIN_USDC), 'swap', 'Same-chain Swap', ['swap']],
    ['a send', onOne(ZERO_ADDRESS, ZERO_ADDRESS, { recipient: RECIPIENT }), 'send', 'Send', ['send']],
    ['a wrap', onOne(ZERO_ADDRESS, WRAPPED), 'wrap', 'Wrap', ['swap']],
    ['an unwrap', onOne(WRAPPED, ZERO_ADDRESS), 'unwrap', 'Unwrap', ['swap']],
    ['a wrap for somebody else', onOne(ZERO_ADDRESS, WRAPPED, { recipient: RECIPIENT }), 'wrap', 'Wrap', ['swap']],
  ])('%s', async (_what, changes, operation, requestType, steps) => {
    const answer = await quote(changes)
    expect(answer.details.operation).toBe(operation)
    expect(stored().facts).toMatchObject({ operation, requestType })
    expect(answer.steps.map(({ id }) => id)).toEqual(steps)
  })

  it('nothing to move is no route', async () => {
    expect(await refusal(onOne(ZERO_ADDRESS, ZERO_ADDRESS))).toBe('UNSUPPORTED_ROUTE')
    expect(await refusal(onOne(ORIGIN_USDC, ORIGIN_USDC, { recipient: USER }))).toBe('UNSUPPORTED_ROUTE')
  })
})

describe('what the user moves alone', () => {
  it('has no order, no hold and no fee of the solver', async () => {
    const answer = await quote(onOne(TOKEN, ORIGIN_USDC))
    expect(answer.protocol).toBeUndefined()
    expect(answer.details.route).toEqual({
      origin: expect.objectContaining({ router: 'pool', includedSwapSources: ['pool'] }),
    })
    expect(answer).toMatchObject({ fees: { relayer: { amount: '0' }, app: { amount: '0' } } })
    expect(world.store.inserted.at(-1)?.hold).toBeNull()
    expect(stored().terms).toMatchObject({ direct: { kind: 'swap' }, requestId: answer.requestId })
  })

  it('goes through the solver when that is forced, or swaps on the origin are off', async () => {
    for (const option of [{ forceSolverExecution: true }, { disableOriginSwaps: true }]) {
      const answer = await quote(onOne(ORIGIN_DAI, ORIGIN_USDC, option))
      expect(answer.steps.at(-1)?.id).toBe('deposit')
      expect(answer.protocol).toBeDefined()
      expect(stored().terms.direct).toBeUndefined()
    }
  })

  it('is refused under five cents, wraps and calls excepted (wire.md 1.2)', async () => {
    const cents = (amount: bigint) => ({ amount: amount.toString() })
    expect(await refusal(onOne(ORIGIN_DAI, ORIGIN_USDC, cents(49n * 10n ** 15n)))).toBe('AMOUNT_TOO_LOW')
    expect(await refusal(onOne(ORIGIN_DAI, ORIGIN_USDC, cents(51n * 10n ** 15n)))).toBe('quoted')
    expect(await refusal(onOne(ZERO_ADDRESS, WRAPPED, cents(10n ** 12n)))).toBe('quoted')
  })
})

describe('paths (wire.md 1.2 Routing)', () => {
  it('asks no pool where the solver holds one asset on both sides, and each chain once elsewhere', async () => {
    await quote({})
    expect(world.mood.offersAsked).toBe(0)
    await quote({ originCurrency: TOKEN, destinationCurrency: TOKEN, amount: '50000000000000000000' })
    expect(world.mood.offersAsked).toBe(2)
  })

  it('swaps where that gives more than the inventory of another asset would', async () => {
    for (const { rebalancing, poolLossBps, swaps } of [
      { rebalancing: 500, poolLossBps: 1n, swaps: true },
      { rebalancing: 10, poolLossBps: 900n, swaps: false },
    ]) {
      world = createQuoteWorld({ quote: { rebalancingBps: { major: rebalancing } } })
      world.mood.poolLossBps = poolLossBps
      const { details } = await quote({ destinationCurrency: ZERO_ADDRESS })
      const used = [details.route.origin, details.route.destination].some((side) => side.includedSwapSources)
      expect(used).toBe(swaps)
    }
  })

  it('carries no other asset out of the inventory where the operator wants swaps alone', async () => {
    world = createQuoteWorld({ quote: { crossAssetInventory: false } })
    const { details } = await quote({ destinationCurrency: ZERO_ADDRESS })
    expect([details.route.origin, details.route.destination].some((side) => side.includedSwapSources)).toBe(true)
    world.mood.poolLossBps = null
    expect(await refusal({ destinationCurrency: ZERO_ADDRESS })).not.toBe('quoted')
    expect(await refusal({})).toBe('quoted')
  })

  it('says which currency a refund comes in after a swap on the origin (wire.md 1.6)', async () => {
    const { details } = await quote({ originCurrency: TOKEN, amount: '50000000000000000000' })
    expect(details.refundCurrency.currency.address).not.toBe(TOKEN)
    expect(stored().terms.origin.currency).toBe(details.refundCurrency.currency.address)
  })

  it('leaves out a currency whose price cannot be trusted now, as long as another path leads there', async () => {
    world.prices.DAI = '0'
    const { details } = await quote({ originCurrency: TOKEN, amount: '50000000000000000000' })
    expect(details.refundCurrency.currency.address).not.toBe(ORIGIN_DAI)
  })

  it.each([
    ['sources that serve nothing', { includedSwapSources: ['other-pool'] }, 'NO_SWAP_ROUTES_FOUND'],
    ['the only source excluded', { excludedSwapSources: ['pool'] }, 'NO_SWAP_ROUTES_FOUND'],
    ['sources of the origin', { includedOriginSwapSources: ['other-pool'] }, 'NO_SWAP_ROUTES_FOUND'],
    ['sources of the destination do not matter here', { includedDestinationSwapSources: ['other-pool'] }, 'quoted'],
    ['an empty list', { includedOriginSwapSources: [] }, 'NO_QUOTES'],
    ['no swaps on the origin', { disableOriginSwaps: true }, 'NO_INTERNAL_SWAP_ROUTES_FOUND'],
    ['a source nobody knows', { includedSwapSources: ['uniswap-v9'] }, 'INVALID_REQUEST'],
    ['the contract that swaps as recipient', { recipient: `0x${'5a'.repeat(20)}` }, 'INVALID_RECIPIENT'],
    ['the wrapped currency as recipient', { recipient: WRAPPED }, 'INVALID_RECIPIENT'],
    ['a token that is none', { originCurrency: `0x${'77'.repeat(20)}` }, 'UNSUPPORTED_CURRENCY'],
  ])('%s', async (_what, changes, expected) => {
    expect(await refusal({ originCurrency: TOKEN, amount: '50000000000000000000', ...changes })).toBe(expected)
  })

  it('refuses swaps that cost too much unless that is overridden (SWAP_IMPACT_TOO_HIGH)', async () => {
    world.mood.poolLossBps = 1_600n
    const body = { originCurrency: TOKEN, amount: '50000000000000000000' }
    expect(await refusal(body)).toBe('SWAP_IMPACT_TOO_HIGH')
    expect(await refusal(onOne(TOKEN, ORIGIN_USDC))).toBe('SWAP_IMPACT_TOO_HIGH')
    expect(await refusal({ ...body, overridePriceImpact: true })).toBe('quoted')
  })

  it.each([
    [{ sanctionedCurrencies: [`2:${DESTINATION_USDC}`] }, 'SANCTIONED_CURRENCY'],
    [{ sanctionedWallets: [USER.toUpperCase()] }, 'SANCTIONED_WALLET_ADDRESS'],
    [{ blockedWallets: [RECIPIENT] }, 'BLOCKED_WALLET_ADDRESS'],
    [{ restrictedRoutes: ['*->2'] }, 'ROUTE_TEMPORARILY_RESTRICTED'],
  ])("the operator's lists: %j", async (options, code) => {
    world = createQuoteWorld({ quote: options })
    expect(await refusal({ recipient: RECIPIENT })).toBe(code)
  })
})

describe('the rest of the deposit at fill time (wire.md D.5, D.6)', () => {
  const reprice = (terms: QuoteTerms, amount = terms.depositAmount) =>
    world.service.reprice(terms, { amount, includedAt: world.clock.time })

  it('swaps what the deposit buys now, for at least what was promised', async () => {
    await quote({ destinationCurrency: TOKEN })
    const { terms } = stored()
    const decision = await reprice(terms)
    expect(decision).toMatchObject({
      action: 'fill',
      amount: terms.payoutAmount,
      swap: { minimumOut: terms.swap?.minimum, offer: { to: TOKEN, amountIn: terms.payoutAmount } },
    })
    world.mood.poolLossBps = 400n
    expect(await reprice(terms)).toEqual({ action: 'refund', reason: 'SLIPPAGE' })
  })

  it('gives twice the minimum for twice the deposit, or refunds', async () => {
    await quote({ destinationCurrency: TOKEN, slippageTolerance: '200' })
    const { terms } = stored()
    const decision = await reprice(terms, 2n * terms.depositAmount)
    expect(decision).toMatchObject({ action: 'fill', swap: { minimumOut: 2n * (terms.swap?.minimum ?? 0n) } })
    world.mood.poolLossBps = 5_000n
    expect(await reprice(terms, 2n * terms.depositAmount)).toEqual({ action: 'refund', reason: 'SLIPPAGE' })
  })

  it('asks a silent source again while the price stands, then refunds', async () => {
    await quote({ destinationCurrency: TOKEN })
    const { terms } = stored()
    world.mood.poolLossBps = null
    await expect(reprice(terms)).rejects.toMatchObject({ code: 'SWAP_QUOTE_FAILED' })
    world.mood.poolLossBps = 0n
    world.clock.time += 31_000
    world.mood.poolLossBps = null
    expect(await reprice(terms)).toEqual({ action: 'refund', reason: 'NO_QUOTES' })
  })

  it('gives the surplus of an exact output to the recipient, or keeps it for the solver when asked', async () => {
    for (const keeps of [false, true]) {
      await quote({
        destinationCurrency: TOKEN,
        tradeType: 'EXACT_OUTPUT',
        amount: (10n ** 19n).toString(),
        slippageTolerance: '300',
        enableTrueExactOutput: keeps,
      })
      const { terms } = stored()
      const decision = await reprice(terms)
      if (decision.action !== 'fill') throw new Error(decision.reason)
      expect(decision.amount < terms.payoutAmount).toBe(keeps)
      expect(decision.swap?.minimumOut).toBe(10n ** 19n)
    }
  })

  it('prices two assets anew once the quoted price is over, never above it', async () => {
    await quote({ destinationCurrency: ZERO_ADDRESS, slippageTolerance: '500' })
    const { terms } = stored()
    expect(terms.prices).toBeDefined()
    world.clock.time += 31_000
    world.prices.ETH = '1900'
    const cheaper = await reprice(terms)
    expect(cheaper).toMatchObject({ action: 'fill', amount: terms.payoutAmount })
    world.clock.time += 31_000
    world.prices.ETH = '2060'
    const dearer = await reprice(terms)
    if (dearer.action !== 'fill') throw new Error(dearer.reason)
    expect(dearer.amount < terms.payoutAmount && dearer.amount >= terms.minimumPayout).toBe(true)
    world.clock.time += 31_000
    world.prices.ETH = '2300'
    expect(await reprice(terms)).toEqual({ action: 'refund', reason: 'SLIPPAGE' })
  })
})

describe('what was agreed with an integrator (wire.md 3.1, D.8)', () => {
  const rule = {
    ruleId: 7,
    integratorId: 'integrator-1',
    bucket: 'any',
    relayFeeBps: 10,
    integratorFeeBps: 30,
    integratorFeeRecipient: RECIPIENT,
    oracleBps: null,
  } as const

  it('takes the place of the platform fee and is told in the record, not in the answer', async () => {
    const plain = await quote({})
    world.rules.push(rule)
    const agreed = await quote({}, INTEGRATOR)
    expect(BigInt(plain.details.currencyOut.amount) - BigInt(agreed.details.currencyOut.amount)).toBe(400_000n)
    expect(stored().facts.platformFee).toMatchObject({
      ruleId: 7,
      bucket: 'bridge',
      totalFeeBps: 40,
      relayFee: { amount: '100000' },
      integratorFee: { amount: '300000' },
      totalPlatformFee: { amount: '400000' },
    })
    expect(agreed).not.toHaveProperty('platformFee')
    expect((await quote({})).details.currencyOut.amount).toBe(plain.details.currencyOut.amount)
  })

  it("fixed basis points of the oracle's price: nothing else but the network cost", async () => {
    world.mood.payoutFee = 0n
    world.rules.push({ ...rule, oracleBps: 40 })
    const agreed = await quote({ destinationCurrency: ZERO_ADDRESS, amount: '2000000000' }, INTEGRATOR)
    expect(agreed.details.currencyOut.amount).toBe('996000000000000000')
    expect(world.mood.offersAsked).toBe(0)
    expect(stored().facts.quoteOraclePrice).toMatchObject({
      rate: '0.0005',
      outputCurrency: { amount: '996000000000000000' },
    })
  })
})
