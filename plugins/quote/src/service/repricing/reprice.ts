import { applyBps, BPS, larger, smaller } from '@causeway/core'
import type { FailReason, QuoteTerms, RepriceDecision, RepriceDeposit } from '@causeway/core/plugin'
import { allFees, payoutAfterFees, payoutAtQuotedRate, type RateContext } from '../pricing/amounts.js'
import { type LateRates, type LateTerms, lateTerms } from './lateTerms.js'
import { keptOf, sharesOf } from './repricedShares.js'

/** What is decided before any price or fee is asked for. */
export type EarlyDecision =
  | { readonly kind: 'decided'; readonly decision: RepriceDecision }
  /** The price of the quote no longer stands: the network cost must be taken anew. */
  | { readonly kind: 'late' }

/** What the fill costs the solver beside the payment. */
export interface NetworkCost {
  /** All of it, in the deposited currency. */
  readonly deposited: bigint
  /** The transaction alone, native smallest unit of the destination. */
  readonly fee: bigint
}

/** The prices of the quote, and those of now. */
interface Contexts {
  readonly quoted: RateContext
  readonly now: RateContext
}

/** `rates`: of now, for amounts in other currencies than the two of the order. */
export interface LateContexts extends Contexts {
  readonly rates: LateRates
}

const quotedCost = ({ fillCost, networkFee }: QuoteTerms): NetworkCost => ({ deposited: fillCost, fee: networkFee })

const refund = (reason: FailReason): RepriceDecision => ({ action: 'refund', reason })

/** Clocks of hosts differ by less: what was quoted later than this was quoted by a clock that was ahead (faults.md F129). */
const CLOCKS_MS = 5_000

/** True when the quoted price no longer stands for this deposit, by its block's time or by ours. */
const isLate = (terms: QuoteTerms, deposit: RepriceDeposit, now: number): boolean =>
  Math.max(deposit.includedAt, now) > terms.priceUntil || terms.quotedAt > now + CLOCKS_MS

const whyNotAtAll = (terms: QuoteTerms, deposit: RepriceDeposit, now: number): FailReason | null => {
  const seconds = now / 1000
  if (terms.forceRefund) return 'UNKNOWN'
  if (terms.fillBy !== null && seconds > terms.fillBy) return 'TTL_EXPIRED'
  if (seconds > terms.orderDeadline) return 'ORDER_EXPIRED'
  if (deposit.amount < terms.minimumDeposit) return 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'
  return null
}

/**
 * A minimum of the quote for a deposit of `paid`: it grows with a deposit above the quoted one as what is paid for it at the quoted rate
 * (wire.md D.6). `quoted`: the prices of the quote.
 */
export const minimumFor = (terms: QuoteTerms, minimum: bigint, paid: bigint, quoted: RateContext): bigint => {
  const { tradeType, depositAmount, payoutAmount, sponsorship } = terms
  if (tradeType === 'EXACT_OUTPUT' || paid <= depositAmount) return minimum
  return sponsorship === undefined
    ? (minimum * paid) / depositAmount
    : (minimum * payoutAtQuotedRate(paid, terms, quoted)) / payoutAmount
}

/** The least that may be paid for a deposit of `paid`: what a payment cannot carry of the minimum is not asked of it. */
const leastFor = (terms: QuoteTerms, paid: bigint, quoted: RateContext): bigint =>
  quoted.payable.payout(minimumFor(terms, terms.minimumPayout, paid, quoted))

/**
 * What a sponsor adds to the quoted deposit for a better rate than the market's (wire.md D.8), in the deposited currency at the prices of
 * the quote.
 */
const addedByRate = (terms: QuoteTerms, quoted: RateContext): bigint => {
  const { sponsorship, payoutAmount, depositAmount, feesIn } = terms
  if (sponsorship === undefined || sponsorship.rateCost === 0n) return 0n
  return larger(quoted.conversion.toDeposit(payoutAmount, 'up') - (depositAmount - feesIn), 0n)
}

/** The part of what a sponsor adds that a deposit of `paid` gets. */
const addedFor = (added: bigint, paid: bigint, { depositAmount }: QuoteTerms): bigint =>
  (added * smaller(paid, depositAmount)) / depositAmount

/**
 * Fill with `amount`; the fees are what the deposit leaves after excess and payout, never negative. What the payment takes beyond the
 * deposit its sponsor pays for: by a rate, or out of its part of the fees.
 */
const fill = (
  { terms, addedByRate: added }: Pick<LateTerms, 'terms' | 'addedByRate'>,
  paid: bigint,
  amount: bigint,
  cost: NetworkCost,
  now: RateContext,
): RepriceDecision => {
  const surplus = terms.tradeType === 'EXACT_OUTPUT' ? paid - terms.depositAmount : 0n
  const excess = terms.trueExactOutput ? 0n : surplus
  const left = paid - excess - now.conversion.toDeposit(amount, 'up')
  const fees = larger(left, 0n)
  const net = left + addedFor(added, paid, terms)
  const shares = sharesOf(terms, { paid, fees, net, cost: cost.deposited })
  return { action: 'fill', amount, excess, fees, networkFee: cost.fee, ...shares }
}

/**
 * First half of the decision: refusals by flag, time and amount, and, while the quoted price stands, the fill at the
 * quoted rate (wire.md D.5, D.6).
 */
export const decideEarly = (
  terms: QuoteTerms,
  deposit: RepriceDeposit,
  now: number,
  context: RateContext,
): EarlyDecision => {
  const reason = whyNotAtAll(terms, deposit, now)
  if (reason !== null) return { kind: 'decided', decision: refund(reason) }
  if (isLate(terms, deposit, now)) return { kind: 'late' }
  const amount = payoutAtQuotedRate(deposit.amount, terms, context)
  const decision =
    amount < leastFor(terms, deposit.amount, context)
      ? refund('DEPOSITED_AMOUNT_TOO_LOW_TO_FILL')
      : fill({ terms, addedByRate: addedByRate(terms, context) }, deposit.amount, amount, quotedCost(terms), context)
  return { kind: 'decided', decision }
}

/**
 * Second half, for a deposit after the price expired (faults.md F15). The network cost of the fill and, between different
 * assets, the prices are those of now; service and app fees stay the quoted share of the deposit, and what they are worth in another
 * currency is that of now (`lateTerms`).
 *
 * - EXACT_INPUT, EXPECTED_OUTPUT: the recipient gets the smaller of the quoted-rate output and what the deposit leaves
 *   after the new fees. It may fall short of the quoted-rate output by `latePaymentSlippageBps` (the quote's slippage
 *   when that was not given), and never under `minimumPayout`, which the order binds, grown with the deposit; else `SLIPPAGE`.
 * - EXACT_OUTPUT: the output is fixed, so growth of the network cost and of the output's price comes out of the service fee: at most
 *   `latePaymentSlippageBps` of the output's worth, and never more than that fee, so the solver never pays on top.
 *
 * A sponsor pays no more than it promised: a network cost that grew is the user's. Fees that eat the deposit are
 * `NEGATIVE_NEW_AMOUNT_AFTER_FEES`.
 */
export const decideLate = (
  terms: QuoteTerms,
  deposit: RepriceDeposit,
  cost: NetworkCost,
  { quoted: before, now: context, rates }: LateContexts,
): RepriceDecision => {
  const paid = deposit.amount
  const added = addedByRate(terms, before)
  const late = lateTerms(terms, added, rates)
  const kept = keptOf(late.terms, paid)
  const borne = terms.sponsorship === undefined ? larger(kept, 0n) : kept
  if (paid <= cost.deposited + borne) return refund('NEGATIVE_NEW_AMOUNT_AFTER_FEES')
  if (terms.tradeType === 'EXACT_OUTPUT') {
    const dearer =
      context.conversion.toDeposit(terms.payoutAmount, 'up') - before.conversion.toDeposit(terms.payoutAmount, 'up')
    return isGrowthBearable(terms, cost.deposited + dearer + late.short)
      ? fill(late, paid, terms.payoutAmount, cost, context)
      : refund('SLIPPAGE')
  }
  const quoted = payoutAtQuotedRate(paid, terms, before)
  const now = payoutAfterFees(paid + addedFor(late.addedByRate, paid, terms), cost.deposited + kept, context)
  const amount = smaller(now, quoted)
  const tolerated = context.payable.payout(applyBps(quoted, BPS - BigInt(terms.latePaymentSlippageBps), 'up'))
  if (amount < leastFor(terms, paid, before) || amount < tolerated) return refund('SLIPPAGE')
  return fill(late, paid, amount, cost, context)
}

/** `cost`: network cost now, with what the output itself got dearer. */
const isGrowthBearable = (terms: QuoteTerms, cost: bigint): boolean => {
  const growth = cost - terms.fillCost
  const service = allFees(terms) - terms.fillCost
  const tolerated = applyBps(terms.depositAmount - terms.feesIn, BigInt(terms.latePaymentSlippageBps), 'down')
  return growth <= 0n || growth <= smaller(tolerated, service)
}
