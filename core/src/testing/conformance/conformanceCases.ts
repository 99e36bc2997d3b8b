import { harnessWith } from './alteredAdapter.js'
import type { ConformanceHarness } from './conformanceHarness.js'
import { keepLocators } from './keptLocators.js'
import type { Rule } from './rule.js'
import { RULE_IDS, type RuleId } from './ruleIds.js'
import { addressRules } from './rules/addressRules.js'
import { agreementRules } from './rules/agreementRules.js'
import { arrivalRules } from './rules/arrivalRules.js'
import { deathProofRules } from './rules/death/deathProofRules.js'
import { deathRules } from './rules/death/deathRules.js'
import { forgottenRules } from './rules/death/forgottenRules.js'
import { depositAddressRules } from './rules/depositAddressRules.js'
import { depositRules, falseDepositRules } from './rules/depositRules.js'
import { endpointRules } from './rules/endpoint/endpointRules.js'
import { oddEndpointRules } from './rules/endpoint/oddEndpointRules.js'
import { journalRules } from './rules/journalRules.js'
import { partyRules } from './rules/partyRules.js'
import { payoutRules } from './rules/payoutRules.js'
import { permitRules } from './rules/permitRules.js'
import { readingRules } from './rules/readingRules.js'
import { refusalRules } from './rules/refusalRules.js'
import { sharedRules } from './rules/sharedRules.js'
import { sweepRules } from './rules/sweepRules.js'
import { waitRules } from './rules/waitRules.js'
import { walletRules } from './rules/walletRules.js'

/** One rule against one adapter: `run` throws an Error that says what the adapter did wrong. */
export interface ConformanceCase {
  readonly id: RuleId
  /** The id and what the rule says; a deviation or exemption is part of it, so that every runner shows it. */
  readonly name: string
  /** Reason the harness declares for not keeping the rule; it is not run then. */
  readonly deviation: string | null
  /** Reason the rule has no meaning for what the adapter declares to be; it is not run then. */
  readonly exemption: string | null
  run(): Promise<void>
}

const RULES: readonly Rule[] = [
  ...addressRules,
  ...depositRules,
  ...falseDepositRules,
  ...partyRules,
  ...payoutRules,
  ...sharedRules,
  ...readingRules,
  ...arrivalRules,
  ...deathRules,
  ...deathProofRules,
  ...refusalRules,
  ...journalRules,
  ...depositAddressRules,
  ...sweepRules,
  ...waitRules,
  ...agreementRules,
  ...forgottenRules,
  ...walletRules,
  ...permitRules,
  ...endpointRules,
  ...oddEndpointRules,
]

/**
 * Every rule an adapter must keep, as cases for any test runner: `for (const { name, run } of conformanceCases(harness)) it(name, run)`.
 * Run them one after the other, in this order: they share the chain.
 */
export const conformanceCases = (harness: ConformanceHarness): readonly ConformanceCase[] => {
  const unknown = Object.keys(harness.deviations ?? {}).filter((id) => !(RULE_IDS as readonly string[]).includes(id))
  if (unknown.length > 0) throw new Error(`The kit knows no rule "${unknown.join('", "')}" to deviate from.`)
  const kept = harnessWith(harness, keepLocators())
  return RULES.map((rule) => toCase(rule, kept))
}

const toCase = (rule: Rule, harness: ConformanceHarness): ConformanceCase => {
  const exemption = rule.exemption?.(harness) ?? null
  const declared = harness.deviations?.[rule.id] ?? null
  const problem = exemption === null ? problemOf(rule, harness, declared) : null
  const deviation = problem === null && exemption === null ? declared : null
  const note =
    exemption !== null ? ` [not applicable: ${exemption}]` : deviation !== null ? ` [deviation: ${deviation}]` : ''
  return {
    id: rule.id,
    name: `${rule.id}: ${rule.says}${note}`,
    deviation,
    exemption,
    run: async () => {
      if (problem !== null) throw new Error(problem)
      if (exemption === null && deviation === null) await rule.run(harness)
    },
  }
}

/** What is wrong with the harness or its declaration, as far as this rule goes. */
const problemOf = (rule: Rule, harness: ConformanceHarness, declared: string | null): string | null => {
  const able = rule.needs?.isThere(harness) ?? true
  if (declared === null) {
    if (able) return null
    return `the harness has no "${rule.needs?.ability}": give it, or declare the deviation "${rule.id}" with the reason`
  }
  if (declared.trim() === '') return `the deviation "${rule.id}" is declared without a reason`
  if (rule.needs !== undefined && able) {
    return `the deviation "${rule.id}" is declared, but the harness has "${rule.needs.ability}": remove one of them`
  }
  return rule.needs === undefined && rule.mayDeviate !== true ? `"${rule.id}" is no rule to deviate from` : null
}
