import { type Currency, divide, type Money, powerOfTen } from '@causeway/core'
import type { Price } from '@causeway/core/chain'
import { type AmountJson, amountObject, roundUsd, type Usd, usdValue } from '@causeway/core/plugin'
import type { PairClass } from '../options.js'
import type { IntegratorRule } from './integratorRule.js'

/** `platformFee` of a record (wire.md 3.1); for the owner alone. */
export interface PlatformFeeFacts {
  readonly bucket: PairClass
  readonly ruleId: number
  readonly relayFeeBps: number
  readonly integratorFeeBps: number
  readonly totalFeeBps: number
  readonly relayFee: AmountJson
  readonly integratorFee: AmountJson
  readonly totalPlatformFee: AmountJson
  readonly integratorFeeRecipient: string | null
}

/** The fees taken under a rule, in smallest units of one currency. */
export interface PlatformFeeAmounts {
  /** Class of the pair, also where the rule is for any. */
  readonly bucket: PairClass
  readonly currency: Currency
  /** Of one whole unit of the currency. */
  readonly price: Usd
  readonly relayFee: bigint
  readonly integratorFee: bigint
}

/** What a record tells of the platform fee; the parts sum to the total, in dollars too. */
export const platformFeeFacts = (
  { ruleId, relayFeeBps, integratorFeeBps, integratorFeeRecipient }: IntegratorRule,
  { bucket, currency, price, relayFee, integratorFee }: PlatformFeeAmounts,
): PlatformFeeFacts => {
  const [relay, integrator]: readonly [Money, Money] = [
    { currency, amount: relayFee },
    { currency, amount: integratorFee },
  ]
  const usd = roundUsd(usdValue(relay, price)) + roundUsd(usdValue(integrator, price))
  return {
    bucket,
    ruleId,
    relayFeeBps,
    integratorFeeBps,
    totalFeeBps: relayFeeBps + integratorFeeBps,
    relayFee: amountObject(relay, price),
    integratorFee: amountObject(integrator, price),
    totalPlatformFee: amountObject({ currency, amount: relayFee + integratorFee }, price, { usd }),
    integratorFeeRecipient,
  }
}

/** Both sides of a quote with the prices an oracle gave them. */
export interface OraclePair {
  readonly input: { readonly money: Money; readonly price: Price }
  readonly output: { readonly currency: Currency; readonly price: Price }
}

/** `quoteOraclePrice` of a record (wire.md 3.1). */
export interface OraclePriceFacts {
  /** Whole units of the output for one of the input at the oracle's prices, up to 18 decimals. */
  readonly rate: string
  /** ISO 8601; the older of the two observations. */
  readonly observedAt: string
  readonly inputCurrency: AmountJson
  readonly outputCurrency: AmountJson
}

/** What a record tells of the prices a fixed-bps quote was made at; `payoutAmount` is what the quote pays. */
export const oraclePriceFacts = ({ input, output }: OraclePair, payoutAmount: bigint): OraclePriceFacts => ({
  rate: decimalRate(input.price.usd, output.price.usd),
  observedAt: new Date(Math.min(input.price.observedAt, output.price.observedAt)).toISOString(),
  inputCurrency: amountObject(input.money, input.price.usd),
  outputCurrency: amountObject({ currency: output.currency, amount: payoutAmount }, output.price.usd),
})

const RATE_DECIMALS = 18

const decimalRate = (input: Usd, output: Usd): string => {
  const digits = divide(input * powerOfTen(RATE_DECIMALS), output, 'down')
    .toString()
    .padStart(RATE_DECIMALS + 1, '0')
  const fraction = digits.slice(-RATE_DECIMALS).replace(/0+$/, '')
  return `${digits.slice(0, -RATE_DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`
}
