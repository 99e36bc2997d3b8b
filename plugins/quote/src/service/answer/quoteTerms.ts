import { applyBps, BPS } from '@causeway/core'
import {
  type AddedTerms,
  type BalanceCurrency,
  conversionBps,
  type FeeLine,
  type QuoteTerms,
  type TermsEarning,
} from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import { linesIn } from '../pricing/fees.js'
import type { PricedQuote } from '../pricing/pricedQuote.js'
import { integratorPart } from './agreedFacts.js'
import type { QuoteResult } from './quoteResult.js'

/** Referrer that makes the solver refund instead of filling: a test aid (wire.md 1.2). */
export const FORCE_REFUND_REFERRER = 'debug-force-refund'

export interface TermsContext {
  readonly settings: QuoteSettings
  /** Null: this deployment keeps no balances. */
  readonly balances: BalanceCurrency | null
  readonly network: 'mainnet' | 'testnet'
}

/** What the money path keeps of a quote. */
export const termsOf = (
  quote: PricedQuote,
  { requestId, orderId, orderDeadline }: QuoteResult,
  context: TermsContext,
  /** Of extensions. */
  { earned = [], ...added }: AddedTerms = {},
): QuoteTerms => {
  const { plan, fees, pair } = quote
  const { input, route } = plan
  const forceRefundAllowed = context.network === 'testnet' || context.settings.forceRefundReferrer
  return {
    requestId,
    // Without an order the id of the request stands in for that of one.
    orderId: orderId ?? requestId,
    tradeType: input.tradeType,
    user: route.user,
    recipient: route.recipient,
    refundTo: plan.draft.refundTo,
    origin: { chainId: route.origin.chain.config.id, currency: pair.deposit.address },
    destination: { chainId: route.destination.chain.config.id, currency: pair.payout.address },
    depositAmount: quote.depositAmount,
    minimumDeposit: quote.minimumDeposit,
    payoutAmount: quote.payoutAmount,
    minimumPayout: quote.minimumPayout,
    fillCost: fees.relayerGas,
    networkFee: quote.payoutFee,
    feesIn: fees.userPays,
    quotedAt: quote.quotedAt,
    priceUntil: quote.quotedAt + context.settings.priceMs,
    orderDeadline,
    fillBy: input.ttlSeconds === null ? null : Math.floor(quote.quotedAt / 1000) + input.ttlSeconds,
    latePaymentSlippageBps: Number(input.lateSlippageBps ?? quote.slippageBps),
    trueExactOutput: input.trueExactOutput,
    forceRefund: forceRefundAllowed && input.referrer === FORCE_REFUND_REFERRER,
    ...optionalTerms(quote),
    ...earningTerms(quote, earned, context.balances),
    ...added,
  }
}

const optionalTerms = (quote: PricedQuote): Partial<QuoteTerms> => {
  const { plan, pair, book, destinationOffer, outputAmount, minimumOutput, topup } = quote
  const { input, route, direct, limits } = plan
  return {
    ...(direct !== null || pair.deposit.groupId === pair.payout.groupId
      ? {}
      : { prices: { origin: book.of(pair.deposit), destination: book.of(pair.payout) } }),
    ...(destinationOffer === null
      ? {}
      : {
          swap: {
            to: route.destination.currency.address,
            amount: outputAmount,
            minimum: minimumOutput,
            limits: limits.destination,
          },
        }),
    ...(input.calls === null ? {} : { calls: input.calls }),
    ...(direct === null ? convertedFeesOf(quote) : {}),
    ...(topup === 0n ? {} : { topup: { currency: route.destination.native.address, amount: topup } }),
    ...(direct === null ? {} : { direct: { kind: direct } }),
    ...integratorTerms(quote),
  }
}

/** Fees of extensions that were converted into the deposited currency, as `linesIn` counted them. */
const convertedFeesOf = ({ plan, pair, book }: PricedQuote): Pick<QuoteTerms, 'convertedFees'> => {
  const { feeLines } = plan.draft
  const counted = linesIn(feeLines, pair.deposit, book)
  const convertedFees = feeLines.flatMap(({ money }, at) => {
    const deposited = counted[at]?.money ?? money
    const { chainId, address } = money.currency
    return deposited === money
      ? []
      : [{ chainId, currency: address, amount: money.amount, deposited: deposited.amount }]
  })
  return convertedFees.length === 0 ? {} : { convertedFees }
}

/** What wallets earn once this is filled: the lines that are owed to them, in the currency of balances, and what extensions add. */
const earningTerms = (
  { plan, lines, pair, book }: PricedQuote,
  earned: readonly TermsEarning[],
  balances: BalanceCurrency | null,
): Pick<QuoteTerms, 'earnings'> => {
  const { balanceCurrency } = plan
  const owed = lines.filter(({ owedTo, money }) => owedTo !== undefined && money.amount > 0n)
  if (balances === null || balanceCurrency === null || owed.length + earned.length === 0) return {}
  const groups = new Map<string, FeeLine[]>()
  for (const line of owed) {
    const key = `${line.bucket}:${line.owedTo}:${line.bps}`
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  const bps = BPS - conversionBps(balances, pair.deposit, balanceCurrency)
  const worth = (amount: bigint): bigint =>
    book.crossed({ currency: pair.deposit, amount: applyBps(amount, bps, 'down') }, balanceCurrency, 'down')
  const sum = (group: readonly FeeLine[]) => group.reduce((total, { money }) => total + money.amount, 0n)
  const list = [...groups.values()].flatMap((group): TermsEarning[] => {
    const [{ bucket, owedTo, bps: share } = {}] = group
    const amount = sum(group)
    if (owedTo === undefined) return []
    return [
      {
        wallet: owedTo,
        kind: bucket === 'app' ? 'app' : 'integrator',
        ...(share === undefined ? {} : { bps: share }),
        amount,
        fromDeposit: sum(group.filter(({ payer }) => payer === 'user')),
        worth: worth(amount),
      },
    ]
  })
  return {
    earnings: { chainId: balanceCurrency.chainId, currency: balanceCurrency.address, list: [...list, ...earned] },
  }
}

/** What the integrator earns once this is filled, where no balance takes it. */
const integratorTerms = (quote: PricedQuote): Pick<QuoteTerms, 'integratorFee'> => {
  const amount = integratorPart(quote)
  const { rule } = quote.plan
  return rule === null || amount === 0n || quote.plan.ruleWallet !== null
    ? {}
    : { integratorFee: { integratorId: rule.integratorId, amount } }
}
