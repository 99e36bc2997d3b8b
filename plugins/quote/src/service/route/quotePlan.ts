import type { Currency } from '@causeway/core'
import type { QuoteDraft } from '@causeway/core/plugin'
import type { IntegratorRule } from '../../rules/integratorRule.js'
import type { FeeRules } from '../feeRules.js'
import type { QuoteInput } from '../input/quoteInput.js'
import type { RouteLimits } from '../input/swapLimits.js'
import type { RoutePlan } from './planRoute.js'
import type { ResolvedRoute } from './resolveRoute.js'

/** What is to be priced: a call that was read, resolved and checked. Nothing has a price yet. */
export interface QuotePlan extends RoutePlan {
  readonly input: QuoteInput
  readonly route: ResolvedRoute
  readonly limits: RouteLimits
  /** What was agreed with the integrator who asks; null: nothing, or the solver is not needed. */
  readonly rule: IntegratorRule | null
  /** Whose balance the integrator's part of the platform fee goes to; null: nobody's, or it has none. */
  readonly ruleWallet: string | null
  /** The currency of balances, where this quote has to do with them. */
  readonly balanceCurrency: Currency | null
  /** What extensions add to the fees, and who pays them. */
  readonly feeRules: FeeRules
  /** As extensions see the quote; fee lines, topup and rebalancing are theirs. */
  readonly draft: QuoteDraft
  /** For the caller: body fields that were ignored. */
  readonly warnings: readonly string[]
}
