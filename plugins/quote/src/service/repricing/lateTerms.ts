import { divide, larger, smaller } from '@causeway/core'
import type { QuoteTerms, TermsConvertedFee, TermsEarning, TermsSponsorship } from '@causeway/core/plugin'

/** Converts between the deposited currency and others at the prices of the decision. */
export interface LateRates {
  /** The deposited currency into that of balances, smallest unit. */
  toBalance(deposited: bigint, rounding: 'up' | 'down'): bigint
  /** Credit of a wallet for fees of the deposit, less the cost of converting another asset. */
  credited(deposited: bigint): bigint
  /** The currency of balances into the deposited one. */
  toDeposit(balance: bigint): bigint
  /** A fee that was quoted in another currency, in the deposited one, rounded up. */
  charged(fee: TermsConvertedFee): bigint
}

/** Terms whose amounts in other currencies are those of now, and what changed by it for the quoted deposit. */
export interface LateTerms {
  readonly terms: QuoteTerms
  /** Amount that the sponsor still adds for its rate, in the deposited currency. */
  readonly addedByRate: bigint
  /** Amount that the quote relied on and no longer gets, in the deposited currency. */
  readonly short: bigint
}

/**
 * Converts the amounts that a quote fixed in another currency at the prices of the decision (faults.md F140). Wallets earn and sponsors pay
 * at most what was quoted. A sponsor's part that no longer buys as much of the fees leaves the rest to the user; so does network cost of
 * the origin that is worth more of the deposit. `added`: what the sponsor was to add for its rate, in the deposited currency.
 */
export const lateTerms = (terms: QuoteTerms, added: bigint, rates: LateRates): LateTerms => {
  const { earnings, sponsorship, convertedFees = [], feesIn } = terms
  const list = earnings?.list.map((earning) => lateEarning(earning, rates)) ?? []
  const late = sponsorship === undefined ? undefined : lateSponsorship(sponsorship, added, rates)
  const spared = sponsoredOf(earnings?.list ?? []) - sponsoredOf(list)
  const unpaid = (sponsorship?.fees ?? 0n) - (late?.fees ?? 0n)
  const dearer = convertedFees.reduce((sum, fee) => sum + rates.charged(fee) - fee.deposited, 0n)
  const addedByRate = late === undefined ? 0n : smaller(added, rates.toDeposit(late.rateCost))
  return {
    terms: {
      ...terms,
      feesIn: feesIn + larger(unpaid - spared, 0n) + dearer,
      ...(earnings === undefined ? {} : { earnings: { ...earnings, list } }),
      ...(late === undefined ? {} : { sponsorship: late }),
    },
    addedByRate,
    short: unpaid + dearer + added - addedByRate,
  }
}

/** Worth less than was quoted: credited as that. Worth more: a smaller part of the deposit is enough. */
const lateEarning = (earning: TermsEarning, { toBalance, credited }: LateRates): TermsEarning => {
  const { kind, amount, fromDeposit, worth } = earning
  // The gain of a fixed rate is between dollars: its conversion costs nothing.
  const now = kind === 'rate' ? toBalance(amount, 'down') : credited(amount)
  if (now <= worth) return { ...earning, worth: now }
  // Rounded up: a far larger deposit multiplies the difference.
  const part = (whole: bigint) => divide(whole * worth, now, 'up')
  return { ...earning, amount: part(amount), fromDeposit: part(fromDeposit) }
}

const lateSponsorship = (sponsorship: TermsSponsorship, added: bigint, rates: LateRates): TermsSponsorship => {
  const forFees = sponsorship.amount - sponsorship.rateCost
  const fees = smaller(sponsorship.fees, rates.toDeposit(forFees))
  const rateCost = smaller(sponsorship.rateCost, rates.toBalance(added, 'up'))
  return { ...sponsorship, fees, rateCost, amount: smaller(forFees, rates.toBalance(fees, 'up')) + rateCost }
}

const sponsoredOf = (list: readonly TermsEarning[]): bigint =>
  list.reduce((sum, { amount, fromDeposit }) => sum + amount - fromDeposit, 0n)
