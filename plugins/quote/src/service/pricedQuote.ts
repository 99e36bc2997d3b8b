import type { FeeSums, Money, Usd } from '@causeway/core'
import type { RoutePrices } from './marketReader.js'
import type { RoutePlan } from './planRoute.js'
import type { QuoteInput } from './quoteInput.js'
import type { ResolvedRoute } from './resolveRoute.js'

/** A quote with every number decided: what the answer, the order and the stored terms are made from. */
export interface PricedQuote {
  readonly input: QuoteInput
  readonly route: ResolvedRoute
  readonly plan: RoutePlan
  readonly prices: RoutePrices
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly minimumOut: bigint
  readonly minimumIn: bigint
  readonly slippageBps: bigint
  readonly fees: FeeSums
  /** Network fee of the user's own transaction, origin native. */
  readonly depositFee: Money
  readonly flatUsd: Usd
  readonly platformUsd: Usd
  readonly userBalance: bigint
  /** Unix milliseconds. */
  readonly quotedAt: number
}
