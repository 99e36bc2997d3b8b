import type { Currency } from '@causeway/core'
import { type FeeLine, ONE_USD, type PricedDraft, parseUsd, type Usd, usdValue } from '@causeway/core/plugin'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divideLines } from './feeShares.js'
import { choiceOf, requireBalance, type Sponsor, type SponsoredQuote, sponsorQuote } from './sponsoredQuote.js'
import { readSponsorRequest } from './sponsorRequest.js'
import { quotedSponsorship } from './sponsorshipJson.js'

const currency = (symbol: string, decimals: number, chainId = 8): Currency => ({
  ...{ chainId, symbol, decimals, name: symbol, vmType: 'evm', groupId: symbol.toLowerCase() },
  address: `0x${symbol}`,
  metadata: { logoURI: '', verified: true, isNative: false },
})
const DOLLAR = currency('USDC', 6)
const WALLET = `0x${'5a'.repeat(20)}`

interface World {
  readonly deposit: Currency
  readonly price: Usd
  readonly balancePrice: Usd
  readonly free: bigint
  readonly rateGap: bigint
  readonly depositAmount: bigint
  readonly isDirect: boolean
}
const USUAL: World = {
  deposit: DOLLAR,
  price: ONE_USD,
  balancePrice: ONE_USD,
  free: 10n ** 90n,
  rateGap: 0n,
  depositAmount: 100_000_000n,
  isDirect: false,
}
const DOLLARS = currency('USD', 6, 9)

/** What the quote plugin does with fees of a deposit: lines are divided, then the whole is priced. */
const sponsored = (body: object, amounts: readonly bigint[], changes: Partial<World> = {}) => {
  const world = { ...USUAL, ...changes }
  // CAST: of a body only its sponsor's fields are read.
  const request = readSponsorRequest({ subsidizeFees: true, ...body } as never)
  if (request === null) throw new Error('It asks for a sponsor')
  const priceOf = (wanted: Currency): Usd => (wanted === DOLLARS ? world.balancePrice : world.price)
  const buckets = ['gas', 'execution', 'swap', 'platform', 'app'] as const
  const lines = amounts.map(
    (amount, at): FeeLine => ({
      bucket: buckets[at % buckets.length] ?? 'gas',
      payer: 'user',
      money: { currency: world.deposit, amount },
    }),
  )
  const deposit = { money: { currency: world.deposit, amount: world.depositAmount }, price: world.price, priceOf }
  const divided = world.isDirect ? [] : divideLines(lines, choiceOf(request, DOLLARS, deposit))
  // CAST: what is read of a priced draft.
  const priced = { ...world, deposit: deposit.money, lines: divided, priceOf } as unknown as PricedDraft
  const sponsor: Sponsor = { wallet: WALLET, free: world.free, balanceCurrency: DOLLARS }
  const quote = sponsorQuote(request, sponsor, priced, { maxFixedRateBps: 500n })
  requireBalance(sponsor, quote)
  return { request, quote, divided }
}
const sum = (amounts: object): bigint => Object.values(amounts).reduce((total: bigint, one) => total + one, 0n)
const refusal = (make: () => unknown): string => {
  try {
    make()
    return 'none'
  } catch (error) {
    return `${Reflect.get(Object(error), 'code')}: ${Reflect.get(Object(error), 'message')}`
  }
}
const amountOf = ({ terms }: SponsoredQuote): bigint => terms.sponsorship?.amount ?? 0n

describe('what a sponsor pays of a quote (wire.md 1.5, D.9)', () => {
  it('is all the fees, in the currency of its balance, with the parts that the answer tells', () => {
    const { request, quote } = sponsored({}, [20_000n, 20_000n, 7n, 100_000n, 50_000n])
    expect(quote.terms).toEqual({
      sponsorship: {
        ...{ wallet: WALLET, chainId: 9, currency: '0xUSD', amount: 190_007n, fees: 190_007n, rateCost: 0n },
      },
    })
    const zero = { amount: '0', amountUsd: '0.000000' }
    const json = quotedSponsorship(request, quote, 'causeway')
    expect(json).toMatchObject({
      selectedComponents: ['execution', 'swap', 'causeway', 'app'],
      capHit: false,
      components: {
        execution: { selected: true, total: { amount: '40000' }, sponsored: { amount: '40000' }, userPays: zero },
        causeway: { selected: true, total: { amount: '100000', amountUsd: '0.100000' } },
        rent: { selected: false, total: zero, sponsored: zero, userPays: zero },
      },
      sponsoredTotal: { amount: '190007', minimumAmount: '190007' },
      userPaysTotal: zero,
    })
    expect(Object.keys(json.components)).toEqual(['execution', 'swap', 'causeway', 'app', 'rent'])
    expect(Object.keys(json)).not.toContain('maxSubsidizationAmount')
    expect(Object.keys(json)).not.toContain('subsidizationBps')
  })

  it('tells cap and share as they were asked for', () => {
    const { request, quote } = sponsored({ maxSubsidizationAmount: '5', subsidizationBps: 5_000 }, [7n, 7n])
    expect(quotedSponsorship(request, quote, 'relay')).toMatchObject({
      maxSubsidizationAmount: '5',
      subsidizationBps: 5_000,
      capHit: true,
      sponsoredTotal: { amount: '5' },
      userPaysTotal: { amount: '9' },
    })
  })

  const decimals = fc.constantFrom(0, 2, 6, 8, 18)
  const price = fc.oneof(fc.constant(ONE_USD), fc.bigInt({ min: 1n, max: 10n ** 24n }))
  const amounts = fc.array(fc.oneof(fc.bigInt({ min: 0n, max: 10_000n }), fc.bigInt({ min: 0n, max: 10n ** 30n })), {
    minLength: 1,
    maxLength: 7,
  })
  const bodies = fc.record({
    subsidizationBps: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined }),
    maxSubsidizationAmount: fc.option(fc.bigInt({ min: 0n, max: 10n ** 12n }).map(String), { nil: undefined }),
    useDepositAddress: fc.boolean(),
  })

  it('is within the cap to the unit, covers its part of the fees, and leaves sums as they were, at any prices', () => {
    fc.assert(
      fc.property(bodies, amounts, decimals, price, price, (body, fees, places, own, balancePrice) => {
        const deposit = currency('DEP', places)
        const { request, quote } = sponsored(body, fees, { deposit, price: own, balancePrice })
        const amount = amountOf(quote)
        const paid = usdValue({ currency: DOLLARS, amount }, balancePrice)
        if (request.cap !== null) expect(paid <= request.cap).toBe(true)
        const covered = quote.terms.sponsorship?.fees ?? 0n
        expect(covered).toBe(sum(quote.sponsored))
        expect(paid >= usdValue({ currency: deposit, amount: covered }, own) - 1n).toBe(true)
        for (const [name, total] of Object.entries(quote.totals)) {
          const part = Reflect.get(quote.sponsored, name)
          expect(part >= 0n && part <= total).toBe(true)
        }
        expect(sum(quote.totals)).toBe(fees.reduce((whole, one) => whole + one, 0n))
      }),
      { numRuns: 500 },
    )
  })

  it('is refused where the balance that no quote keeps has one unit less, and needs none where nothing is paid', () => {
    expect(amountOf(sponsored({}, [50n], { free: 50n }).quote)).toBe(50n)
    expect(refusal(() => sponsored({}, [50n], { free: 49n }))).toBe(
      'INVALID_SUBSIDIZATION: The linked wallet has 0.000049 USD that no quote keeps, and this needs 0.00005 USD',
    )
    expect(refusal(() => sponsored({}, [50n], { free: -7n }))).toMatch(
      /^INVALID_SUBSIDIZATION: The linked wallet has 0.0 /,
    )
    for (const body of [{ subsidizationBps: 0 }, { maxSubsidizationAmount: '0' }])
      expect(sponsored(body, [50n], { free: 0n }).quote.terms).toEqual({})
    expect(sponsored({}, [50n], { free: 0n, isDirect: true }).quote).toMatchObject({ terms: {}, capHit: false })
  })
})

describe('a fixed rate (wire.md D.8)', () => {
  const rate = { fixedRate: '1:1' }

  it('costs the sponsor what it gives beyond the market, with all fees', () => {
    const { quote } = sponsored(rate, [20n, 30n], { rateGap: 1_000n, balancePrice: 2n * ONE_USD })
    expect(quote.rateGap).toBe(parseUsd('0.001'))
    expect(quote.terms).toEqual({
      sponsorship: expect.objectContaining({ amount: 25n + 500n, fees: 50n, rateCost: 500n }),
    })
  })

  it('gains it what the user gets less than the market, once that is settled', () => {
    const { quote } = sponsored(rate, [20n], { rateGap: -1_001n, balancePrice: 2n * ONE_USD })
    expect(quote.rateGap).toBe(-(parseUsd('0.001001') ?? 0n))
    expect(quote.terms).toEqual({
      sponsorship: expect.objectContaining({ amount: 10n, fees: 20n, rateCost: 0n }),
      earned: [{ wallet: WALLET, kind: 'rate', amount: 1_001n, fromDeposit: 1_001n, worth: 500n }],
    })
  })

  it('is within the cap as a whole, or refused', () => {
    const within = (cap: string) => sponsored({ ...rate, maxSubsidizationAmount: cap }, [20n], { rateGap: 1_000n })
    expect(amountOf(within('1020').quote)).toBe(1_020n)
    expect(refusal(() => within('1019'))).toMatch(
      /^INVALID_SUBSIDIZATION: The fixed rate costs its sponsor 0.00102 USD/,
    )
  })

  it('is refused far from the market, on either side', () => {
    for (const rateGap of [5_000_000n, -5_000_000n]) expect(() => sponsored(rate, [], { rateGap })).not.toThrow()
    for (const rateGap of [5_000_001n, -5_000_001n])
      expect(refusal(() => sponsored(rate, [], { rateGap }))).toMatch(/^INVALID_SUBSIDIZATION: .*500 basis points/)
  })
})
