import { ServiceError } from '@causeway/core'
import {
  defineQuoteExtension,
  parseTerms,
  type QuoteExtension,
  type QuoteTerms,
  serializeTerms,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ANYONE,
  createQuoteWorld,
  DEAD_ADDRESS,
  DESTINATION_USDC,
  INTEGRATOR,
  ORIGIN_USDC,
  type QuoteWorld,
  RECIPIENT,
  TOKEN,
  USER,
  usdcBody,
  ZERO_ADDRESS,
} from '../fixtures/quoteWorld.js'

const PAID = `0x${'9a'.repeat(20)}`
const SWEEP = 10n ** 14n
const item = { kind: 'transaction', action: 'Confirm', description: 'Pay', data: {} } as const

/** A deposit that is paid elsewhere: what an extension can make of a quote, all at once. */
const replacing = (more: Partial<QuoteExtension> = {}): QuoteExtension =>
  defineQuoteExtension({
    name: 'elsewhere',
    bodySchema: Type.Object({
      useDepositAddress: Type.Optional(Type.Boolean()),
      strict: Type.Optional(Type.Boolean()),
    }),
    phase: 'resolve',
    conditions: ({ useDepositAddress }) =>
      useDepositAddress === true ? { plainDeposit: true, anyUser: true, namedRefund: true } : null,
    apply: (draft) => {
      draft.orderSeconds = 1_000
      draft.wholeDeposit = true
      draft.feeLines.push({
        ...{ bucket: 'execution', payer: 'user' },
        money: { currency: draft.originNative, amount: SWEEP },
      })
    },
    terms: ({ body }) => ({ address: { type: body.strict === true ? 'strict' : 'open', refundToSender: false } }),
    deposit: async () => ({
      address: PAID,
      build: async () => [
        { ...item, stepId: 'send', data: 1 },
        { ...item, stepId: 'send', data: 2 },
      ],
    }),
    features: () => ['elsewhere'],
    quoted: (_draft, { orderDeadline }) => ({ until: orderDeadline }),
    ...more,
  })

const worldOf = (more: Partial<QuoteExtension> = {}) => createQuoteWorld({ extensions: [replacing(more)] })
const body = (changes: Readonly<Record<string, unknown>> = {}) => usdcBody({ useDepositAddress: true, ...changes })
const quote = async (world: QuoteWorld, changes: Readonly<Record<string, unknown>> = {}) => {
  const response = await world.service.quote({ body: body(changes), caller: ANYONE })
  const stored = world.store.inserted.at(-1)
  if (stored === undefined) throw new Error('The quote was not stored')
  return { response, stored, terms: stored.terms, order: JSON.parse(stored.order) }
}
const codeOf = async (work: Promise<unknown>) => {
  const failure = await work.catch((error: unknown) => error)
  return ServiceError.is(failure) ? failure.code : failure
}

describe('an extension that replaces the deposit', () => {
  it('has the one step deposit, with its address and its items, and the only check at the end', async () => {
    const { response } = await quote(worldOf())
    const check = { endpoint: `/intents/status?requestId=${response.requestId}`, method: 'GET' }
    expect(response.steps).toEqual([
      {
        ...{ id: 'deposit', kind: 'transaction', action: 'Confirm', description: 'Pay', depositAddress: PAID },
        requestId: response.requestId,
        items: [
          { status: 'incomplete', data: 1 },
          { status: 'incomplete', data: 2, check },
        ],
      },
    ])
  })

  it('leaves other quotes as they are where it says so', async () => {
    const { response } = await quote(worldOf({ deposit: async () => null }), { useDepositAddress: false })
    expect(response.steps.map(({ depositAddress, id }) => [id, depositAddress])).toEqual([
      ['approve', undefined],
      ['deposit', ''],
    ])
  })

  it('sets life, refund, least deposit, terms, features and what is stored', async () => {
    const { terms, order, stored } = await quote(worldOf())
    const deadline = Math.floor(terms.quotedAt / 1000) + 1_000
    expect(terms).toMatchObject({
      ...{ orderDeadline: deadline, refundTo: null, minimumDeposit: 100_000_000n },
      address: { type: 'open', refundToSender: false },
    })
    expect(order.inputs[0].refunds).toEqual([])
    expect(JSON.parse(stored.quoted)).toMatchObject({ features: ['elsewhere'], until: deadline })
    expect(parseTerms(serializeTerms(terms))).toEqual(terms)
  })

  it('has its fee lines in the fees: 0.0001 of a coin at 2000 dollars', async () => {
    const [paid, usual] = [await quote(worldOf()), await quote(createQuoteWorld(), { useDepositAddress: false })]
    expect(paid.terms.feesIn - usual.terms.feesIn).toBe(200_000n)
    expect(paid.terms.fillCost).toBe(usual.terms.fillCost)
  })

  it('refuses by the price what it must not give, and no swap stands before the deposit', async () => {
    const world = worldOf({
      priced: (_draft, { destinationSwap }) => {
        if (destinationSwap) throw new ServiceError('INVALID_REQUEST', 'no')
      },
    })
    const swapped = body({ destinationCurrency: TOKEN })
    for (const call of ['quote', 'price'] as const) {
      expect(await codeOf(world.service[call]({ body: swapped, caller: ANYONE }))).toBe('INVALID_REQUEST')
    }
    expect(await codeOf(quote(world, { originCurrency: TOKEN }))).toBe('UNSUPPORTED_CURRENCY')
  })

  it('may take nobody for a user', async () => {
    expect((await quote(worldOf(), { user: DEAD_ADDRESS, recipient: RECIPIENT })).response.steps).toHaveLength(1)
    const world = worldOf({ conditions: () => ({ plainDeposit: true }) })
    const { steps } = await world.service.quote({
      body: body({ user: DEAD_ADDRESS, recipient: RECIPIENT }),
      caller: ANYONE,
    })
    expect(steps).toEqual([])
  })

  it('gives a refund to nobody but whom the body names', async () => {
    expect((await quote(worldOf(), { refundTo: ZERO_ADDRESS })).terms.refundTo).toBeNull()
    const named = await quote(worldOf(), { refundTo: RECIPIENT })
    expect(named.terms.refundTo).toEqual({ address: RECIPIENT })
    expect(named.order.inputs[0].refunds).toMatchObject([{ recipient: RECIPIENT }])
    const usual = await quote(createQuoteWorld(), { useDepositAddress: false, refundTo: ZERO_ADDRESS })
    expect(usual.terms.refundTo).toEqual({ address: USER })
  })

  it('is the only one of its quote: others may stand beside it and leave it alone', async () => {
    const besides = (other: Partial<QuoteExtension>) =>
      createQuoteWorld({ extensions: [replacing(), replacing({ name: 'other', apply: () => undefined, ...other })] })
    expect((await quote(besides({ deposit: async () => null }))).response.steps).toHaveLength(1)
    const two = besides({})
    await expect(quote(two)).rejects.toThrow('Two quote extensions replace the deposit of one quote')
  })

  it('without it the field is refused', async () => {
    expect(await codeOf(quote(createQuoteWorld()))).toBe('INVALID_REQUEST')
  })
})

describe('a strict deposit (wire.md E.2)', () => {
  it('more: fills the quoted amount, and all that is beyond goes back, whatever the trade type', async () => {
    const world = worldOf()
    const all: QuoteTerms[] = []
    for (const tradeType of ['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT']) {
      for (const enableTrueExactOutput of [false, true]) {
        all.push((await quote(world, { strict: true, tradeType, enableTrueExactOutput, refundTo: USER })).terms)
      }
    }
    const late = () => fc.constantFrom(0, 31_000)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), fc.bigInt(0n, 10n ** 15n), late(), async (terms, beyond, waited) => {
        const includedAt = terms.quotedAt + waited
        const exact = await world.service.reprice(terms, { amount: terms.depositAmount, includedAt })
        const more = await world.service.reprice(terms, { amount: terms.depositAmount + beyond, includedAt })
        if (exact.action !== 'fill') throw new Error(`The exact deposit was not filled: ${exact.reason}`)
        expect(more).toEqual({ ...exact, excess: exact.excess + beyond })
      }),
      { numRuns: 200 },
    )
  })

  it('less: fails by the smallest unit', async () => {
    const world = worldOf()
    const { terms } = await quote(world, { strict: true, refundTo: USER })
    const less = await world.service.reprice(terms, { amount: terms.depositAmount - 1n, includedAt: terms.quotedAt })
    expect(less).toEqual({ action: 'refund', reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' })
  })
})

describe('a quote made anew for what came (wire.md E.3)', () => {
  const requote = (
    world: QuoteWorld,
    terms: QuoteTerms,
    deposit: { amount: bigint; currency?: string; chainId?: number },
    asked = body(),
  ) =>
    world.service.requote({
      ...{ body: asked, terms, integratorId: null, apiKeyId: null },
      deposit: { chainId: 1, currency: ORIGIN_USDC, ...deposit },
    })

  it('more, less, another currency, another chain: the same recipient gets what it is worth, and nothing is stored', async () => {
    const world = worldOf()
    const { terms } = await quote(world)
    const stored = world.store.inserted.length
    const cases = [
      [{ amount: 250_000_000n }, 249_750_000n],
      [{ amount: 1_000_000n }, 760_000n],
      [{ amount: 10n ** 17n, currency: ZERO_ADDRESS }, 199_000_000n],
      [{ amount: 50_000_000n, chainId: 2, currency: DESTINATION_USDC }, 49_700_000n],
    ] as const
    for (const [deposit, least] of cases) {
      const made = await requote(world, terms, deposit)
      expect(made.terms).toMatchObject({
        ...{
          requestId: terms.requestId,
          tradeType: 'EXACT_INPUT',
          user: USER,
          recipient: terms.recipient,
          refundTo: null,
        },
        ...{ depositAmount: deposit.amount, minimumDeposit: deposit.amount, destination: terms.destination },
        origin: {
          chainId: 'chainId' in deposit ? deposit.chainId : 1,
          currency: 'currency' in deposit ? deposit.currency : ORIGIN_USDC,
        },
        address: { type: 'open', refundToSender: false },
      })
      expect(made.terms.orderId).not.toBe(terms.orderId)
      expect(made.terms.payoutAmount).toBeGreaterThanOrEqual(least)
      expect(JSON.parse(made.order).inputs[0].payment.amount).toBe(deposit.amount.toString())
      expect(JSON.parse(made.quoted)).toMatchObject({ features: ['elsewhere'], details: expect.anything() })
    }
    expect(world.store.inserted).toHaveLength(stored)
  })

  it('keeps the address, the refund and what forbids one, whatever the body says now', async () => {
    const world = worldOf()
    const { terms } = await quote(world, { tradeType: 'EXPECTED_OUTPUT' })
    const address = { type: 'open', refundToSender: true, noRefund: 'REFUND_RECIPIENT_IS_VASP' } as const
    const changed: QuoteTerms = { ...terms, refundTo: { address: RECIPIENT }, address }
    const made = await requote(world, changed, { amount: 7_000_000n }, body({ tradeType: 'EXPECTED_OUTPUT' }))
    expect(made.terms).toMatchObject({ tradeType: 'EXACT_INPUT', refundTo: { address: RECIPIENT }, address })
    expect(JSON.parse(made.order).inputs[0].refunds).toMatchObject([{ recipient: RECIPIENT }])
  })

  it('goes by the terms where nothing is left of the body', async () => {
    const world = worldOf()
    const { terms } = await quote(world, { recipient: RECIPIENT })
    // CAST: the body of a quote that is gone.
    const made = await requote(world, terms, { amount: 7_000_000n }, {} as never)
    expect(made.terms).toMatchObject({ recipient: { address: RECIPIENT }, destination: terms.destination })
  })

  it('has the fees that were agreed with the integrator', async () => {
    const world = worldOf()
    world.rules.push({
      ...{ ruleId: 1, integratorId: 'integrator-1', bucket: 'any', integratorFeeRecipient: RECIPIENT, oracleBps: null },
      ...{ relayFeeBps: 10, integratorFeeBps: 30 },
    })
    await world.service.quote({ body: body(), caller: INTEGRATOR })
    const terms = world.store.inserted.at(-1)?.terms
    if (terms === undefined) throw new Error('The quote was not stored')
    const made = await world.service.requote({
      ...{ body: body(), terms, integratorId: 'integrator-1', apiKeyId: 'key-1' },
      deposit: { chainId: 1, currency: ORIGIN_USDC, amount: 50_000_000n },
    })
    expect(made.terms.integratorFee).toEqual({ integratorId: 'integrator-1', amount: 150_000n })
  })

  it('refuses what does not cover the fees, and says what passes', async () => {
    const world = worldOf()
    const { terms } = await quote(world)
    expect(await codeOf(requote(world, terms, { amount: 100n }))).toBe('AMOUNT_TOO_LOW')
    expect(await codeOf(requote(world, terms, { amount: 100n, currency: TOKEN }))).toBe('UNSUPPORTED_CURRENCY')
    world.prices.USDC = '0'
    world.clock.time += 3_600_000
    const failure = await requote(world, terms, { amount: 7_000_000n }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'PRICE_FETCH_FAILED', passing: true })
  })

  it('any amount that is filled at all is worth less than it, by its fees', async () => {
    const world = worldOf()
    const { terms } = await quote(world)
    await fc.assert(
      fc.asyncProperty(fc.bigInt(1n, 10n ** 12n), async (amount) => {
        const made = await requote(world, terms, { amount }).catch((error: unknown) => error)
        if (ServiceError.is(made)) {
          expect(made.code).toBe('AMOUNT_TOO_LOW')
          return
        }
        // CAST: what it resolves to.
        const { payoutAmount, feesIn, depositAmount } = (made as { terms: QuoteTerms }).terms
        expect([depositAmount, payoutAmount + feesIn]).toEqual([amount, amount])
      }),
      { numRuns: 100 },
    )
  })
})
