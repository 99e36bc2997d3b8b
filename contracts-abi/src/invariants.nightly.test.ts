import { expect, test } from 'vitest'
import { CAMPAIGNS, runCampaigns } from './invariants.test.support.js'

const HOUR_MS = 3_600_000

test('no order of calls breaks an invariant of the contracts: 5,000 sequences of 100 calls', {
  timeout: HOUR_MS,
}, async () => {
  const { passed, report } = await runCampaigns({ contracts: CAMPAIGNS, runs: 5_000, depth: 100, optimized: true })
  expect(passed, report).toBe(true)
})
