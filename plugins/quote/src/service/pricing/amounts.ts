import { applyBps, BPS, divide, larger, ServiceError, smaller } from '@causeway/core'
import type { TradeType } from '@causeway/core/plugin'
import type { Conversion } from './conversion.js'

export interface AmountsRequest {
  readonly tradeType: TradeType
  /** Input for EXACT_INPUT, output otherwise, smallest unit. */
  readonly amount: bigint
  readonly conversion: Conversion
  /** All the fees for a given input, in the origin currency; grows with the input by less than the input does. */
  feesFor(amountIn: bigint): bigint
}

export interface QuotedAmounts {
  readonly amountIn: bigint
  readonly amountOut: bigint
}

const tooLow = (): ServiceError =>
  new ServiceError('AMOUNT_TOO_LOW', 'The amount does not cover the fees of this route')

/**
 * Input and output of a quote between what is deposited and what the solver pays (wire.md D.5, H.2): the output is what the input leaves after fees, rounded
 * down; an input derived from an output is the smallest that covers it and its fees. Throws ServiceError `AMOUNT_TOO_LOW`
 * when nothing is left to pay out.
 */
export const solveAmounts = (request: AmountsRequest): QuotedAmounts => {
  const { amount, conversion, feesFor } = request
  if (request.tradeType === 'EXACT_INPUT') {
    const left = amount - feesFor(amount)
    const amountOut = left > 0n ? conversion.toPaid(left, 'down') : 0n
    if (amountOut <= 0n) throw tooLow()
    return { amountIn: amount, amountOut }
  }
  const worth = conversion.toDeposited(amount, 'up')
  return { amountIn: smallestInput(worth, feesFor), amountOut: amount }
}

/** Least fixed point of input = worth + fees(input), reached from below. */
const smallestInput = (worth: bigint, feesFor: (amountIn: bigint) => bigint): bigint => {
  let amountIn = worth
  for (;;) {
    const next = worth + feesFor(amountIn)
    if (next <= amountIn) return amountIn
    amountIn = next
  }
}

/** The least the recipient may get (wire.md D.4): exact for EXACT_OUTPUT, else the output less the slippage, at least 1. */
export const minimumOutput = (tradeType: TradeType, amountOut: bigint, slippageBps: bigint): bigint => {
  if (tradeType === 'EXACT_OUTPUT') return amountOut
  return larger(applyBps(amountOut, BPS - slippageBps, 'down'), 1n)
}

/** What decides the output of a deposit whose amount is not the quoted one; part of QuoteTerms. */
export interface QuotedRate {
  readonly tradeType: TradeType
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly minimumOut: bigint
  readonly feesIn: bigint
}

export interface RateContext {
  readonly conversion: Conversion
  /** A deposit at most this much below the quoted input keeps the quoted rate; smaller ones bear the full fees. */
  readonly underpaymentToleranceBps: bigint
}

/**
 * Output of a deposit at the quoted rate (wire.md D.6): it scales with the deposit, more or less than quoted. A deposit
 * far below the quoted one bears the whole fees instead of its share, since the fill costs the same; else a large quote
 * with a wide slippage would be a way to have small amounts carried for nothing.
 */
export const outputAtQuotedRate = (paid: bigint, rate: QuotedRate, context: RateContext): bigint => {
  if (rate.tradeType === 'EXACT_OUTPUT') return paid < rate.amountIn ? 0n : rate.amountOut
  const scaled = (paid * rate.amountOut) / rate.amountIn
  if (paid >= sharedFeeFloor(rate, context)) return scaled
  return smaller(outputAfterFees(paid, rate.feesIn, context), scaled)
}

/** What a deposit leaves for the recipient after `fees`, rounded down; 0 when they eat it. */
export const outputAfterFees = (paid: bigint, fees: bigint, context: RateContext): bigint =>
  paid > fees ? context.conversion.toPaid(paid - fees, 'down') : 0n

const sharedFeeFloor = ({ amountIn }: QuotedRate, { underpaymentToleranceBps }: RateContext): bigint =>
  applyBps(amountIn, BPS - underpaymentToleranceBps, 'up')

/**
 * The smallest deposit whose output still reaches `minimumOut`: below it the deposit may not consume the order. The whole
 * input for EXACT_OUTPUT.
 */
export const minimumInput = (rate: QuotedRate, context: RateContext): bigint => {
  if (rate.tradeType === 'EXACT_OUTPUT') return rate.amountIn
  const atRate = divide(rate.minimumOut * rate.amountIn, rate.amountOut, 'up')
  const floor = sharedFeeFloor(rate, context)
  if (atRate >= floor) return atRate
  const worth = context.conversion.toDeposited(rate.minimumOut, 'up')
  return smaller(larger(worth + rate.feesIn, atRate), floor)
}
