import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DepositEvent } from '../../chain/chainAdapter.js'
import { DESTINATION, GroundWorld, NOW, ORIGIN } from '../groundWorld.test.support.js'
import { type Decision, recordDecisions } from './decisions.js'
import { capUnsettled, type UnsettledCap } from './unsettledCap.js'

let world: GroundWorld

beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())
// The world's deposits lie at height 100, its watcher stands there too, and ten blocks settle.
beforeEach(() =>
  world.pool.query('update deposits set block_height = 1, outcome_at = to_timestamp($1 / 1000.0)', [
    NOW - 9 * 24 * 3_600_000,
  ]),
)

/** One unit of `coin` is worth one dollar. */
const cap = (usd: bigint, more: Partial<UnsettledCap> = {}): UnsettledCap => ({
  chainId: ORIGIN,
  usd,
  settle: 10,
  worth: (currency, amount) => (currency === 'coin' ? amount : null),
  ...more,
})

const fill = async (event: DepositEvent): Promise<Decision> => {
  const open = await world.open(event)
  return { kind: 'fill', open, payout: world.payoutOf(open, 'fill') }
}

/** Decides to fill under caps; returns what each decision came to. */
const decide = (events: readonly DepositEvent[], caps: readonly UnsettledCap[]): Promise<string[]> =>
  world.commit(async (client) => {
    const decisions = []
    for (const event of events) decisions.push(await fill(event))
    const allowed = await capUnsettled(client, decisions, caps, NOW)
    await recordDecisions(client, allowed, NOW)
    return allowed.map(({ kind }) => kind)
  })

describe('what is paid for a chain before it settles (F22)', () => {
  it('stays under the cap: what is beyond waits with a time, and goes on when deposits settle', async () => {
    const events = [await world.deposit(), await world.deposit(), await world.deposit()]
    expect(await decide(events, [cap(2_500n)])).toEqual(['fill', 'fill', 'later'])
    const [, , last] = events
    if (last === undefined) throw new Error('There are three')
    expect(await world.standing(last)).toMatchObject({ outcome: null, status: 'pending', next: 'await-settle' })
    expect(await decide([last], [cap(2_500n)])).toEqual(['later'])
    await world.pool.query(`update deposits set block_height = 90 where outcome = 'fill'`)
    expect(await decide([last], [cap(2_500n)])).toEqual(['fill'])
  })

  it('holds back nothing that is settled itself, however large, nor what came from other chains', async () => {
    const settled = await world.deposit(9_000n, 90n)
    expect(await decide([settled], [cap(10n)])).toEqual(['fill'])
    expect(await decide([await world.deposit()], [cap(10n, { chainId: DESTINATION })])).toEqual(['fill'])
  })

  it('counts for a day what was lost, and what nobody can price as all there is', async () => {
    const lost = await world.deposit()
    await decide([lost], [])
    await world.signAndStore(await world.ready(lost, 'fill'))
    await world.leave([lost])
    const next = await world.deposit()
    expect(await decide([next], [cap(1_500n)])).toEqual(['later'])
    await world.pool.query(`update deposits set outcome_at = to_timestamp($1 / 1000.0) where outcome = 'fill'`, [
      NOW - 25 * 3_600_000,
    ])
    expect(await decide([next], [cap(1_500n, { worth: () => null })])).toEqual(['later'])
    expect(await decide([next], [cap(1_500n)])).toEqual(['fill'])
  })

  it('is not passed by two hosts that decide for one chain at the same instant', async () => {
    for (let round = 0; round < 5; round += 1) {
      await world.pool.query('update deposits set block_height = 1')
      const events = await Promise.all([1, 2, 3, 4].map(() => world.deposit()))
      const kinds = await Promise.all(events.map((event) => decide([event], [cap(2_500n)])))
      expect(kinds.flat().filter((kind) => kind === 'fill')).toHaveLength(2)
    }
  })
})
