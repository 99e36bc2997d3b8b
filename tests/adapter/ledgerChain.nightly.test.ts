import { RULE_IDS, runConformance } from '@causeway/core/testing'
import { expect, test } from 'vitest'
import { startLedgerHarness } from './ledgerChain/src/testing/index.js'

test('the example of a foreign chain keeps every rule of the kit', { timeout: 300_000 }, async () => {
  const { harness, close } = await startLedgerHarness()
  const lines: string[] = []
  const report = await runConformance(harness, { print: (line) => lines.push(line) }).finally(close)
  expect(report.failed, lines.join('\n')).toEqual([])
  expect(report.deviations).toEqual([])
  const withoutAddresses = RULE_IDS.filter((id) => /^(address|arrival|holdings|sweep)\b/.test(id))
  const exempt = [
    'payout-shared',
    'final-height',
    'payout-replaced',
    'payout-cancelled',
    'withdrawal',
    ...withoutAddresses,
    'wallet-signature',
    'wallet-hostile',
    'wallet-agreed',
    'permit-bound',
    'permit-paid',
    'permit-once',
    'permit-found',
  ]
  expect(report.exemptions.map(({ name }) => name)).toEqual(exempt)
  expect(report.passed).toBe(RULE_IDS.length - exempt.length)
})
