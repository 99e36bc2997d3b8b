import type { Money } from '@causeway/core'
import type { DirectRequest, SwapOffer, SwapOrder } from '@causeway/core/chain'
import type { FeeSums, Usd } from '@causeway/core/plugin'
import type { IntegratorRule } from '../../rules/integratorRule.js'
import type { RoutePlan } from '../route/planRoute.js'
import type { PriceBook } from './priceBook.js'
import type { QuoteInput } from '../input/quoteInput.js'
import type { ResolvedRoute } from '../route/resolveRoute.js'
import type { SolverPair } from '../route/solverPath.js'

/** A quote with every number decided: what the answer, the order and the stored terms are made from. */
export interface PricedQuote {
  readonly input: QuoteInput
  readonly route: ResolvedRoute
  readonly plan: RoutePlan
  readonly book: PriceBook
  /** What is deposited and what the solver pays; the user's own two currencies where the solver is not needed. */
  readonly pair: SolverPair
  /** What the user pays, in the currency the user has. */
  readonly amountIn: bigint
  /** Expected to arrive in the depository, and the least that may consume the order. */
  readonly depositAmount: bigint
  readonly minimumDeposit: bigint
  /** What the solver pays, expected and at least. */
  readonly payAmount: bigint
  readonly minimumPay: bigint
  /** What the recipient gets, expected and at least. */
  readonly amountOut: bigint
  readonly minimumOut: bigint
  readonly originSwap: SwapOrder | null
  readonly destinationOffer: SwapOffer | null
  readonly slippageBps: bigint
  /** In the deposited currency. */
  readonly fees: FeeSums
  /** Network fee of the fill, destination's native smallest unit; 0 where the solver fills nothing. */
  readonly payoutFee: bigint
  /** Network fee of the user's own transaction, origin native. */
  readonly depositFee: Money
  readonly flatUsd: Usd
  readonly platformUsd: Usd
  /** The platform fee in the deposited currency, and the agreement it follows; null: the operator's own. */
  readonly platformAmount: bigint
  readonly rule: IntegratorRule | null
  readonly userBalance: bigint
  /** Native currency that comes along, smallest unit of the destination. */
  readonly topup: bigint
  /** How the user does it alone; null: through the solver. */
  readonly direct: DirectRequest['kind'] | null
  /** Unix milliseconds. */
  readonly quotedAt: number
}
