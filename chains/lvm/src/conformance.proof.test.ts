import { RULE_IDS, runConformance } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LighterAdapter } from './adapter.js'
import { lighterHarness } from './conformanceHarness.test.support.js'
import { type LighterWorld, openLighterWorld } from './lighterWorld.test.support.js'

let world: LighterWorld
let adapter: LighterAdapter

beforeAll(async () => {
  world = await openLighterWorld()
  adapter = world.adapterOver(world.endpoints())
  await adapter.start(new AbortController().signal)
}, 120_000)

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

/** No block ever leaves the exchange, payments are not replaced, and there are no deposit addresses. */
const EXEMPT = [
  ...['deposit-reorg', 'deposit-tagged', 'payout-tagged', 'payout-reorg', 'payout-shared', 'final-height'],
  ...['payout-replaced', 'payout-cancelled', 'address-derived', 'address-genuine', 'arrival-seen', 'arrival-failed'],
  ...['arrival-reorg', 'holdings', 'sweep-deposited', 'sweep-found', 'sweep-key', 'sweep-nothing', 'sweep-late'],
  ...['sweep-replaced', 'sweep-ended', 'sweep-reorg', 'sweep-fee', 'wallet-signature', 'wallet-hostile'],
  ...['wallet-agreed', 'permit-bound', 'permit-paid', 'permit-once', 'permit-found'],
]

test('the Lighter adapter keeps every rule of the kit', { timeout: 900_000 }, async () => {
  const lines: string[] = []
  const report = await runConformance(await lighterHarness(world, adapter), { print: (line) => lines.push(line) })
  expect(report.failed, lines.join('\n')).toEqual([])
  expect(report.deviations.map(({ name }) => name)).toEqual(['addresses-checksum'])
  expect(report.exemptions.map(({ name }) => name)).toEqual(EXEMPT)
  expect(report.passed).toBe(RULE_IDS.length - EXEMPT.length - 1)
})
