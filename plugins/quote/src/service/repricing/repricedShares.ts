import { divide, larger, smaller } from '@causeway/core'
import type { QuoteTerms, RepriceDecision, TermsEarning } from '@causeway/core/plugin'
import { feesBeyond } from '../pricing/amounts.js'

type Fill = Extract<RepriceDecision, { action: 'fill' }>

/**
 * A fill whose shares are asked for, all in the deposited currency: what was deposited, what of it no payment takes, and the network cost
 * of now. `net` is the same as `fees` but for what a payment takes beyond the deposit, less what the sponsor of a rate adds for it.
 */
export interface FilledDeposit {
  readonly paid: bigint
  readonly fees: bigint
  readonly net: bigint
  readonly cost: bigint
}

/** Who gets what of the fees of a fill, and what a sponsor pays for it. */
export const sharesOf = (
  terms: QuoteTerms,
  filled: FilledDeposit,
): Pick<Fill, 'integratorFee' | 'earnings' | 'sponsorship'> => {
  const sponsored = sponsorshipOf(terms, filled.paid)
  const gained = rateGainOf(terms, filled)
  const fees = filled.fees - gained
  const left = filled.net - gained + (sponsored.sponsorship?.fees ?? 0n) - filled.cost
  const share = integratorFeeOf(terms, filled.paid, left)
  return { ...share, ...earningsOf(terms, filled.paid, { fees, left, gained }), ...sponsored }
}

/**
 * What a deposit must bear beside the network cost of now: the quoted share of the other fees, less what its sponsor gives for the quoted
 * network cost, below 0 where that is more.
 */
export const keptOf = (terms: QuoteTerms, paid: bigint): bigint => {
  const { feesIn, fillCost, depositAmount, sponsorship } = terms
  const share = (amount: bigint) => divide((feesIn - fillCost) * amount, depositAmount, 'up')
  return sponsorship === undefined ? share(paid) : share(smaller(paid, depositAmount)) + feesBeyond(terms, paid)
}

/** What of a deposit bears fees of shares: what an exact output leaves over bears none. */
const baseOf = ({ tradeType, depositAmount }: QuoteTerms, paid: bigint): bigint =>
  tradeType === 'EXACT_OUTPUT' ? smaller(paid, depositAmount) : paid

/** The integrator's part of the fees: the quoted share of the deposit, as far as the fees cover it beside the network cost. */
const integratorFeeOf = (terms: QuoteTerms, paid: bigint, left: bigint): Pick<Fill, 'integratorFee'> => {
  const { integratorFee, depositAmount } = terms
  if (integratorFee === undefined) return {}
  const amount = smaller((integratorFee.amount * baseOf(terms, paid)) / depositAmount, left)
  return amount > 0n ? { integratorFee: { ...integratorFee, amount } } : {}
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

/** What the sponsor of a fixed rate gains by a deposit: no more than it leaves beyond the fees that are the user's (wire.md D.8). */
const rateGainOf = (terms: QuoteTerms, { paid, fees, cost }: FilledDeposit): bigint => {
  const { earnings, depositAmount } = terms
  const promised = amountOf(earnings?.list.filter(isGain) ?? [])
  if (promised === 0n) return 0n
  const base = baseOf(terms, paid)
  const due = larger(cost + keptOf(terms, base), 0n)
  return smaller((promised * base) / depositAmount, larger(fees - due, 0n))
}

/**
 * What wallets earn by a deposit: the quoted shares of it, as far as the fees cover them beside the network cost (`left`) and the
 * deposit pays them (`fees`); what a fixed rate gains its sponsor is not of the fees (`gained`).
 */
const earningsOf = (
  terms: QuoteTerms,
  paid: bigint,
  { fees, left, gained }: { readonly fees: bigint; readonly left: bigint; readonly gained: bigint },
): Pick<Fill, 'earnings'> => {
  const { earnings, depositAmount } = terms
  if (earnings === undefined) return {}
  const shares = earnings.list
    .filter((earning) => !isGain(earning))
    .map((earning) => scaled(earning, baseOf(terms, paid), depositAmount))
  const owed = amountOf(shares)
  const covered = shares.map((earning) => scaled(earning, smaller(larger(left, 0n), owed), owed))
  const deposited = covered.reduce((sum, { fromDeposit }) => sum + fromDeposit, 0n)
  const borne = covered.map((earning) => withDeposited(earning, smaller(fees, deposited), deposited))
  const gains = earnings.list.filter(isGain)
  const promised = amountOf(gains)
  const list = [...borne, ...gains.map((gain) => scaled(gain, gained, promised))].filter(({ worth }) => worth > 0n)
  return list.length === 0 ? {} : { earnings: { ...earnings, list } }
}

const isGain = ({ kind }: TermsEarning): boolean => kind === 'rate'

const amountOf = (list: readonly TermsEarning[]): bigint => list.reduce((sum, { amount }) => sum + amount, 0n)

/** Part of an earning, rounded down; a whole of 0 leaves it as it is. */
const scaled = (earning: TermsEarning, part: bigint, whole: bigint): TermsEarning => {
  if (whole === 0n) return earning
  const share = (amount: bigint) => (amount * part) / whole
  const { amount, fromDeposit, worth } = earning
  return { ...earning, amount: share(amount), fromDeposit: share(fromDeposit), worth: share(worth) }
}

/** An earning of which the deposit pays only a part of what it was to pay; the sponsor's part of it stays. */
const withDeposited = (earning: TermsEarning, part: bigint, whole: bigint): TermsEarning => {
  const { amount, fromDeposit, worth } = earning
  if (part === whole || amount === 0n) return earning
  const paid = (fromDeposit * part) / whole
  const rest = amount - fromDeposit + paid
  return { ...earning, amount: rest, fromDeposit: paid, worth: (worth * rest) / amount }
}
