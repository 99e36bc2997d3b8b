import type { CurrencyJson } from '../../http/openapi/sharedSchemas.js'
import { formatAmount } from '../../money/amount.js'
import { divide } from '../../money/rounding.js'
import type { Usd } from '../../money/usd.js'
import { formatUsd, parseUsd, roundUsd } from '../../money/usdMath.js'
import type { RecordPayout } from '../recordFacts.js'
import { quotedAmount, quotedText } from './quotedFacts.js'
import { appFeesUsd, recordAppFees } from './recordAppFees.js'
import { movedOutput, quotedEnds, type RecordParts, type RecordRouteJson } from './recordRoute.js'
import { sponsoredFees } from './recordSponsorship.js'

const COMPONENTS = ['swap', 'execution', 'platform', 'app', 'sponsored'] as const
type Component = (typeof COMPONENTS)[number]
type FeeValues = Readonly<Record<Component, Usd>>

interface QuotedFeeJson {
  readonly usd: string
  readonly amount: string
  readonly amountFormatted: string
}

/** `data.fees` (wire.md 3.1, D.3): costs are negative dollars, amounts absolute, in one shared currency. */
export interface RecordFeesJson {
  readonly quoted: Readonly<Record<Component, QuotedFeeJson>>
  /** Null until money came out at the other end, or back. */
  readonly actual: Readonly<Record<Component, { readonly usd: string }>> | null
  readonly currency: CurrencyJson
}

/** Where the answer of a quote says each part; it calls the platform's `relay` (wire.md K.1 13). */
const QUOTED: Readonly<Record<Component, string>> = {
  swap: 'swap',
  execution: 'execution',
  platform: 'relay',
  app: 'app',
  sponsored: 'sponsored',
}

/** Amounts that the quote knows to the unit. */
const EXACT: Partial<Record<Component, string>> = {
  platform: 'platformFee.totalPlatformFee',
  app: 'fees.app',
  sponsored: 'fees.subsidized',
}

const mapParts = <T>(make: (part: Component) => T): Readonly<Record<Component, T>> =>
  // CAST: every component is made.
  Object.fromEntries(COMPONENTS.map((part) => [part, make(part)])) as Record<Component, T>

const quotedValues = ({ facts }: RecordParts): FeeValues =>
  mapParts((part) => parseUsd(quotedText(facts, `details.expandedPriceImpact.${QUOTED[part]}.usd`)) ?? 0n)

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

const feeCurrency = (parts: RecordParts): CurrencyJson =>
  (quotedAmount(parts.facts, 'fees.relayer') ?? quotedEnds(parts).currencyIn).currency

const quotedFees = (parts: RecordParts, values: FeeValues, currency: CurrencyJson) =>
  mapParts((part): QuotedFeeJson => {
    const exact = EXACT[part] === undefined ? null : quotedAmount(parts.facts, EXACT[part])
    const amount =
      exact !== null && exact.currency.address === currency.address
        ? absolute(BigInt(exact.amount))
        : (parts.money.worth(currency.chainId, currency.address, absolute(values[part])) ?? 0n)
    return {
      usd: formatUsd(values[part]),
      amount: amount.toString(),
      amountFormatted: formatAmount(amount, currency.decimals),
    }
  })

/** A part that is a share of the input, for the input that really came. */
const scaled = (usd: Usd, actual: Usd, quoted: Usd): Usd =>
  quoted === 0n ? usd : roundUsd(divide(usd * actual, quoted, 'down'))

const usdOf = (amount: { readonly amountUsd: string } | null | undefined): Usd => parseUsd(amount?.amountUsd) ?? 0n

/**
 * What a transfer really cost at the quoted prices: the parts that are shares follow the input, the network's part is what
 * was charged for it, and the rest of the difference between in and out is the swap's, so that the four sum to it (D.3). Money
 * that a deposit had too much and that came back is no part of it.
 */
const filledValues = (parts: RecordParts, route: RecordRouteJson, quoted: FeeValues): FeeValues => {
  const paid = usdOf(route.actual.origin.inputCurrency) - returnedUsd(parts)
  const got = usdOf(movedOutput(parts, route.actual))
  const before = usdOf(route.quoted.origin.inputCurrency)
  const platform = scaled(quoted.platform, paid, before)
  const app = -appFeesUsd(recordAppFees(parts))
  const { execution } = quoted
  const sponsored = sponsoredUsd(parts) ?? quoted.sponsored
  return { swap: got - paid - execution - platform - app, execution, platform, app, sponsored }
}

const returnedUsd = ({ execution, money }: RecordParts): Usd =>
  execution.refunded
    .filter(({ purpose }) => purpose === 'excess')
    .reduce((sum, { chainId, currency, amount }) => sum + (money.usd(chainId, currency, amount) ?? 0n), 0n)

/** What the sponsor of a fill paid of the fees; null where nothing was filled. */
const sponsoredUsd = ({ facts: { terms }, money, execution }: RecordParts): Usd | null => {
  const fees = sponsoredFees(execution.filled)
  return fees === null ? null : money.usd(terms.origin.chainId, terms.origin.currency, fees)
}

/**
 * Costs of a refund: `execution` is the amount kept for sending it, `swap` the fee that its currency took of the payment. They sum to the
 * difference between deposit and refund.
 */
const refundedValues = (parts: RecordParts, refunds: readonly RecordPayout[]): FeeValues => {
  const { money, execution, facts } = parts
  const kept = refunds.reduce((sum, { fees }) => sum + fees, 0n)
  const returned = facts.refunded ?? refunds.reduce((sum, { amount }) => sum + amount, 0n)
  const { chainId, currency } = execution.deposit ?? refunds[0] ?? facts.terms.origin
  const deposited = execution.deposit?.amount ?? returned + kept
  const usd = (amount: bigint): Usd => money.usd(chainId, currency, amount) ?? 0n
  const rest = usd(deposited - kept)
  return { swap: usd(returned) - rest, execution: rest - usd(deposited), platform: 0n, app: 0n, sponsored: 0n }
}

const actualValues = (parts: RecordParts, route: RecordRouteJson, quoted: FeeValues): FeeValues | null => {
  const { execution, facts } = parts
  const isDirect = facts.terms.direct !== undefined && facts.status === 'success'
  if (execution.filled !== null || isDirect) return filledValues(parts, route, quoted)
  const refunds = execution.refunded.filter(({ purpose }) => purpose === 'refund')
  return refunds.length === 0 ? null : refundedValues(parts, refunds)
}

/** `data.fees` of a record. */
export const recordFees = (parts: RecordParts, route: RecordRouteJson): RecordFeesJson => {
  const values = quotedValues(parts)
  const currency = feeCurrency(parts)
  const actual = actualValues(parts, route, values)
  return {
    quoted: quotedFees(parts, values, currency),
    actual: actual === null ? null : mapParts((part) => ({ usd: formatUsd(actual[part]) })),
    currency,
  }
}
