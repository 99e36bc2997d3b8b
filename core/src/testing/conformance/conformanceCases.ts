import type { ConformanceCase, ConformanceHarness } from './conformanceHarness.js'
import { depositCases } from './depositCases.js'
import { formCases } from './formCases.js'
import { payoutCases } from './payoutCases.js'

/**
 * Every rule an adapter must keep, as cases for any test runner: `for (const { name, run } of conformanceCases(harness)) it(name, run)`.
 * Run them one after the other: they share the chain.
 */
export const conformanceCases = (harness: ConformanceHarness): readonly ConformanceCase[] => [
  ...formCases(harness),
  ...depositCases(harness),
  ...payoutCases(harness),
]
