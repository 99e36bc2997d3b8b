import type { RouteSide } from '@causeway/core/plugin'
import type { PairClass } from '../options.js'

/** Class of pairs a rule is for; `any` is all of them. */
export const RULE_BUCKETS = ['bridge', 'stable', 'major', 'minor', 'any'] as const
export type RuleBucket = (typeof RULE_BUCKETS)[number]

/** Highest value of each of a rule's three rates, basis points. */
export const MAX_RULE_BPS = 1_000

/** Which quotes of an integrator a rule is for. What is absent is not asked for. */
export interface RuleScope {
  readonly bucket: RuleBucket
  readonly originChainId?: number
  readonly destinationChainId?: number
  /** Canonical; only together with the chain of its side. */
  readonly originCurrency?: string
  readonly destinationCurrency?: string
}

/** What an integrator's users pay instead of the platform fee of the pair's class. */
export interface RuleTerms {
  /** The solver's part of the platform fee. */
  readonly relayFeeBps: number
  /** The integrator's part of the platform fee, for `integratorFeeRecipient`. */
  readonly integratorFeeBps: number
  /** EVM address; there whenever the integrator has a part. */
  readonly integratorFeeRecipient: string | null
  /**
   * The output is the input at the oracle's price less exactly these basis points and the network cost; both fees are parts of
   * them. Null: priced as usual.
   */
  readonly oracleBps: number | null
}

/** One agreement with an integrator (wire.md 3.1 `platformFee`, D.8). A rule of an id never changes. */
export interface IntegratorRule extends RuleScope, RuleTerms {
  readonly ruleId: number
  readonly integratorId: string
}

/** A quote's pair, as far as rules look at it. */
export interface RulePair {
  readonly bucket: PairClass
  readonly origin: RouteSide
  readonly destination: RouteSide
}
