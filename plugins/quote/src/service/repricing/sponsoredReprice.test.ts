import { divide, larger, smaller } from '@causeway/core'
import { parseUsd, type QuoteTerms, type RepriceDecision, type TermsEarning } from '@causeway/core/plugin'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANY_AMOUNT } from '../../fixtures/payableDouble.js'
import { minimumAfterSlippage, minimumDeposit, type RateContext } from '../pricing/amounts.js'
import { atPrices, sameAsset } from '../pricing/conversion.js'
import type { LateRates } from './lateTerms.js'
import { decideEarly, decideLate } from './reprice.js'

const NOW = Date.parse('2026-11-01T00:00:00Z')
const DECIMALS = { origin: 6, destination: 6 }
const SPONSOR = `0x${'5a'.repeat(20)}`
const EARNER = `0x${'ea'.repeat(20)}`
/** Balances are in the deposited currency, so that all amounts can be compared. */
const BALANCES = { chainId: 1, currency: 'usd' }

const priceText = fc.integer({ min: 900, max: 1_100 }).map((milli) => (milli / 1_000).toFixed(3))
const usd = (text: string): bigint => parseUsd(text) ?? 0n

interface Asked {
  readonly tradeType: 'EXACT_INPUT' | 'EXACT_OUTPUT'
  readonly depositAmount: bigint
  /** Network cost, the rest of the fees, and what of that is an app's; basis points of the deposit, and the sponsor's share of all. */
  readonly gasBps: bigint
  readonly serviceBps: bigint
  readonly appShare: bigint
  readonly sponsorBps: bigint
  readonly slippageBps: bigint
  readonly tolerance: bigint
  /** Prices of another asset at the destination; null: the same asset. */
  readonly price: string | null
  /** Basis points by which a fixed rate is above the market; null: none, the sponsor pays all fees else. */
  readonly rateBps: bigint | null
}

const asked = fc.record({
  tradeType: fc.constantFrom('EXACT_INPUT' as const, 'EXACT_OUTPUT' as const),
  depositAmount: fc.bigInt({ min: 1_000n, max: 10n ** 18n }),
  gasBps: fc.bigInt({ min: 0n, max: 3_000n }),
  serviceBps: fc.bigInt({ min: 0n, max: 3_000n }),
  appShare: fc.bigInt({ min: 0n, max: 10_000n }),
  sponsorBps: fc.bigInt({ min: 0n, max: 10_000n }),
  slippageBps: fc.bigInt({ min: 0n, max: 10_000n }),
  tolerance: fc.bigInt({ min: 0n, max: 2_000n }),
  price: fc.option(priceText, { nil: null }),
  rateBps: fc.option(fc.bigInt({ min: -500n, max: 500n }), { nil: null }),
})

const bps = (amount: bigint, share: bigint): bigint => (amount * share) / 10_000n

const contextOf = (price: string | null, tolerance: bigint): RateContext => ({
  conversion: price === null ? sameAsset(DECIMALS) : atPrices(DECIMALS, { origin: usd('1'), destination: usd(price) }),
  payable: ANY_AMOUNT,
  underpaymentToleranceBps: tolerance,
})

/** The quote that was asked for; null where fees eat the deposit. */
const quoteOf = (ask: Asked) => {
  const { depositAmount, tradeType } = ask
  const fillCost = bps(depositAmount, ask.gasBps)
  const service = bps(depositAmount, ask.serviceBps)
  const app = bps(service, ask.appShare)
  const fees = bps(fillCost + service, ask.rateBps === null ? ask.sponsorBps : 10_000n)
  const feesIn = fillCost + service - fees
  const context = contextOf(ask.price, ask.tolerance)
  if (depositAmount <= feesIn) return null
  const market = context.conversion.toPayout(depositAmount - feesIn, 'down')
  const payoutAmount = ask.rateBps === null ? market : bps(market, 10_000n + ask.rateBps)
  if (payoutAmount <= 0n) return null
  const gap = context.conversion.toDeposit(payoutAmount, 'up') - (depositAmount - feesIn)
  const rateCost = ask.rateBps === null ? 0n : larger(gap, 0n)
  const gain = ask.rateBps === null ? 0n : larger(-gap, 0n)
  const minimumPayout = minimumAfterSlippage(tradeType, payoutAmount, ask.slippageBps)
  const sponsorship = { wallet: SPONSOR, ...BALANCES, amount: fees + rateCost, fees, rateCost }
  const rate = { tradeType, depositAmount, payoutAmount, minimumPayout, feesIn, fillCost, sponsorship }
  const earning = (kind: TermsEarning['kind'], wallet: string, amount: bigint, fromDeposit: bigint): TermsEarning => ({
    ...{ kind, wallet, amount, fromDeposit },
    worth: amount,
  })
  const fromDeposit = fees === 0n ? app : divide(app * feesIn, fillCost + service, 'down')
  const list = [earning('app', EARNER, app, fromDeposit), earning('rate', SPONSOR, gain, gain)]
  const kept = list.filter(({ amount }) => amount > 0n)
  // CAST: what repricing reads of terms.
  const terms = {
    ...rate,
    minimumDeposit: minimumDeposit(rate, context),
    networkFee: 1n,
    quotedAt: NOW,
    priceUntil: NOW + 30_000,
    orderDeadline: NOW / 1000 + 1_000,
    fillBy: null,
    latePaymentSlippageBps: 10_000,
    trueExactOutput: false,
    forceRefund: false,
    ...(kept.length === 0 ? {} : { earnings: { ...BALANCES, list: kept } }),
  } as unknown as QuoteTerms
  return { terms, context, sponsorship: terms.sponsorship ?? sponsorship, fillCost, service }
}

type Quoted = NonNullable<ReturnType<typeof quoteOf>>
const sum = (list: readonly bigint[]): bigint => list.reduce((total, amount) => total + amount, 0n)

/** Balances are worth `milli` thousandths of what a unit of them was at the quote, in the deposited currency. */
const ratesAt = (milli: bigint): LateRates => ({
  toBalance: (amount, rounding) => divide(amount * 1_000n, milli, rounding),
  credited: (amount) => divide(amount * 1_000n, milli, 'down'),
  toDeposit: (amount) => divide(amount * milli, 1_000n, 'down'),
  charged: ({ deposited }) => deposited,
})

/** What is wrong with a decision for a deposit of `paid`, by the books in the deposited currency; null: nothing. */
const wrongWith = (
  { terms, sponsorship, context }: Quoted,
  decision: RepriceDecision,
  paid: bigint,
  cost: bigint,
  { now, rates = ratesAt(1_000n) }: { readonly now: RateContext; readonly rates?: LateRates },
): string | null => {
  if (decision.action === 'refund') return null
  const { amount, excess, fees, earnings, sponsorship: pays } = decision
  const earned = sum((earnings?.list ?? []).map(({ worth }) => rates.toDeposit(worth)))
  const worth = now.conversion.toDeposit(amount, 'up')
  const left = paid - excess + rates.toDeposit(pays?.amount ?? 0n) - worth - earned - cost
  const promised = (wallet: string) =>
    sum((terms.earnings?.list ?? []).map((e) => (e.wallet === wallet ? e.worth : 0n)))
  for (const { wallet, worth: credited } of earnings?.list ?? []) {
    if (credited > (promised(wallet) * larger(paid, terms.depositAmount)) / terms.depositAmount)
      return 'a wallet earns more than was quoted'
  }
  const { depositAmount, fillCost } = terms
  const floor = divide(depositAmount * (10_000n - context.underpaymentToleranceBps), 10_000n, 'up')
  // A deposit that is smaller by a little keeps the rate, so the network cost is covered by so much less, sponsored or not.
  const tolerated =
    paid < depositAmount && paid >= floor ? divide(fillCost * (depositAmount - paid), depositAmount, 'up') : 0n
  // Units of balances may be worth four of the deposit.
  if (left < -tolerated - 15n) return `the solver pays ${-left} on top`
  if (pays === undefined || pays.amount > sponsorship.amount) return 'the sponsor pays more than was kept'
  if (pays.fees > sponsorship.fees || pays.rateCost > sponsorship.rateCost) return 'of the fees it pays too much'
  if (amount < terms.minimumPayout) return 'less than the order promises'
  if (fees < sum((earnings?.list ?? []).map(({ fromDeposit }) => fromDeposit)))
    return 'more is owed than the deposit left'
  return null
}

const paidOf = (terms: QuoteTerms, share: bigint): bigint => larger((terms.depositAmount * share) / 10_000n, 1n)
/** Around the quoted deposit, far below and far above it. */
const shares = fc.oneof(
  fc.constant(10_000n),
  fc.bigInt({ min: 9_000n, max: 11_000n }),
  fc.bigInt({ min: 1n, max: 10_000n }),
  fc.bigInt({ min: 10_000n, max: 10_000_000n }),
)

describe('a deposit for a quote that a sponsor pays part of (wire.md D.6, D.8, D.9)', () => {
  it('costs the sponsor no more than was kept and the solver nothing, whatever came, in time', () => {
    let filled = 0
    fc.assert(
      fc.property(asked, shares, (ask, share) => {
        const quoted = quoteOf(ask)
        if (quoted === null) return
        const paid = paidOf(quoted.terms, share)
        const early = decideEarly(quoted.terms, { amount: paid, includedAt: NOW }, NOW, quoted.context)
        if (early.kind === 'late') throw new Error('It is in time')
        if (early.decision.action === 'fill') filled += 1
        expect(wrongWith(quoted, early.decision, paid, quoted.fillCost, { now: quoted.context })).toBeNull()
      }),
      { numRuns: 3_000 },
    )
    expect(filled).toBeGreaterThan(1_000)
  })

  const late = fc.record({
    growth: fc.bigInt({ min: 0n, max: 30_000n }),
    milli: fc.oneof(fc.constant(1_000n), fc.bigInt({ min: 250n, max: 4_000n })),
  })

  it('nor late, at other prices and another network cost', () => {
    let filled = 0
    // A gain of 34 units that is worth more by a quarter, for a deposit of 33 times the quoted one.
    const multiplied = {
      ...{ tradeType: 'EXACT_INPUT' as const, depositAmount: 1_000n, price: '0.900', rateBps: -334n },
      ...{ gasBps: 0n, serviceBps: 0n, appShare: 0n, sponsorBps: 0n, slippageBps: 0n, tolerance: 0n },
    }
    fc.assert(
      fc.property(asked, shares, priceText, late, (ask, share, price, { growth, milli }) => {
        const quoted = quoteOf(ask)
        if (quoted === null) return
        const { terms, context } = quoted
        const paid = paidOf(terms, share)
        if (paid < terms.minimumDeposit) return
        const now = ask.price === null ? context : contextOf(price, ask.tolerance)
        const cost = { deposited: bps(quoted.fillCost, growth), fee: 1n }
        const rates = ratesAt(milli)
        const decision = decideLate(terms, { amount: paid, includedAt: NOW }, cost, { quoted: context, now, rates })
        if (decision.action === 'fill') filled += 1
        expect(wrongWith(quoted, decision, paid, cost.deposited, { now, rates })).toBeNull()
      }),
      { numRuns: 3_000, examples: [[multiplied, 329_900n, '0.907', { growth: 0n, milli: 809n }]] },
    )
    expect(filled).toBeGreaterThan(700)
  })

  it('the quoted deposit is filled as quoted: user and sponsor pay the whole fees, and wallets earn all of theirs', () => {
    fc.assert(
      fc.property(asked, (ask) => {
        const quoted = quoteOf(ask)
        if (quoted === null) return
        const { terms, context, sponsorship } = quoted
        const early = decideEarly(terms, { amount: terms.depositAmount, includedAt: NOW }, NOW, context)
        if (early.kind === 'late' || early.decision.action === 'refund') throw new Error('It is filled')
        const { fees, amount, sponsorship: pays, earnings } = early.decision
        expect([amount, pays]).toEqual([terms.payoutAmount, sponsorship])
        const gained = sum((earnings?.list ?? []).filter(({ kind }) => kind === 'rate').map(({ amount: gain }) => gain))
        if (sponsorship.rateCost === 0n) expect(fees - gained - terms.feesIn).toBeLessThanOrEqual(2n)
        const app = (list: readonly TermsEarning[] = []) => list.filter(({ kind }) => kind === 'app')
        const covered = fees - gained + sponsorship.fees - quoted.fillCost
        const promised = app(terms.earnings?.list)[0]?.amount ?? 0n
        expect(app(earnings?.list)[0]?.amount ?? 0n).toBe(smaller(promised, larger(covered, 0n)))
      }),
      { numRuns: 1_000 },
    )
  })
})
