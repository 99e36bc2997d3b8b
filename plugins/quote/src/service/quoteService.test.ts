import { computeOrderId, type Order, recoverOrderSigner } from '@causeway/core/chain'
import { parseUsd, type ServiceGap } from '@causeway/core/plugin'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ANYONE,
  createQuoteWorld,
  INTEGRATOR,
  ORIGIN_USDC,
  type QuoteWorld,
  RECIPIENT,
  USER,
  usdcBody,
  ZERO_ADDRESS,
} from '../fixtures/quoteWorld.js'

interface AmountView {
  readonly amount: string
  readonly amountUsd: string
  readonly minimumAmount: string
  readonly currency: {
    readonly symbol: string
    readonly address: string
    readonly vmType: string
    readonly metadata: object
  }
}
type Parts<Name extends string> = Record<Name, { readonly usd: string }>
interface QuoteView {
  readonly requestId: string
  readonly steps: readonly {
    readonly id: string
    readonly requestId: string
    readonly depositAddress?: string
    readonly items: readonly {
      readonly status: string
      readonly data: { readonly data: string }
      readonly check?: object
    }[]
  }[]
  readonly fees: Record<'gas' | 'relayer' | 'relayerGas' | 'relayerService' | 'app' | 'subsidized', AmountView>
  readonly details: {
    readonly currencyIn: AmountView
    readonly currencyOut: AmountView
    readonly refundCurrency: AmountView
    readonly totalImpact: { readonly usd: string; readonly percent: string }
    readonly swapImpact: { readonly usd: string }
    readonly expandedPriceImpact: Parts<'swap' | 'execution' | 'relay' | 'app' | 'sponsored'>
    readonly rate: string
    readonly slippageTolerance: {
      readonly total: string
      readonly destination: { readonly usd: string; readonly value: string; readonly percent: string }
    }
    readonly userBalance: string
  }
  readonly protocol: {
    readonly v2: {
      readonly orderId: string
      readonly orderData?: Order
      readonly orderSignature?: string
      readonly paymentDetails: object
    }
  }
}

const quote = async (world: QuoteWorld, changes: object = {}): Promise<QuoteView> => {
  const answer = await world.service.quote({ body: usdcBody({ ...changes }), caller: ANYONE })
  // CAST: read as the wire shows it.
  return JSON.parse(JSON.stringify(answer)) as QuoteView
}
const usd = (text: string): bigint => parseUsd(text) ?? 0n

describe('a quote that no running part of the service could pay (wire.md K.1 8)', () => {
  const refusal = async (
    origin: Partial<ServiceGap> | null,
    destination: Partial<ServiceGap> | null,
    changes: Readonly<Record<string, unknown>> = {},
  ) => {
    const world = createQuoteWorld()
    const gap = (why: Partial<ServiceGap> | null) => (why === null ? null : { from: null, to: null, ...why })
    world.chains.setGap(1, gap(origin))
    world.chains.setGap(2, gap(destination))
    const call = { body: usdcBody(changes), caller: ANYONE }
    const answers = [world.service.quote(call), world.service.price(call)]
    return Promise.all(
      answers.map((answer) =>
        answer.then(
          () => null,
          ({ code, message }) => ({ code, message }),
        ),
      ),
    )
  }
  const same = { destinationChainId: 1, destinationCurrency: ORIGIN_USDC, recipient: RECIPIENT }

  it.each([
    [
      'the lane of the destination is closed',
      null,
      { to: 'Payouts are paused.' },
      'Payouts are paused. Try again later.',
    ],
    ['nothing leaves the origin', { from: 'No watcher.' }, { to: 'Paused.' }, 'No watcher. Try again later.'],
  ])('is refused while %s, and so is its price', async (_name, origin, destination, message) => {
    const refused = { code: 'SERVICE_UNAVAILABLE', message }
    expect(await refusal(origin, destination)).toEqual([refused, refused])
  })

  it('is made where only the other direction is closed, and where the user moves the money alone', async () => {
    expect(await refusal({ to: 'Paused.' }, { from: 'Halted.' })).toEqual([null, null])
    expect(await refusal({ from: 'No solver.', to: 'No solver.' }, null, same)).toEqual([null, null])
  })
})

describe('numbers of a quote', () => {
  it('100 USDC: flat fee and gas off, all in the origin currency', async () => {
    const { fees, details } = await quote(createQuoteWorld())
    expect(fees.gas).toMatchObject({ amount: '20000000000000', amountUsd: '0.040000', currency: { symbol: 'ETH' } })
    expect(fees.relayerGas.amount).toBe('20000')
    expect(fees.relayerService.amount).toBe('20000')
    expect(fees.relayer).toMatchObject({ amount: '40000', amountUsd: '0.040000', minimumAmount: '40000' })
    expect(details.currencyOut).toMatchObject({ amount: '99960000', minimumAmount: '99460200' })
    expect(details).toMatchObject({
      operation: 'bridge',
      sender: USER,
      recipient: USER,
      totalImpact: { usd: '-0.040000', percent: '-0.04' },
      swapImpact: { usd: '0.000000', percent: '0.00' },
      rate: '0.9996',
      slippageTolerance: { total: '50', origin: { usd: '0.000000', value: '0', percent: '0.00' } },
      timeEstimate: 5,
      userBalance: '777',
      isFixedRate: false,
      // Whatever the service is called (wire.md K.1 13).
      route: { origin: { router: 'relay' }, destination: { router: 'relay' } },
    })
  })

  it('the identities of wire.md D.2 to D.4 hold for the texts, at any price, amount and decimals (F73)', async () => {
    const price = fc.integer({ min: 1, max: 5_000_000 }).map((cents) => (cents / 1000).toFixed(6))
    const cases = fc.record({
      destinationDecimals: fc.constantFrom(0, 6, 18, 24),
      eth: price,
      usdc: price,
      amount: fc.bigInt({ min: 1n, max: 10n ** 20n }),
      tradeType: fc.constantFrom('EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'),
      slippage: fc.option(fc.integer({ min: 0, max: 10_000 }).map(String), { nil: undefined }),
      bridgeBps: fc.integer({ min: 0, max: 100 }),
    })
    let priced = 0
    await fc.assert(
      fc.asyncProperty(cases, async ({ destinationDecimals, amount, tradeType, slippage, bridgeBps, ...market }) => {
        const world = createQuoteWorld({ destinationDecimals, quote: { platformBps: { bridge: bridgeBps } } })
        Object.assign(world.prices, { ETH: market.eth, USDC: market.usdc })
        const made = await quote(world, {
          amount: amount.toString(),
          tradeType,
          ...(slippage === undefined ? {} : { slippageTolerance: slippage }),
        }).catch(() => null)
        if (made === null) return
        priced++
        checkIdentities(made)
      }),
      { numRuns: 200 },
    )
    expect(priced).toBeGreaterThan(100)
  })

  const checkIdentities = ({ fees, details }: QuoteView): void => {
    expect(BigInt(fees.relayer.amount)).toBe(BigInt(fees.relayerGas.amount) + BigInt(fees.relayerService.amount))
    for (const fee of Object.values(fees)) expect(fee.minimumAmount).toBe(fee.amount)
    const { currencyIn, currencyOut, expandedPriceImpact: parts, slippageTolerance } = details
    const total = usd(details.totalImpact.usd)
    expect(total).toBe(usd(currencyOut.amountUsd) - usd(currencyIn.amountUsd))
    expect(usd(details.swapImpact.usd)).toBe(total + usd(fees.relayer.amountUsd) + usd(fees.app.amountUsd))
    expect(usd(parts.swap.usd) + usd(parts.execution.usd) + usd(parts.relay.usd) + usd(parts.app.usd)).toBe(total)
    expect(usd(parts.execution.usd)).toBe(-usd('0.02') - usd(fees.relayerGas.amountUsd))
    expect(BigInt(slippageTolerance.destination.value)).toBe(
      BigInt(currencyOut.amount) - BigInt(currencyOut.minimumAmount),
    )
    expect(currencyIn.minimumAmount).toBe(currencyIn.amount)
    expect(details.refundCurrency).toEqual(currencyIn)
    expect(BigInt(currencyOut.minimumAmount) > 0n).toBe(true)
  }

  it('derives the input of an exact output, and keeps it exact', async () => {
    const { details, fees } = await quote(createQuoteWorld(), { tradeType: 'EXACT_OUTPUT' })
    expect(details.currencyOut).toMatchObject({ amount: '100000000', minimumAmount: '100000000' })
    expect(BigInt(details.currencyIn.amount)).toBe(100_000_000n + BigInt(fees.relayer.amount))
  })

  it('widens the automatic slippage when the network cost is a large share (wire.md H.2)', async () => {
    const world = createQuoteWorld()
    const small = await quote(world, { amount: '1000000' })
    expect(small.details.slippageTolerance.total).toBe('250')
    const asked = await quote(world, { amount: '1000000', slippageTolerance: '7' })
    expect(asked.details.slippageTolerance.total).toBe('7')
  })

  it('/price says the same without steps and stores nothing (wire.md 1.8)', async () => {
    const world = createQuoteWorld()
    const price = await world.service.price({ body: usdcBody(), caller: ANYONE })
    const full = await quote(world)
    expect(world.store.inserted).toHaveLength(1)
    const { refundCurrency, expandedPriceImpact, route, isFixedRate, ...details } = full.details as Record<
      string,
      unknown
    >
    expect([refundCurrency, expandedPriceImpact, route, isFixedRate]).not.toContain(undefined)
    expect(JSON.parse(JSON.stringify(price))).toEqual({ fees: full.fees, details })
  })
})

describe('steps and order', () => {
  it('tokens approve and deposit; only the deposit is checked (wire.md 1.4)', async () => {
    const { steps, requestId } = await quote(createQuoteWorld())
    expect(steps.map(({ id }) => id)).toEqual(['approve', 'deposit'])
    expect(steps.map((step) => step.requestId)).toEqual([requestId, requestId])
    expect(steps[0]?.items[0]).not.toHaveProperty('check')
    expect(steps[1]?.depositAddress).toBe('')
    const check = { endpoint: `/intents/status?requestId=${requestId}`, method: 'GET' }
    expect(steps[1]?.items).toMatchObject([{ status: 'incomplete', check }])
  })

  it('the native coin needs the deposit only', async () => {
    const changes = { originCurrency: ZERO_ADDRESS, destinationCurrency: ZERO_ADDRESS, amount: '1000000000000000000' }
    expect((await quote(createQuoteWorld(), changes)).steps.map(({ id }) => id)).toEqual(['deposit'])
  })

  it('anyone can recompute the order id that the deposit carries, and who signed it (wire.md 1.7)', async () => {
    const world = createQuoteWorld()
    const { protocol, steps, details } = await quote(world, { includeProtocolData: true, recipient: RECIPIENT })
    const { orderId, orderData, orderSignature, paymentDetails } = protocol.v2
    if (orderData === undefined || orderSignature === undefined) throw new Error('The order is missing')
    expect(computeOrderId(orderData, world.vmTypes)).toBe(orderId)
    expect(steps.at(-1)?.items[0]?.data.data).toBe(orderId)
    expect(recoverOrderSigner(computeOrderId(orderData, world.vmTypes), orderSignature)).toBe(orderData.solver)
    const { currencyIn, currencyOut } = details
    expect(orderData.output.payments).toEqual([
      {
        recipient: RECIPIENT,
        currency: currencyOut.currency.address,
        minimumAmount: currencyOut.minimumAmount,
        expectedAmount: currencyOut.amount,
      },
    ])
    expect(orderData.inputs[0]?.refunds).toMatchObject([{ chainId: 'one', recipient: USER, currency: ORIGIN_USDC }])
    expect(paymentDetails).toEqual({
      chainId: 'one',
      depository: `0x${'de'.repeat(20)}`,
      currency: ORIGIN_USDC,
      amount: currencyIn.amount,
    })
  })

  it('gives no order without being asked, and a fresh id each time', async () => {
    const world = createQuoteWorld()
    const [one, other] = [await quote(world), await quote(world, { includeProtocolSignature: true })]
    expect(one.protocol.v2).not.toHaveProperty('orderData')
    expect(other.protocol.v2).not.toHaveProperty('orderSignature')
    expect(one.requestId).not.toBe(other.requestId)
    expect(one.protocol.v2.orderId).not.toBe(other.protocol.v2.orderId)
  })
})

describe('what is stored', () => {
  it('one insert with terms, order, answer and hold', async () => {
    const world = createQuoteWorld()
    const call = {
      body: usdcBody({ referrer: 'shop', apiKey: 'secret', ttl: 90 }),
      caller: INTEGRATOR,
    }
    await world.service.quote(call)
    const [stored] = world.store.inserted
    expect(stored).toMatchObject({
      caller: { integratorId: 'integrator-1', apiKeyId: 'key-1' },
      referrer: 'shop',
      hold: { chainId: 2, amount: 99_960_000n, seconds: 30 },
      holder: 'integrator integrator-1',
      terms: {
        user: USER,
        refundTo: { address: USER },
        depositAmount: 100_000_000n,
        payoutAmount: 99_960_000n,
        minimumPayout: 99_460_200n,
        fillCost: 20_000n,
        feesIn: 40_000n,
        quotedAt: world.clock.time,
        priceUntil: world.clock.time + 30_000,
        orderDeadline: world.clock.time / 1000 + 604_800,
        fillBy: world.clock.time / 1000 + 90,
        latePaymentSlippageBps: 50,
        forceRefund: false,
      },
    })
    expect(stored?.body).not.toContain('secret')
    expect(JSON.parse(stored?.quoted ?? '')).toMatchObject({
      requestType: 'Bridge',
      operation: 'bridge',
      feeSponsorship: null,
    })
  })
})

describe('what the chains are asked', () => {
  it('nothing again for the same recipient and user within the life of the answers', async () => {
    const world = createQuoteWorld()
    await quote(world)
    const { simulations, feeQuestions, balanceQuestions } = world.mood
    await quote(world)
    expect(world.mood).toMatchObject({ simulations, feeQuestions, balanceQuestions })
    world.clock.time += 6_000
    await quote(world)
    expect(world.mood).toMatchObject({ simulations, balanceQuestions: balanceQuestions + 1 })
    expect(world.mood.feeQuestions).toBeGreaterThan(feeQuestions)
    world.clock.time += 60_000
    await quote(world)
    expect(world.mood.simulations).toBe(simulations + 1)
  })
})
