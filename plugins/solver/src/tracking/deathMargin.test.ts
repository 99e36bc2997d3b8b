import type { Capabilities } from '@causeway/core/chain'
import type { StoredPayout } from '@causeway/core/money-path'
import { expect, it } from 'vitest'
import type { LaneContext } from '../laneContext.js'
import { DeathMargin } from './deathMargin.js'

const HEIGHT = 100n

/** Whether a payout may be made anew at the first word that it is dead. */
const atOnce = (capabilities: Partial<Capabilities>, deathMargin?: number): Promise<boolean> => {
  const lane = { ...(deathMargin === undefined ? {} : { deathMargin }) }
  const chain = { config: { id: 7, confirmations: { settle: 12 } }, adapter: { capabilities, lane } }
  const parts = { pool: { query: async () => ({}) }, clock: { now: () => 0 }, log: { info: () => undefined } }
  // CAST: what a margin reads of a lane and of a payout.
  const context = { ...parts, chain, options: { tickMs: 100 } } as unknown as LaneContext
  return new DeathMargin(context).isOver({ id: '1', chainId: 7, live: [], data: {} } as unknown as StoredPayout, HEIGHT)
}

it.each([
  ['payments expire and blocks may be replaced', { bump: 'resign-after-expiry' }, undefined, false],
  ['nothing ever leaves the chain', { bump: 'resign-after-expiry', absoluteFinality: true }, undefined, true],
  ['nothing ever leaves it, and its adapter asks for a margin', { absoluteFinality: true }, 3, false],
  ['payments are replaced', { bump: 'replace' }, undefined, true],
] as const)(
  'the word that a payment is dead counts at once or later where %s (F122)',
  async (_name, capabilities, margin, expected) => {
    expect(await atOnce(capabilities, margin)).toBe(expected)
  },
)
