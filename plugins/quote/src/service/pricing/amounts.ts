import { applyBps, BPS, divide, larger, ServiceError, smaller } from '@causeway/core'
import type { TradeType } from '@causeway/core/plugin'
import type { Payable } from '../route/payableAmounts.js'
import type { Conversion } from './conversion.js'

export interface AmountsRequest {
  readonly tradeType: TradeType
  /** What arrives in the depository for EXACT_INPUT, what the solver pays otherwise, smallest unit. */
  readonly amount: bigint
  readonly conversion: Conversion
  readonly payable: Payable
  /** All the fees of a given deposit, in the origin currency; grows with the deposit by less than the deposit does. */
  feesFor(depositAmount: bigint): bigint
  /** Says which fees eat the amount; `least`: the smallest deposit that covers its fees, null where none does. */
  refuse?(least: bigint | null): ServiceError
}

export interface QuotedAmounts {
  readonly depositAmount: bigint
  readonly payoutAmount: bigint
}

const tooLow = (): ServiceError =>
  new ServiceError('AMOUNT_TOO_LOW', 'The amount does not cover the fees of this route')

/**
 * Deposit and payout of a quote (wire.md D.5, H.2): the payout is what the deposit leaves after fees, rounded down; a deposit derived
 * from a payout is the smallest that covers it and its fees; each as far as a payment of its chain can carry it. Throws ServiceError `AMOUNT_TOO_LOW` when nothing is left to pay out.
 */
export const solveAmounts = (request: AmountsRequest): QuotedAmounts => {
  const { amount, conversion, payable, feesFor, refuse = tooLow } = request
  if (request.tradeType === 'EXACT_INPUT') {
    const left = amount - feesFor(amount)
    const payoutAmount = left > 0n ? payable.payout(conversion.toPayout(left, 'down')) : 0n
    if (payoutAmount <= 0n) throw refuse(leastDeposit(request))
    return { depositAmount: amount, payoutAmount }
  }
  const worth = conversion.toDeposit(amount, 'up')
  return { depositAmount: payable.deposit(smallestDeposit(worth, feesFor)), payoutAmount: amount }
}

/** The smallest deposit that pays out anything; null where fees eat any. */
export const leastDeposit = ({
  conversion,
  payable,
  feesFor,
}: Pick<AmountsRequest, 'conversion' | 'payable' | 'feesFor'>): bigint | null => {
  try {
    return payable.deposit(smallestDeposit(conversion.toDeposit(1n, 'up'), feesFor))
  } catch (error) {
    if (ServiceError.is(error)) return null
    throw error
  }
}

/** Beyond so many steps the fees grow nearly as fast as the deposit, and it is searched for. */
const STEPS = 100
/** No chain has an amount of more bits. */
const MOST_BITS = 320n

/** Least fixed point of deposit = worth + fees(deposit), reached from below. */
export const smallestDeposit = (worth: bigint, feesFor: (depositAmount: bigint) => bigint): bigint => {
  let depositAmount = worth
  for (let step = 0; step < STEPS; step += 1) {
    const next = worth + feesFor(depositAmount)
    if (next <= depositAmount) return depositAmount
    depositAmount = next
  }
  return searchedDeposit(worth, feesFor, depositAmount)
}

/** The same between `below`, which does not cover, and the first double of it that does. Throws where fees grow as fast as any deposit. */
const searchedDeposit = (worth: bigint, feesFor: (depositAmount: bigint) => bigint, below: bigint): bigint => {
  const covers = (depositAmount: bigint): boolean => depositAmount - feesFor(depositAmount) >= worth
  let [low, high] = [below, below * 2n]
  while (!covers(high)) {
    if (high >> MOST_BITS > 0n) throw tooLow()
    ;[low, high] = [high, high * 2n]
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (covers(middle)) high = middle
    else low = middle
  }
  return high
}

/** The least that an amount may come down to (wire.md D.4): itself for EXACT_OUTPUT, else less the slippage, at least 1. */
export const minimumAfterSlippage = (tradeType: TradeType, amount: bigint, slippageBps: bigint): bigint => {
  if (tradeType === 'EXACT_OUTPUT') return amount
  return larger(applyBps(amount, BPS - slippageBps, 'down'), 1n)
}

/** What decides the payout for a deposit whose amount is not the quoted one; part of QuoteTerms. */
export interface QuotedRate {
  readonly tradeType: TradeType
  readonly depositAmount: bigint
  readonly payoutAmount: bigint
  readonly minimumPayout: bigint
  /** What the deposit pays of the fees, network cost and all. */
  readonly feesIn: bigint
  readonly fillCost: bigint
  /** What a sponsor pays of them for the quoted deposit; absent: nothing. */
  readonly sponsorship?: { readonly fees: bigint } | undefined
}

export interface RateContext {
  readonly conversion: Conversion
  readonly payable: Payable
  /** A deposit at most this much below the quoted one keeps the quoted rate; smaller ones bear the full fees. */
  readonly underpaymentToleranceBps: bigint
}

/**
 * Payout for a deposit at the quoted rate (wire.md D.6): it scales with the deposit, more or less than quoted. A deposit
 * far below the quoted one bears the whole fees instead of its share, since the fill costs the same; else a large quote
 * with a wide slippage would be a way to have small amounts carried for nothing.
 */
export const payoutAtQuotedRate = (paid: bigint, rate: QuotedRate, context: RateContext): bigint => {
  if (rate.tradeType === 'EXACT_OUTPUT') return paid < rate.depositAmount ? 0n : rate.payoutAmount
  if (rate.sponsorship !== undefined) return sponsoredPayout(paid, rate, context)
  const scaled = context.payable.payout((paid * rate.payoutAmount) / rate.depositAmount)
  if (paid >= sharedFeeFloor(rate, context)) return scaled
  return smaller(payoutAfterFees(paid, rate.feesIn, context), scaled)
}

/** All the fees of the quoted deposit, whoever pays them. */
export const allFees = ({ feesIn, sponsorship }: Pick<QuotedRate, 'feesIn' | 'sponsorship'>): bigint =>
  feesIn + (sponsorship?.fees ?? 0n)

/** The fees of what comes beyond the quoted deposit, network cost left out: no sponsor pays them, and the fill costs the same. */
export const feesBeyond = (
  rate: Pick<QuotedRate, 'depositAmount' | 'feesIn' | 'fillCost' | 'sponsorship'>,
  paid: bigint,
): bigint => {
  const beyond = larger(paid - rate.depositAmount, 0n)
  return divide(beyond * larger(allFees(rate) - rate.fillCost, 0n), rate.depositAmount, 'up')
}

/**
 * The same where a sponsor pays. It promised its part for the quoted deposit: what comes beyond bears fees of its own, and has no better
 * rate than the quoted one; what is missing is missing of the sponsor's part too, so a small deposit bears what is short of all the fees.
 */
const sponsoredPayout = (paid: bigint, rate: QuotedRate, context: RateContext): bigint => {
  const { depositAmount, payoutAmount } = rate
  const { conversion, payable } = context
  const atRate = (amount: bigint) => (amount * payoutAmount) / depositAmount
  if (paid > depositAmount) {
    const beyond = paid - depositAmount
    const worth = larger(beyond - feesBeyond(rate, paid), 0n)
    return payable.payout(payoutAmount + smaller(conversion.toPayout(worth, 'down'), atRate(beyond)))
  }
  if (paid >= sharedFeeFloor(rate, context)) return payable.payout(atRate(paid))
  const short = divide(allFees(rate) * (depositAmount - paid), depositAmount, 'up')
  return payable.payout(larger(atRate(paid) - conversion.toPayout(short, 'up'), 0n))
}

/** What a deposit leaves to be paid after `fees`, rounded down to what a payment can carry; 0 when they eat it. */
export const payoutAfterFees = (paid: bigint, fees: bigint, { conversion, payable }: RateContext): bigint =>
  paid > fees ? payable.payout(conversion.toPayout(paid - fees, 'down')) : 0n

const sharedFeeFloor = (
  { depositAmount }: Pick<QuotedRate, 'depositAmount'>,
  { underpaymentToleranceBps }: RateContext,
): bigint => applyBps(depositAmount, BPS - underpaymentToleranceBps, 'up')

/**
 * The smallest deposit whose payout still reaches `minimumPayout`: below it the deposit may not consume the order. The whole
 * deposit for EXACT_OUTPUT.
 */
export const minimumDeposit = (rate: QuotedRate, context: RateContext): bigint => {
  if (rate.tradeType === 'EXACT_OUTPUT') return rate.depositAmount
  const atRate = divide(rate.minimumPayout * rate.depositAmount, rate.payoutAmount, 'up')
  const floor = sharedFeeFloor(rate, context)
  if (atRate >= floor) return atRate
  return smaller(larger(depositFor(rate, context), atRate), floor)
}

/** What pays the promised minimum below the floor, where the whole fees are borne. */
const depositFor = (rate: QuotedRate, { conversion }: RateContext): bigint => {
  const fees = allFees(rate)
  const least = conversion.toDeposit(rate.minimumPayout, 'up') + fees
  if (rate.sponsorship === undefined) return least
  return divide(least * rate.depositAmount, conversion.toDeposit(rate.payoutAmount, 'down') + fees, 'up')
}
