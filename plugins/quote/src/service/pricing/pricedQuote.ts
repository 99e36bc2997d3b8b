import type { Money } from '@causeway/core'
import type { SwapOffer, SwapOrder } from '@causeway/core/chain'
import type { FeeLine, FeeSums, Usd } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import type { QuotePlan } from '../route/quotePlan.js'
import type { SolverPair } from '../route/solverPath.js'
import type { PriceBook } from './priceBook.js'

/** What a plan is priced with. */
export interface PricingContext {
  readonly plan: QuotePlan
  readonly book: PriceBook
  readonly settings: QuoteSettings
}

/** A plan with every number decided: what the answer, the order and the stored terms are made from. */
export interface PricedQuote {
  readonly plan: QuotePlan
  readonly book: PriceBook
  /** What is deposited and what the solver pays; the user's own two currencies where the solver is not needed. */
  readonly pair: SolverPair
  /** What the user pays, in the currency the user has. */
  readonly inputAmount: bigint
  /** Expected to arrive in the depository, and the least that may consume the order. */
  readonly depositAmount: bigint
  readonly minimumDeposit: bigint
  /** What the solver pays, expected and at least. */
  readonly payoutAmount: bigint
  readonly minimumPayout: bigint
  /** What the recipient gets, in the currency the recipient wants, expected and at least. */
  readonly outputAmount: bigint
  readonly minimumOutput: bigint
  readonly originSwap: SwapOrder | null
  readonly destinationOffer: SwapOffer | null
  readonly slippageBps: bigint
  /** In the deposited currency. */
  readonly fees: FeeSums
  /** The lines that `fees` sums up, divided between their payers. */
  readonly lines: readonly FeeLine[]
  /** See `PricedDraft.rateGap`. */
  readonly rateGap: bigint
  /** Network fee of the fill, destination's native smallest unit; 0 where the solver fills nothing. */
  readonly payoutFee: bigint
  /** Network fee of the user's own transaction, origin native. */
  readonly depositFee: Money
  readonly flatUsd: Usd
  readonly platformUsd: Usd
  /** The platform fee in the deposited currency. */
  readonly platformAmount: bigint
  readonly userBalance: bigint
  /** Native currency that comes along, smallest unit of the destination, as it was priced. */
  readonly topup: bigint
  /** Unix milliseconds. */
  readonly quotedAt: number
}
