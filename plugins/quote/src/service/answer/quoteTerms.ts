import type { NewQuote, QuoteTerms } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import { integratorPart } from './agreedFacts.js'
import type { MadeOrder } from './order.js'
import type { PricedQuote } from '../pricing/pricedQuote.js'
import type { RouteLimits } from '../input/swapLimits.js'

/** Referrer that makes the solver refund instead of filling: a test aid (wire.md 1.2). */
export const FORCE_REFUND_REFERRER = 'debug-force-refund'

export interface TermsContext {
  readonly settings: QuoteSettings
  readonly network: 'mainnet' | 'testnet'
  readonly limits: RouteLimits
}

/** What the money path keeps of a quote. */
export const termsOf = (
  quote: PricedQuote,
  made: Pick<MadeOrder, 'requestId' | 'orderId' | 'deadline'>,
  context: TermsContext,
): QuoteTerms => {
  const { input, route, fees, pair } = quote
  const forceRefundAllowed = context.network === 'testnet' || context.settings.forceRefundReferrer
  return {
    requestId: made.requestId,
    orderId: made.orderId,
    tradeType: input.tradeType,
    user: route.user,
    recipient: route.recipient,
    refundTo: route.refundTo,
    origin: { chainId: route.origin.chain.config.id, currency: pair.deposit.address },
    destination: { chainId: route.destination.chain.config.id, currency: pair.pay.address },
    amountIn: quote.depositAmount,
    minimumIn: quote.minimumDeposit,
    amountOut: quote.payAmount,
    minimumOut: quote.minimumPay,
    fillCost: fees.relayerGas,
    networkFee: quote.payoutFee,
    feesIn: fees.userPays,
    quotedAt: quote.quotedAt,
    priceUntil: quote.quotedAt + context.settings.priceMs,
    orderDeadline: made.deadline,
    fillBy: input.ttlSeconds === null ? null : Math.floor(quote.quotedAt / 1000) + input.ttlSeconds,
    latePaymentSlippageBps: Number(input.lateSlippageBps ?? quote.slippageBps),
    trueExactOutput: input.trueExactOutput,
    forceRefund: forceRefundAllowed && input.referrer === FORCE_REFUND_REFERRER,
    ...optionalTerms(quote, context),
  }
}

const optionalTerms = (quote: PricedQuote, { limits }: TermsContext): Partial<QuoteTerms> => {
  const { pair, book, route, destinationOffer, amountOut, minimumOut, input, topup, direct } = quote
  return {
    ...(direct !== null || pair.deposit.groupId === pair.pay.groupId
      ? {}
      : { prices: { origin: book.of(pair.deposit), destination: book.of(pair.pay) } }),
    ...(destinationOffer === null
      ? {}
      : {
          swap: {
            to: route.destination.currency.address,
            amount: amountOut,
            minimum: minimumOut,
            limits: limits.destination,
          },
        }),
    ...(input.calls === null ? {} : { calls: input.calls }),
    ...(topup === 0n ? {} : { topup: { currency: route.destination.native.address, amount: topup } }),
    ...(direct === null ? {} : { direct: { kind: direct } }),
    ...integratorTerms(quote),
  }
}

/** What the integrator earns once this is filled. */
const integratorTerms = (quote: PricedQuote): Pick<QuoteTerms, 'integratorFee'> => {
  const amount = quote.direct === null ? integratorPart(quote) : 0n
  if (quote.rule === null || amount === 0n) return {}
  return { integratorFee: { integratorId: quote.rule.integratorId, amount } }
}

/** Inventory to hold for the fill (architecture.md 3, step 1); null where the solver pays nothing. */
export const holdOf = (quote: PricedQuote, settings: QuoteSettings): NewQuote['hold'] => {
  if (quote.direct !== null) return null
  const { topup, payAmount, pair } = quote
  const { chain, native } = quote.route.destination
  const currency = pair.pay.address
  const shared = { chainId: chain.config.id, currency, seconds: settings.holdSeconds }
  if (topup === 0n) return { ...shared, amount: payAmount }
  return currency === native.address
    ? { ...shared, amount: payAmount + topup }
    : { ...shared, amount: payAmount, topup: { currency: native.address, amount: topup } }
}
