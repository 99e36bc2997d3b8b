import { applyBps, type Currency, formatAmount, type Money, ServiceError } from '@causeway/core'
import {
  type AddedTerms,
  amountForUsd,
  exchanged,
  type PricedDeposit,
  type PricedDraft,
  type TermsSponsorship,
  type Usd,
  usdValue,
} from '@causeway/core/plugin'
import { type ComponentAmounts, type FeeChoice, feeShares, sumOf, totalsOf } from './feeShares.js'
import { type SponsorRequest, shareOf } from './sponsorRequest.js'

/** Who pays, and in what. */
export interface Sponsor {
  /** In lower case. */
  readonly wallet: string
  /** What quotes do not keep of its balance, smallest unit. */
  readonly free: bigint
  readonly balanceCurrency: Currency
}

/** A quote with its price, divided between user and sponsor; amounts in the deposited currency. */
export interface SponsoredQuote {
  readonly totals: ComponentAmounts
  readonly sponsored: ComponentAmounts
  readonly capHit: boolean
  readonly currency: Currency
  readonly price: Usd
  /** Dollars that a fixed rate gives beyond the market, below 0 less; null without one. */
  readonly rateGap: Usd | null
  readonly terms: AddedTerms
}

const refused = (message: string): ServiceError => new ServiceError('INVALID_SUBSIDIZATION', message)

/**
 * The choice for fees in a deposited currency. The cap is so much of the balance currency, and in the deposited one what is worth no more
 * than that, both rounded down: what the sponsor pays, rounded up, is within it.
 */
export const choiceOf = (
  request: SponsorRequest,
  balanceCurrency: Currency,
  { money: { currency }, price, priceOf }: Pick<PricedDeposit, 'money' | 'price' | 'priceOf'>,
): FeeChoice => {
  const { selected, cap, fixedRate } = request
  const shared = { selected, bps: shareOf(request) }
  // A fixed rate is kept or refused as a whole, so nothing of it is cut (`requireWithinCap`).
  if (cap === null || fixedRate !== null) return { ...shared, cap: null }
  const balancePrice = priceOf(balanceCurrency)
  const amount = amountForUsd(cap, balanceCurrency, balancePrice, 'down')
  return { ...shared, cap: exchanged({ currency: balanceCurrency, amount }, balancePrice, { currency, price }, 'down') }
}

/** Divides a priced quote; whether the balance covers it is another question (`covers`). Throws ServiceError `INVALID_SUBSIDIZATION` where the cap does not, or a fixed rate is far from the market. */
export const sponsorQuote = (
  request: SponsorRequest,
  sponsor: Sponsor,
  priced: PricedDraft,
  limits: { readonly maxFixedRateBps: bigint },
): SponsoredQuote => {
  const { currency } = priced.deposit
  const price = priced.priceOf(currency)
  const rateGap = request.fixedRate === null ? null : usdValue({ currency, amount: priced.rateGap }, price)
  const totals = totalsOf(priced.lines)
  // Nobody charges for what the user moves alone.
  if (priced.isDirect) return { totals, sponsored: totals, capHit: false, currency, price, rateGap, terms: {} }
  if (request.fixedRate !== null) requireNearMarket(priced, limits)
  const deposit = { money: priced.deposit, price, priceOf: priced.priceOf }
  const { sponsored, capHit } = feeShares(totals, choiceOf(request, sponsor.balanceCurrency, deposit))
  const sponsorship = sponsorshipOf(sumOf(sponsored), sponsor, priced)
  requireWithinCap(request, sponsorship.amount, sponsor, priced)
  return {
    ...{ totals, sponsored, capHit, currency, price, rateGap },
    terms: { ...(sponsorship.amount === 0n ? {} : { sponsorship }), ...gainOf(sponsor, priced) },
  }
}

/** What money of the deposited currency is worth in that of balances. */
const inBalances = (amount: bigint, { balanceCurrency }: Sponsor, priced: PricedDraft, rounding: 'up' | 'down') => {
  const { currency } = priced.deposit
  const money: Money = { currency, amount }
  const into = { currency: balanceCurrency, price: priced.priceOf(balanceCurrency) }
  return exchanged(money, priced.priceOf(currency), into, rounding)
}

/** What the sponsor pays is rounded up, so that nobody else bears the rest of a unit. */
const sponsorshipOf = (fees: bigint, sponsor: Sponsor, priced: PricedDraft): TermsSponsorship => {
  const { wallet, balanceCurrency } = sponsor
  const rateCost = priced.rateGap > 0n ? inBalances(priced.rateGap, sponsor, priced, 'up') : 0n
  return {
    wallet,
    chainId: balanceCurrency.chainId,
    currency: balanceCurrency.address,
    amount: inBalances(fees, sponsor, priced, 'up') + rateCost,
    fees,
    rateCost,
  }
}

/** A rate that gives the user less than the market gives the rest to its sponsor, once the fill is settled. */
const gainOf = (sponsor: Sponsor, priced: PricedDraft): Pick<AddedTerms, 'earned'> => {
  if (priced.rateGap >= 0n) return {}
  const amount = -priced.rateGap
  const worth = inBalances(amount, sponsor, priced, 'down')
  return { earned: [{ wallet: sponsor.wallet, kind: 'rate', amount, fromDeposit: amount, worth }] }
}

/** A rate far from the market is a mistake, or somebody else's wish: the body is written where users are. */
const requireNearMarket = (
  { rateGap, deposit }: PricedDraft,
  { maxFixedRateBps }: { readonly maxFixedRateBps: bigint },
): void => {
  const gap = rateGap < 0n ? -rateGap : rateGap
  if (gap <= applyBps(deposit.amount, maxFixedRateBps, 'up')) return
  throw refused(`body.fixedRate is more than ${maxFixedRateBps} basis points away from the market`)
}

const requireWithinCap = (
  { cap, fixedRate }: SponsorRequest,
  amount: bigint,
  sponsor: Sponsor,
  priced: PricedDraft,
): void => {
  if (cap === null || fixedRate === null) return
  const { balanceCurrency } = sponsor
  const most = amountForUsd(cap, balanceCurrency, priced.priceOf(balanceCurrency), 'down')
  if (amount <= most) return
  throw refused(
    `The fixed rate costs its sponsor ${shown(amount, balanceCurrency)}, more than body.maxSubsidizationAmount allows`,
  )
}

const amountOf = ({ terms }: SponsoredQuote): bigint => terms.sponsorship?.amount ?? 0n

/** Whether what quotes do not keep of the balance is enough for a quote. */
export const covers = ({ free }: Sponsor, quote: SponsoredQuote): boolean =>
  amountOf(quote) === 0n || amountOf(quote) <= free

/** Throws ServiceError `INVALID_SUBSIDIZATION` where it is not. */
export const requireBalance = (sponsor: Sponsor, quote: SponsoredQuote): void => {
  if (covers(sponsor, quote)) return
  const { free, balanceCurrency } = sponsor
  throw refused(
    `The linked wallet has ${shown(free < 0n ? 0n : free, balanceCurrency)} that no quote keeps, and this needs ${shown(amountOf(quote), balanceCurrency)}`,
  )
}

const shown = (amount: bigint, { decimals, symbol }: Currency): string => `${formatAmount(amount, decimals)} ${symbol}`
