import { applyBps, BPS, divide, larger, smaller } from '@causeway/core'
import type { FailReason, QuoteTerms, RepriceDecision, RepriceDeposit, TermsEarning } from '@causeway/core/plugin'
import { payoutAfterFees, payoutAtQuotedRate, type RateContext } from './amounts.js'

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

const quotedCost = ({ fillCost, networkFee }: QuoteTerms): NetworkCost => ({ deposited: fillCost, fee: networkFee })

type Fill = Extract<RepriceDecision, { action: 'fill' }>

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

/** A minimum of the quote for a deposit of `paid`: what is paid grows with a deposit above the quoted one, so the minimum does (wire.md D.6). */
export const minimumFor = (
  { tradeType, depositAmount }: Pick<QuoteTerms, 'tradeType' | 'depositAmount'>,
  minimum: bigint,
  paid: bigint,
): bigint => (tradeType === 'EXACT_OUTPUT' || paid <= depositAmount ? minimum : (minimum * paid) / depositAmount)

/** The least that may be paid for a deposit of `paid`: what a payment cannot carry of the minimum is not asked of it. */
const leastFor = (terms: QuoteTerms, paid: bigint, { payable }: RateContext): bigint =>
  payable.payout(minimumFor(terms, terms.minimumPayout, paid))

/**
 * The integrator's part of the fees: the quoted share of the deposit, as far as the fees cover it beside the network cost. What an
 * exact output leaves over bears none.
 */
const integratorFeeOf = (
  { integratorFee, tradeType, depositAmount }: QuoteTerms,
  paid: bigint,
  left: bigint,
): Pick<Fill, 'integratorFee'> => {
  if (integratorFee === undefined) return {}
  const base = tradeType === 'EXACT_OUTPUT' ? smaller(paid, depositAmount) : paid
  const amount = smaller((integratorFee.amount * base) / depositAmount, left)
  return amount > 0n ? { integratorFee: { ...integratorFee, amount } } : {}
}

/**
 * What wallets earn by a deposit of `paid`: the quoted shares of it, as far as the fees cover them beside the network cost. What an exact
 * output leaves over bears none.
 */
const earningsOf = (
  { earnings, tradeType, depositAmount }: QuoteTerms,
  paid: bigint,
  { fees, left }: { readonly fees: bigint; readonly left: bigint },
): Pick<Fill, 'earnings'> => {
  if (earnings === undefined) return {}
  const base = tradeType === 'EXACT_OUTPUT' ? smaller(paid, depositAmount) : paid
  const shares = earnings.list.map((earning) => scaled(earning, base, depositAmount))
  const owed = shares.reduce((sum, { amount }) => sum + amount, 0n)
  const deposited = shares.reduce((sum, { fromDeposit }) => sum + fromDeposit, 0n)
  const covered = shares
    .map((earning) => scaled(earning, smaller(larger(left, 0n), owed), owed))
    .map((earning) => scaled(earning, smaller(fees, deposited), deposited))
  const list = covered.filter(({ worth }) => worth > 0n)
  return list.length === 0 ? {} : { earnings: { ...earnings, list } }
}

/** Part of an earning, rounded down; a whole of 0 leaves it as it is. */
const scaled = (earning: TermsEarning, part: bigint, whole: bigint): TermsEarning => {
  if (whole === 0n) return earning
  const share = (amount: bigint) => (amount * part) / whole
  const { amount, fromDeposit, worth } = earning
  return { ...earning, amount: share(amount), fromDeposit: share(fromDeposit), worth: share(worth) }
}

/** What the sponsor pays for a deposit of `paid`: its share for a smaller one than quoted, and never more than was kept of its balance. */
const sponsorshipOf = ({ sponsorship, depositAmount }: QuoteTerms, paid: bigint): Pick<Fill, 'sponsorship'> => {
  if (sponsorship === undefined) return {}
  const base = smaller(paid, depositAmount)
  const share = (amount: bigint, way: 'up' | 'down') => divide(amount * base, depositAmount, way)
  const { amount, fees, rateCost } = sponsorship
  return {
    sponsorship: {
      ...sponsorship,
      amount: share(amount, 'up'),
      fees: share(fees, 'down'),
      rateCost: share(rateCost, 'down'),
    },
  }
}

/** Fill with `amount`; the fees are what the deposit leaves after excess and payout, never negative. */
const fill = (
  terms: QuoteTerms,
  paid: bigint,
  amount: bigint,
  cost: NetworkCost,
  context: RateContext,
): RepriceDecision => {
  const surplus = terms.tradeType === 'EXACT_OUTPUT' ? paid - terms.depositAmount : 0n
  const excess = terms.trueExactOutput ? 0n : surplus
  const worth = context.conversion.toDeposit(amount, 'up')
  const fees = larger(paid - excess - worth, 0n)
  const sponsored = sponsorshipOf(terms, paid)
  const left = fees + (sponsored.sponsorship?.fees ?? 0n) - cost.deposited
  const share = integratorFeeOf(terms, paid, left)
  const earned = earningsOf(terms, paid, { fees, left })
  return { action: 'fill', amount, excess, fees, networkFee: cost.fee, ...share, ...earned, ...sponsored }
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
      : fill(terms, deposit.amount, amount, quotedCost(terms), context)
  return { kind: 'decided', decision }
}

/**
 * Second half, for a deposit after the price expired (faults.md F15). The network cost of the fill and, between different
 * assets, the prices are those of now (`context`); service and app fees stay the quoted share of the deposit.
 *
 * - EXACT_INPUT, EXPECTED_OUTPUT: the recipient gets the smaller of the quoted-rate output and what the deposit leaves
 *   after the new fees. It may fall short of the quoted-rate output by `latePaymentSlippageBps` (the quote's slippage
 *   when that was not given), and never under `minimumPayout`, which the order binds, grown with the deposit; else `SLIPPAGE`.
 * - EXACT_OUTPUT: the output is fixed, so growth of the network cost and of the output's price comes out of the service fee: at most
 *   `latePaymentSlippageBps` of the output's worth, and never more than that fee, so the solver never pays on top.
 *
 * Fees that eat the deposit are `NEGATIVE_NEW_AMOUNT_AFTER_FEES`.
 */
export const decideLate = (
  terms: QuoteTerms,
  deposit: RepriceDeposit,
  cost: NetworkCost,
  { quoted: before, now: context }: { readonly quoted: RateContext; readonly now: RateContext },
): RepriceDecision => {
  const paid = deposit.amount
  const kept = divide((terms.feesIn - terms.fillCost) * paid, terms.depositAmount, 'up')
  if (paid <= cost.deposited + (kept > 0n ? kept : 0n)) return refund('NEGATIVE_NEW_AMOUNT_AFTER_FEES')
  if (terms.tradeType === 'EXACT_OUTPUT') {
    const dearer =
      context.conversion.toDeposit(terms.payoutAmount, 'up') - before.conversion.toDeposit(terms.payoutAmount, 'up')
    return isGrowthBearable(terms, cost.deposited + dearer)
      ? fill(terms, paid, terms.payoutAmount, cost, context)
      : refund('SLIPPAGE')
  }
  const quoted = payoutAtQuotedRate(paid, terms, before)
  const now = payoutAfterFees(paid, cost.deposited + kept, context)
  const amount = smaller(now, quoted)
  const tolerated = context.payable.payout(applyBps(quoted, BPS - BigInt(terms.latePaymentSlippageBps), 'up'))
  if (amount < leastFor(terms, paid, context) || amount < tolerated) return refund('SLIPPAGE')
  return fill(terms, paid, amount, cost, context)
}

/** `cost`: network cost now, with what the output itself got dearer. */
const isGrowthBearable = (terms: QuoteTerms, cost: bigint): boolean => {
  const growth = cost - terms.fillCost
  const service = terms.feesIn - terms.fillCost
  const tolerated = applyBps(terms.depositAmount - terms.feesIn, BigInt(terms.latePaymentSlippageBps), 'down')
  return growth <= 0n || growth <= smaller(tolerated, service)
}
