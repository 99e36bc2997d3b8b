import type { FeeLine, PricedDeposit } from '@causeway/core/plugin'

/** Fees as extensions have it, of a deposit and in its currency. */
export interface FeeRules {
  added(deposit: PricedDeposit): readonly FeeLine[]
  /** Of what the user swaps alone. */
  direct(input: PricedDeposit): readonly FeeLine[]
  divided(lines: readonly FeeLine[], deposit: PricedDeposit): readonly FeeLine[]
}
