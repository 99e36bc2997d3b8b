import { formatUsd, ONE_USD, parseUsd } from '@causeway/core/plugin'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ANYONE,
  createQuoteWorld,
  DESTINATION_USDC,
  ORIGIN_USDC,
  TOKEN,
  usdcBody,
  ZERO_ADDRESS,
} from '../../fixtures/quoteWorld.js'

interface AmountView {
  readonly amount: string
  readonly amountUsd: string
  readonly minimumAmount: string
  readonly currency: { readonly address: string; readonly decimals: number }
}

interface QuoteView {
  readonly fees: Readonly<
    Record<'gas' | 'relayer' | 'relayerGas' | 'relayerService' | 'app' | 'subsidized', AmountView>
  >
  readonly details: {
    readonly operation: string
    readonly currencyIn: AmountView
    readonly currencyOut: AmountView
    readonly refundCurrency: AmountView
    readonly totalImpact: { readonly usd: string; readonly percent: string }
    readonly swapImpact: { readonly usd: string }
    readonly expandedPriceImpact: Readonly<
      Record<'swap' | 'execution' | 'relay' | 'app' | 'sponsored', { readonly usd: string }>
    >
    readonly rate: string
    readonly slippageTolerance: {
      readonly total: string
      readonly destination: { readonly usd: string; readonly value: string; readonly percent: string }
    }
    readonly route: Readonly<Record<'origin' | 'destination', { readonly includedSwapSources?: readonly string[] }>>
  }
}

const decimals = fc.integer({ min: 0, max: 24 })
const ends = fc.constantFrom(
  { from: ORIGIN_USDC, to: DESTINATION_USDC, kind: 'bridge' },
  { from: ORIGIN_USDC, to: ZERO_ADDRESS, kind: 'two assets' },
  { from: TOKEN, to: DESTINATION_USDC, kind: 'swap on the origin' },
  { from: ORIGIN_USDC, to: TOKEN, kind: 'swap on the destination' },
  { from: TOKEN, to: TOKEN, kind: 'swaps on both' },
)
const cents = fc.integer({ min: 1, max: 10_000_000 }).map((value) => (value / 100).toFixed(2))
const scenario = fc.record({
  origin: decimals,
  destination: decimals,
  token: decimals,
  ends,
  ether: cents,
  dollars: fc.bigInt({ min: 1n, max: 10n ** 6n }),
  tradeType: fc.constantFrom('EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'),
  loss: fc.bigInt({ min: 0n, max: 500n }),
  slippage: fc.option(fc.integer({ min: 0, max: 9_000 }), { nil: undefined }),
})

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never

/** A quote of the scenario, or the code it was refused with. */
const quoteOf = async (one: Scenario): Promise<QuoteView | string> => {
  const world = createQuoteWorld({
    originDecimals: one.origin,
    destinationDecimals: one.destination,
    tokenDecimals: one.token,
  })
  world.mood.poolLossBps = one.loss
  world.store.free = 10n ** 60n
  world.prices.ETH = one.ether
  world.prices.WETH = one.ether
  const side = one.tradeType === 'EXACT_INPUT' ? one.ends.from : one.ends.to
  const places =
    side === ORIGIN_USDC ? one.origin : side === DESTINATION_USDC ? one.destination : side === TOKEN ? one.token : 18
  const amount = (one.dollars * 10n ** BigInt(places)).toString()
  const body = usdcBody({
    originCurrency: one.ends.from,
    destinationCurrency: one.ends.to,
    tradeType: one.tradeType,
    amount,
    ...(one.slippage === undefined ? {} : { slippageTolerance: String(one.slippage) }),
  })
  try {
    // CAST: the shape of wire.md 1.3, which the routes' tests check against its schema.
    return (await world.service.quote({ body, caller: ANYONE, exposesUpstreamErrors: true })) as QuoteView
  } catch (error) {
    return String((error as { readonly code?: unknown }).code)
  }
}

const usd = (text: string): bigint => parseUsd(text) ?? 0n
const MICRO = ONE_USD / 1_000_000n

describe('identities of every quote (wire.md D.2 to D.4), decimals 0 to 24', () => {
  it('hold for bridges, two assets and swaps on either side or both', async () => {
    let seen = 0
    const kinds = new Set<string>()
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => {
        const quote = await quoteOf(one)
        if (typeof quote === 'string') {
          // Too coarse a currency leaves nothing of a small amount.
          expect(['AMOUNT_TOO_LOW', 'NO_SWAP_ROUTES_FOUND', 'SWAP_IMPACT_TOO_HIGH']).toContain(quote)
          return
        }
        seen++
        kinds.add(one.ends.kind)
        checkFees(quote)
        checkImpact(quote)
        checkOutput(quote, one)
      }),
      { numRuns: 300 },
    )
    expect(seen).toBeGreaterThan(150)
    expect(kinds.size).toBe(5)
  })
})

const checkFees = ({ fees }: QuoteView): void => {
  expect(BigInt(fees.relayer.amount)).toBe(BigInt(fees.relayerGas.amount) + BigInt(fees.relayerService.amount))
  expect(usd(fees.relayer.amountUsd)).toBe(usd(fees.relayerGas.amountUsd) + usd(fees.relayerService.amountUsd))
  for (const fee of Object.values(fees)) expect(fee.minimumAmount).toBe(fee.amount)
  expect(fees.app.currency.address).toBe(fees.relayer.currency.address)
}

const checkImpact = ({ fees, details }: QuoteView): void => {
  const total = usd(details.totalImpact.usd)
  expect(total).toBe(usd(details.currencyOut.amountUsd) - usd(details.currencyIn.amountUsd))
  expect(usd(details.swapImpact.usd)).toBe(total + usd(fees.relayer.amountUsd) + usd(fees.app.amountUsd))
  const parts = details.expandedPriceImpact
  expect(usd(parts.swap.usd) + usd(parts.execution.usd) + usd(parts.relay.usd) + usd(parts.app.usd)).toBe(total)
  expect(usd(parts.execution.usd)).toBe(-(20_000n * MICRO + usd(fees.relayerGas.amountUsd)))
  expect(usd(parts.relay.usd) <= 0n).toBe(true)
  const share = Number(total) / Number(usd(details.currencyIn.amountUsd))
  expect(Math.abs(Number(details.totalImpact.percent) - share * 100)).toBeLessThan(0.0051)
  for (const part of Object.values(parts)) expect(part.usd).toBe(formatUsd(usd(part.usd)))
}

const checkOutput = ({ details }: QuoteView, one: Scenario): void => {
  const { currencyIn, currencyOut, slippageTolerance } = details
  const least = BigInt(currencyOut.minimumAmount)
  const exact = one.tradeType === 'EXACT_OUTPUT'
  expect(BigInt(currencyOut.amount) - least).toBe(BigInt(slippageTolerance.destination.value))
  expect(least > 0n && least <= BigInt(currencyOut.amount)).toBe(true)
  if (exact) expect(least).toBe(BigInt(currencyOut.amount))
  else {
    const kept = 10_000n - BigInt(slippageTolerance.total)
    const floor = (BigInt(currencyOut.amount) * kept) / 10_000n
    expect(least).toBe(floor > 1n ? floor : 1n)
  }
  if (one.slippage !== undefined) expect(slippageTolerance.total).toBe(String(one.slippage))
  const human = ({ amount, currency }: AmountView) => Number(amount) / 10 ** currency.decimals
  expect((Number(details.rate) * human(currencyIn)) / human(currencyOut)).toBeCloseTo(1, 12)
  expect(currencyIn.minimumAmount).toBe(currencyIn.amount)
  // The user never gets more than the deposit is worth: a unit of rounding aside, the solver never pays for it.
  if (one.tradeType === 'EXACT_INPUT') {
    expect(usd(currencyOut.amountUsd) <= usd(currencyIn.amountUsd) + MICRO).toBe(true)
  }
}
