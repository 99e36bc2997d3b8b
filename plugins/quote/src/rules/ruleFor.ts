import type { RouteSide } from '@causeway/core/plugin'
import type { IntegratorRule, RulePair } from './integratorRule.js'

/**
 * The rule of a pair: of those that cover it the narrowest, null where none does. A rule that names more currencies is narrower,
 * then one that names more chains, then one that names a class; of equally narrow ones that which names the origin, and at last
 * the oldest, so that the order of `rules` never matters.
 */
export const ruleFor = (rules: readonly IntegratorRule[], pair: RulePair): IntegratorRule | null => {
  let best: IntegratorRule | null = null
  for (const rule of rules) {
    if (covers(rule, pair) && (best === null || isNarrower(rule, best))) best = rule
  }
  return best
}

const covers = (rule: IntegratorRule, { bucket, origin, destination }: RulePair): boolean =>
  (rule.bucket === 'any' || rule.bucket === bucket) &&
  matches(rule.originChainId, rule.originCurrency, origin) &&
  matches(rule.destinationChainId, rule.destinationCurrency, destination)

const matches = (chainId: number | undefined, currency: string | undefined, side: RouteSide): boolean =>
  (chainId === undefined || chainId === side.chainId) && (currency === undefined || currency === side.currency)

const isNarrower = (rule: IntegratorRule, other: IntegratorRule): boolean => {
  const [ranks, others] = [ranksOf(rule), ranksOf(other)]
  for (const [at, rank] of ranks.entries()) {
    const difference = rank - (others[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

const ranksOf = (rule: IntegratorRule): readonly number[] => {
  const named = (value: unknown): number => (value === undefined ? 0 : 1)
  const [originCurrency, originChain] = [named(rule.originCurrency), named(rule.originChainId)]
  return [
    originCurrency + named(rule.destinationCurrency),
    originChain + named(rule.destinationChainId),
    rule.bucket === 'any' ? 0 : 1,
    originCurrency,
    originChain,
    -rule.ruleId,
  ]
}
