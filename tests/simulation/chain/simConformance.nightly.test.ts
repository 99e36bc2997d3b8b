import { RULE_IDS, runConformance } from '@causeway/core/testing'
import { expect, test } from 'vitest'
import { startSimHarness } from './simHarness.js'
import type { SimKind } from './simPool.js'

const DEVIATIONS = ['deposit-tagged', 'deposit-forgotten', 'death-forgotten']
const WALLETS = ['wallet-signature', 'wallet-hostile', 'wallet-agreed']
const PERMITS = ['permit-bound', 'permit-paid', 'permit-once', 'permit-found']

const EXEMPT: Readonly<Record<SimKind, readonly string[]>> = {
  reorging: [
    'payout-shared',
    'final-height',
    'payout-replaced',
    'payout-cancelled',
    'address-genuine',
    'sweep-key',
    'sweep-replaced',
    ...WALLETS,
    ...PERMITS,
  ],
  final: [
    'deposit-reorg',
    'payout-reorg',
    'payout-shared',
    'final-height',
    'payout-expired',
    'address-genuine',
    'arrival-reorg',
    'sweep-key',
    'sweep-reorg',
    ...WALLETS,
    ...PERMITS,
  ],
}

// Most of it is waiting for blocks.
test.concurrent.each(['reorging', 'final'] as const)(
  'the adapter of a %s ledger keeps every rule of the kit',
  {
    timeout: 300_000,
  },
  async (kind) => {
    const { harness, close } = await startSimHarness(kind)
    const lines: string[] = []
    const report = await runConformance(harness, { print: (line) => lines.push(line) }).finally(close)
    expect(report.failed, lines.join('\n')).toEqual([])
    expect(report.deviations.map(({ name }) => name)).toEqual(DEVIATIONS)
    expect(report.exemptions.map(({ name }) => name)).toEqual(EXEMPT[kind])
    expect(report.passed).toBe(RULE_IDS.length - EXEMPT[kind].length - DEVIATIONS.length)
  },
)
