import type { Json } from '../../chain/json.js'
import type { CurrencyJson } from '../../http/openapi/sharedSchemas.js'
import { formatAmount } from '../../money/amount.js'
import { smaller } from '../../money/compare.js'
import type { Usd } from '../../money/usd.js'
import { formatUsd, parseUsd } from '../../money/usdMath.js'
import type { PayoutData } from '../../payout/payoutRecord.js'
import { quotedAmount, quotedAt } from './quotedFacts.js'
import { quotedEnds, type RecordParts } from './recordRoute.js'

interface AppFeeJson {
  readonly recipient: string
  readonly bps: string
  readonly amount: string
  readonly amountFormatted: string
}

/** `data.appFees` (wire.md 3.1, D.7): quoted without actual was not collected. */
export interface RecordAppFeesJson {
  readonly quoted: readonly AppFeeJson[]
  readonly actual: readonly (AppFeeJson & { readonly amountUsd: string })[]
  readonly currency: CurrencyJson
}

interface StoredAppFee {
  readonly recipient: string
  readonly bps: string
  readonly amount: string
}

const isAppFee = (value: Json): boolean =>
  typeof value === 'object' && value !== null && 'recipient' in value && 'amount' in value && 'bps' in value

const storedFees = ({ facts }: Pick<RecordParts, 'facts'>): readonly StoredAppFee[] => {
  const stored = quotedAt(facts, 'appFees')
  // CAST: checked field by field by `isAppFee`; quotes store them as texts.
  return (Array.isArray(stored) ? stored.filter(isAppFee) : []) as unknown as readonly StoredAppFee[]
}

const keyOf = (recipient: string, bps: string): string => `${recipient.toLowerCase()}:${bps}`

/** What the fill earned, by recipient and basis points; empty where nothing was paid. */
const earnedBy = ({ execution }: RecordParts): ReadonlyMap<string, bigint> => {
  // CAST: stored with the payout as `PayoutData`.
  const data = (execution.filled?.data ?? {}) as unknown as PayoutData
  const fees = (data.earnings?.list ?? []).filter(({ kind }) => kind === 'app')
  return new Map(fees.map(({ holder, bps = '0', amount }) => [keyOf(holder, bps), BigInt(amount)]))
}

/** The parts of an amount, in proportion to weights; the last one has what rounding leaves. */
const divided = (amount: bigint, weights: readonly bigint[]): readonly bigint[] => {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  let left = amount
  return weights.map((weight, at) => {
    const part = at === weights.length - 1 || whole === 0n ? left : (amount * weight) / whole
    left -= part
    return part
  })
}

/** The same of a user's own swap: what was deposited for each recipient, which is for all fees of it. */
const collectedFees = ({ facts }: RecordParts, fees: readonly StoredAppFee[]): readonly (bigint | null)[] => {
  const shares = new Map<StoredAppFee, bigint>()
  for (const recipient of new Set(fees.map((fee) => fee.recipient.toLowerCase()))) {
    const own = facts.collected.filter(
      ({ wallet, currency }) => wallet === recipient && currency === facts.terms.origin.currency,
    )
    const group = fees.filter((fee) => fee.recipient.toLowerCase() === recipient)
    const weights = group.map((fee) => BigInt(fee.amount))
    const quoted = weights.reduce((sum, weight) => sum + weight, 0n)
    const came = own.reduce((sum, { amount }) => sum + amount, 0n)
    if (own.length === 0) continue
    // One transaction may carry out several requests: no more of it is this one's than was quoted.
    const parts = divided(smaller(came, quoted), weights)
    group.forEach((fee, at) => {
      shares.set(fee, parts[at] ?? 0n)
    })
  }
  return fees.map((fee) => shares.get(fee) ?? null)
}

/** What each fee as it was quoted earned; equal ones of one recipient, which earn together, share it. Null: nothing. */
const earnings = (parts: RecordParts, fees: readonly StoredAppFee[]): readonly (bigint | null)[] => {
  const earned = earnedBy(parts)
  const shares = new Map<StoredAppFee, bigint>()
  for (const [key, amount] of earned) {
    const group = fees.filter(({ recipient, bps }) => keyOf(recipient, String(bps)) === key)
    const divisions = divided(
      amount,
      group.map((fee) => BigInt(fee.amount)),
    )
    group.forEach((fee, at) => {
      shares.set(fee, divisions[at] ?? 0n)
    })
  }
  return fees.map((fee) => shares.get(fee) ?? null)
}

/** `data.appFees` of a record: what the quote promised (recipient, bps and amount of each), and what was really earned. */
export const recordAppFees = (parts: RecordParts): RecordAppFeesJson => {
  const { facts, money } = parts
  const fees = storedFees(parts)
  const currency = (quotedAmount(facts, 'fees.app') ?? quotedEnds(parts).currencyIn).currency
  const shown = ({ recipient, bps }: StoredAppFee, amount: bigint): AppFeeJson => ({
    recipient,
    bps: String(bps),
    amount: amount.toString(),
    amountFormatted: formatAmount(amount, currency.decimals),
  })
  const earned = facts.terms.direct === undefined ? earnings(parts, fees) : collectedFees(parts, fees)
  return {
    quoted: fees.map((fee) => shown(fee, BigInt(fee.amount))),
    actual: fees.flatMap((fee, at) => {
      const amount = earned[at] ?? null
      if (amount === null) return []
      const usd = money.usd(currency.chainId, currency.address, amount) ?? 0n
      return [{ ...shown(fee, amount), amountUsd: formatUsd(usd) }]
    }),
    currency,
  }
}

/** Dollars of all that was earned. */
export const appFeesUsd = ({ actual }: RecordAppFeesJson): Usd =>
  actual.reduce((sum, { amountUsd }) => sum + (parseUsd(amountUsd) ?? 0n), 0n)
