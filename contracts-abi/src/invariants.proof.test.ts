import { expect, test } from 'vitest'
import { CAMPAIGNS, runCampaigns } from './invariants.test.support.js'

/** Each of these is one process, so contracts are compiled once. The seed is fixed: a failure is the change's, not chance. */
const SEED = '0xca05e3a9'
/** The compiler of npm is slow on a busy machine. */
const TIMEOUT_MS = 900_000

test('no order of calls breaks an invariant of the contracts', { timeout: TIMEOUT_MS }, async () => {
  const { passed, report } = await runCampaigns({ contracts: CAMPAIGNS, runs: 12, depth: 50, seed: SEED })
  expect(passed, report).toBe(true)
  expect(report).toContain('4 tests passed')
})

test('a payment behind a sweep in one transaction is lost by receivers of the former factory', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { passed, report } = await runCampaigns({ contracts: '^Former', runs: 24, depth: 50, seed: SEED })
  expect(passed).toBe(false)
  expect(report).toContain('native currency was lost')
  // Both pay behind a sweep; which is found first depends on the constants of all contracts.
  expect(report).toMatch(/calldata=(?:sweepAndPay|batch)\(/)
})
