import type { NewQuote, QuoteTerms } from '@causeway/core'
import type { QuoteSettings } from '../options.js'
import type { MadeOrder } from './order.js'
import type { PricedQuote } from './pricedQuote.js'

/** Referrer that makes the solver refund instead of filling: a test aid (wire.md 1.2). */
export const FORCE_REFUND_REFERRER = 'debug-force-refund'

export interface TermsContext {
  readonly settings: QuoteSettings
  readonly network: 'mainnet' | 'testnet'
}

/** What the money path keeps of a quote. */
export const termsOf = (quote: PricedQuote, made: MadeOrder, context: TermsContext): QuoteTerms => {
  const { input, route, fees } = quote
  const forceRefundAllowed = context.network === 'testnet' || context.settings.forceRefundReferrer
  return {
    requestId: made.requestId,
    orderId: made.orderId,
    tradeType: input.tradeType,
    user: route.user,
    recipient: route.recipient.address,
    refundTo: route.refundTo,
    origin: { chainId: route.origin.chain.config.id, currency: route.origin.currency.address },
    destination: { chainId: route.destination.chain.config.id, currency: route.destination.currency.address },
    amountIn: quote.amountIn,
    minimumIn: quote.minimumIn,
    amountOut: quote.amountOut,
    minimumOut: quote.minimumOut,
    fillCost: fees.relayerGas,
    feesIn: fees.userPays,
    quotedAt: quote.quotedAt,
    priceUntil: quote.quotedAt + context.settings.priceMs,
    orderDeadline: made.deadline,
    fillBy: input.ttlSeconds === null ? null : Math.floor(quote.quotedAt / 1000) + input.ttlSeconds,
    latePaymentSlippageBps: Number(input.lateSlippageBps ?? quote.slippageBps),
    trueExactOutput: input.trueExactOutput,
    forceRefund: forceRefundAllowed && input.referrer === FORCE_REFUND_REFERRER,
  }
}

/** Inventory to hold for the fill (design 3, step 1). */
export const holdOf = (quote: PricedQuote, settings: QuoteSettings, anonymous: boolean): NewQuote['hold'] => ({
  chainId: quote.route.destination.chain.config.id,
  currency: quote.route.destination.currency.address,
  amount: quote.amountOut,
  seconds: settings.holdSeconds,
  anonymous,
})
