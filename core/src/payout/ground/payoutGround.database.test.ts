import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DepositReorg } from '../../deposit/depositReorg.js'
import { findDeposits } from '../../deposit/depositStore.js'
import { recordDecisions } from '../decision/decisions.js'
import { turnIntoRefund } from '../decision/turnIntoRefund.js'
import { GroundWorld, gone, NOW, ORIGIN, originChain } from '../groundWorld.test.support.js'
import { depositOf, type StoredPayout } from '../payoutRecord.js'
import { recordFillDead, recordNewGeneration } from '../settlement/recordDeath.js'
import { recordFinal } from '../settlement/recordFinal.js'
import { GroundlessPayoutError } from './payoutGround.js'

let world: GroundWorld

beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

/** Lets others go on when it is told to. */
const gate = () => {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

/** Until a statement of somebody waits for a row that another holds. */
const untilBlocked = (): Promise<void> =>
  expect
    .poll(
      async () => {
        const { rowCount } = await world.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rowCount
      },
      { interval: 20 },
    )
    .not.toBe(0)

describe('a deposit that leaves its chain before anything was signed for it (F125)', () => {
  it.each(['fill', 'refund'] as const)(
    '%s: it is undecided, the order free, the request waits, and nothing is lost',
    async (kind) => {
      const event = await world.deposit()
      await world.decide(event, kind)
      await world.leave([event])
      expect(await world.standing(event)).toMatchObject({
        outcome: null,
        status: 'waiting',
        next: 'await-deposit',
        fail_reason: null,
        order_taken: false,
        payouts: { [kind]: 'dead' },
        stored: 0,
      })
      expect(await world.books(event)).toEqual({})
      expect(await world.findReady(event, kind)).toBeUndefined()
    },
  )

  it('is decided anew when it is back, and paid once under the same payout', async () => {
    const event = await world.deposit()
    const first = await world.decide(event, 'fill')
    await world.leave([event])
    await world.see(event)
    expect(await world.standing(event)).toMatchObject({ outcome: null, status: 'pending', next: 'decide' })
    const again = await world.decide(event, 'fill')
    expect(again.id).toBe(first.id)
    await world.signAndStore(again)
    await world.include(event, 'fill')
    expect(await world.standing(event)).toMatchObject({ outcome: 'fill', status: 'success', stored: 1 })
    expect(await world.books(event)).toEqual({ conversion: '-980', depository: '1000', fees: '-20' })
  })

  it('may be refunded at first and filled when it is back', async () => {
    const event = await world.deposit()
    await world.decide(event, 'refund')
    await world.leave([event])
    await world.see(event)
    await world.signAndStore(await world.decide(event, 'fill'))
    expect(await world.standing(event)).toMatchObject({ outcome: 'fill', payouts: { refund: 'dead', fill: 'signed' } })
  })
})

describe('attempts and a deposit that leaves at the same moment (F125)', () => {
  it('stores nothing, of no payout of the batch, when one deposit has left since they were read', async () => {
    const [stays, leaves] = [await world.deposit(), await world.deposit()]
    const payouts = [await world.decide(stays, 'fill'), await world.decide(leaves, 'fill')]
    await world.leave([leaves])
    const error = await world.commit((client) => world.store(client, payouts, world.sign())).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(GroundlessPayoutError)
    expect(error.payoutIds).toEqual([payouts[1]?.id])
    expect([await world.standing(stays), await world.standing(leaves)]).toMatchObject([{ stored: 0 }, { stored: 0 }])
    await world.signAndStore(await world.ready(stays, 'fill'))
  })

  it('waits for a watcher that is about to commit, and stores nothing then', async () => {
    const event = await world.deposit()
    const payout = await world.decide(event, 'fill')
    const [written, commit] = [gate(), gate()]
    const watching = world.commit(async (client) => {
      const [deposit] = await findDeposits(client, ORIGIN, [event.tx.id])
      if (deposit === undefined) throw new Error('There is no deposit')
      await new DepositReorg({ client, chain: originChain, now: NOW }).apply(deposit, gone(event))
      written.open()
      await commit.passed
    })
    await written.passed
    const storing = world.commit((client) => world.store(client, [payout], world.sign())).catch((thrown) => thrown)
    await untilBlocked()
    commit.open()
    await watching
    expect(await storing).toBeInstanceOf(GroundlessPayoutError)
    expect(await world.standing(event)).toMatchObject({ outcome: null, status: 'waiting', stored: 0 })
  })

  it('keeps a watcher waiting that comes second: the payout counts as signed, and the loss is booked', async () => {
    const event = await world.deposit()
    const payout = await world.decide(event, 'fill')
    const [written, commit] = [gate(), gate()]
    const storing = world.commit(async (client) => {
      await world.store(client, [payout], world.sign())
      written.open()
      await commit.passed
    })
    await written.passed
    const watching = world.leave([event])
    await untilBlocked()
    commit.open()
    await Promise.all([storing, watching])
    expect(await world.standing(event)).toMatchObject({ outcome: 'fill', status: 'pending', stored: 1 })
    expect(await world.books(event)).toEqual({ loss: '1000', owed: '-1000' })
  })

  it('lets one of the two win, whoever comes first, for many at once and without a deadlock', async () => {
    for (let round = 0; round < 12; round += 1) {
      const events = await Promise.all([1, 2, 3, 4].map(() => world.deposit()))
      const payouts: StoredPayout[] = []
      for (const event of events) payouts.push(await world.decide(event, 'fill'))
      // In another order than the watcher's.
      const storing = world.commit((client) => world.store(client, payouts.toReversed(), world.sign())).catch((e) => e)
      const [stored] = await Promise.all([storing, world.leave(events)])
      const standings = await Promise.all(events.map((event) => world.standing(event)))
      if (stored === undefined) expect(standings.map((item) => item?.outcome)).toEqual(Array(4).fill('fill'))
      else expect(stored).toBeInstanceOf(GroundlessPayoutError)
      for (const standing of standings) {
        expect([standing?.outcome, standing?.status, standing?.stored]).toEqual(
          stored === undefined ? ['fill', 'pending', 1] : [null, 'waiting', 0],
        )
      }
    }
  })

  it('refuses a higher fee for a deposit that left, and takes a cancel', async () => {
    const event = await world.deposit()
    await world.signAndStore(await world.decide(event, 'fill'))
    await world.leave([event])
    const payout = await world.onItsWay(event, 'fill')
    expect(payout.deposit?.onChain).toBe(false)
    const version = (kind: 'pay' | 'cancel') =>
      world.commit((client) => world.store(client, [payout], world.sign(kind), 2))
    await expect(version('pay')).rejects.toBeInstanceOf(GroundlessPayoutError)
    await version('cancel')
    expect(await world.standing(event)).toMatchObject({ stored: 2 })
  })
})

describe('what was signed for a deposit that left dies (F125)', () => {
  const signedAndGone = async (kind: 'fill' | 'refund') => {
    const event = await world.deposit()
    await world.signAndStore(await world.decide(event, kind))
    await world.leave([event])
    return { event, payout: await world.onItsWay(event, kind) }
  }

  it('a fill that reverted is refunded only if the deposit comes back, and nothing was lost', async () => {
    const { event, payout } = await signedAndGone('fill')
    const open = { requestId: payout.requestId ?? '0x', reason: 'TRANSACTION_REVERTED', details: null } as const
    const refund = {
      ...payout,
      purpose: 'refund' as const,
      depositId: depositOf(payout).id,
      at: NOW,
      data: {},
      action: 'sign' as const,
    }
    const turn = { ...open, fill: payout, payout: refund, refundFailReason: null }
    await world.commit(async (client) => {
      await recordFillDead(client, { payout, proof: 'test' }, NOW, false)
      await turnIntoRefund(client, turn, NOW)
    })
    expect(await world.standing(event)).toMatchObject({
      outcome: null,
      status: 'failure',
      fail_reason: 'DEPOSIT_REORGED',
      refund_reason: 'TRANSACTION_REVERTED',
      payouts: { fill: 'dead' },
    })
    expect(await world.books(event)).toEqual({})
    await world.see(event)
    expect((await world.open(event)).refundReason).toBe('TRANSACTION_REVERTED')
    await world.signAndStore(await world.decide(event, 'refund'))
    await world.include(event, 'refund')
    expect(await world.standing(event)).toMatchObject({
      status: 'refund',
      payouts: { fill: 'dead', refund: 'included' },
    })
  })

  it.each(['fill', 'refund'] as const)(
    '%s: a generation that is followed by another elsewhere is followed by none, until the deposit is back',
    async (kind) => {
      const { event, payout } = await signedAndGone(kind)
      await world.commit((client) => recordNewGeneration(client, { payout, proof: 'test' }, NOW))
      expect(await world.standing(event)).toMatchObject({
        outcome: null,
        status: 'failure',
        payouts: { [kind]: 'dead' },
      })
      expect(await world.books(event)).toEqual({})
      await world.see(event)
      const again = await world.decide(event, kind)
      expect([again.id, again.generation]).toEqual([payout.id, 1])
      await world.signAndStore(again)
      await world.include(event, kind)
      expect(await world.standing(event)).toMatchObject({ status: kind === 'fill' ? 'success' : 'refund', stored: 2 })
    },
  )
})

describe('the excess of a deposit that left (F125)', () => {
  const filled = async () => {
    const event = await world.deposit(1_500n)
    await world.signAndStore(await world.decide(event, 'fill', { excess: '500' }))
    await world.include(event, 'fill')
    return event
  }
  const finish = async (event: Awaited<ReturnType<typeof filled>>) => {
    const fill = await world.onItsWay(event, 'fill')
    const excess = {
      ...fill,
      purpose: 'excess' as const,
      chainId: ORIGIN,
      amount: 498n,
      fees: 2n,
      data: {},
      at: NOW,
      action: 'sign' as const,
    }
    await world.commit((client) => recordFinal(client, [fill], [{ ...excess, depositId: depositOf(fill).id }], NOW))
  }

  it('is not made while the deposit is away, and made when it is back', async () => {
    const event = await filled()
    await world.leave([event])
    await finish(event)
    expect((await world.standing(event))?.payouts).toEqual({ fill: 'final' })
    expect(await world.books(event)).toMatchObject({ loss: '1000' })
    expect(await world.books(event)).not.toHaveProperty('owed')
    await world.see(event)
    expect((await world.standing(event))?.payouts).toEqual({ fill: 'included' })
    await finish(event)
    expect(await world.ready(event, 'excess')).toMatchObject({ amount: 498n })
    expect(await world.books(event)).toMatchObject({ owed: '-500', depository: '1500' })
  })

  it('that waits for its signature is not signed, and is made anew when the deposit is back', async () => {
    const event = await filled()
    await finish(event)
    const excess = await world.ready(event, 'excess')
    await world.leave([event])
    await expect(world.signAndStore(excess)).rejects.toBeInstanceOf(GroundlessPayoutError)
    expect((await world.standing(event))?.payouts).toEqual({ fill: 'final', excess: 'dead' })
    expect(await world.books(event)).not.toHaveProperty('owed')
    await world.see(event)
    await finish(event)
    expect((await world.ready(event, 'excess')).id).toBe(excess.id)
  })
})

describe('the outcome of a deposit', () => {
  const undecide = (id: string) => world.pool.query('update deposits set outcome = null where id = $1', [id])

  it('is not taken back by the database while it is on the chain, or while something of it may land', async () => {
    const event = await world.deposit()
    await world.signAndStore(await world.decide(event, 'fill'))
    const id = await world.depositId(event)
    await expect(undecide(id)).rejects.toThrow('already fill')
    await world.leave([event])
    await expect(undecide(id)).rejects.toThrow('already fill')
    await world.pool.query(
      `update payouts set state = 'dead', next_action = null, next_action_at = null where deposit_id = $1`,
      [id],
    )
    await expect(undecide(id)).rejects.toThrow('already fill')
    await world.pool.query(
      `update payout_generations set state = 'dead' where payout_id in (select id from payouts where deposit_id = $1)`,
      [id],
    )
    await undecide(id)
  })

  it('is not set for a deposit that has left since it was read', async () => {
    const event = await world.deposit()
    const open = await world.open(event)
    await world.leave([event])
    const payout = world.payoutOf(open, 'fill')
    await world.commit((client) => recordDecisions(client, [{ kind: 'fill', open, payout }], NOW))
    expect(await world.standing(event)).toMatchObject({ outcome: null, payouts: {} })
  })
})
