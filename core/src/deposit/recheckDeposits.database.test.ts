import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DepositEvent, DepositEvidence } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { recordDecisions } from '../payout/decision/decisions.js'
import { GroundWorld, gone, NOW, originChain } from '../payout/groundWorld.test.support.js'
import { recheckDeposits } from './recheckDeposits.js'

let world: GroundWorld

beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

/** All providers say this of a deposit. */
const say = async (evidence: DepositEvidence): Promise<void> => {
  const adapter = { ...originChain.adapter, recheckDeposits: async () => [evidence] }
  // CAST: of the adapter only this is asked.
  const chain = { ...originChain, adapter } as unknown as Chain
  await recheckDeposits({ pool: world.pool, chain }, [evidence], NOW)
}

const shown = (event: DepositEvent, amount: bigint): DepositEvidence => ({
  tx: event.tx,
  position: event.position,
  finding: 'present',
  source: 'test',
  reason: 'in a block',
  deposit: { ...event, money: { ...event.money, amount } },
})

describe('a deposit that one provider showed with another amount (F05)', () => {
  it('is what the others show while nothing is decided, on the books too, however often it changes', async () => {
    const event = await world.deposit(1_500n)
    for (const amount of [1_000n, 1_000n, 1_500n, 1_000n]) await say(shown(event, amount))
    expect((await world.open(event)).deposit.amount).toBe(1_000n)
    expect(await world.books(event)).toEqual({ depository: '1000', owed: '-1000' })
  })

  it('is not decided by the amount that it had before', async () => {
    const event = await world.deposit(1_500n)
    const open = await world.open(event)
    await say(shown(event, 1_000n))
    const payout = world.payoutOf(open, 'refund')
    const decision = { kind: 'refund', reason: 'SLIPPAGE', details: null, open, payout } as const
    await world.commit((client) => recordDecisions(client, [decision], NOW))
    expect(await world.standing(event)).toMatchObject({ outcome: null, payouts: {} })
    await world.decide(event, 'refund')
    expect(await world.standing(event)).toMatchObject({ outcome: 'refund' })
  })

  it('is parked with what the others show', async () => {
    const event = world.event(world.id(), 1_500n)
    await world.see(event)
    await say(shown(event, 1_000n))
    expect(await world.books(event)).toEqual({ depository: '1000', parked: '-1000' })
  })

  it('costs us the difference once it was used', async () => {
    const event = await world.deposit(1_500n)
    await world.signAndStore(await world.decide(event, 'refund'))
    await world.include(event, 'refund')
    await say(shown(event, 1_000n))
    await say(shown(event, 1_000n))
    expect(await world.books(event)).toMatchObject({ depository: '1000', loss: '500' })
  })

  it('takes along what it brought, and no more, when it leaves after it was used; all is as before when it is back', async () => {
    const event = await world.deposit(1_500n)
    await world.signAndStore(await world.decide(event, 'refund'))
    await world.include(event, 'refund')
    await say(shown(event, 1_000n))
    const before = await world.books(event)
    await say(gone(event))
    expect((await world.books(event)).depository ?? '0').toBe('0')
    await say(shown(event, 1_000n))
    expect(await world.books(event)).toEqual(before)
  })

  it('stays as it is where they show another currency or order', async () => {
    const event = await world.deposit()
    await say(shown({ ...event, money: { ...event.money, currency: 'other' } }, 5n))
    await say(shown({ ...event, orderId: world.id() }, 5n))
    expect(await world.books(event)).toEqual({ depository: '1000', owed: '-1000' })
  })
})

it('a deposit that nobody shows is gone, and a loss where it was used', async () => {
  const event = await world.deposit()
  await world.signAndStore(await world.decide(event, 'refund'))
  await world.include(event, 'refund')
  await say(gone(event))
  expect(await world.books(event)).toMatchObject({ loss: '1000' })
})
