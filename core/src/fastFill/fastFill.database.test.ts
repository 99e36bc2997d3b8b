import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isBalanceTooLow } from '../appBalance/appBalances.js'
import { balanceMarker } from '../deposit/balanceMarker.js'
import { recordDecisions } from '../payout/decision/decisions.js'
import { fitsUnsettledCap } from '../payout/decision/unsettledCap.js'
import { DESTINATION, NOW, ORIGIN } from '../payout/groundWorld.test.support.js'
import { settleEarnings } from '../payout/settlement/settleEarnings.js'
import { FastFillWorld, LATE, WALLET } from './fastFillWorld.test.support.js'
import { endFastFill, recordFastFillDead } from './fillAhead.js'
import { findUnpaidFastFills } from './settleFastFill.js'

let world: FastFillWorld
beforeAll(async () => {
  world = await FastFillWorld.open()
})
afterAll(() => world?.ground.database.drop())
afterEach(async () => {
  expect(await world.agrees()).toBe(true)
  await world.clear()
})

const quote = () => world.ground.quote()
const see = async (orderId: `0x${string}`, amount = 1_000n) => {
  const event = world.ground.event(orderId, amount)
  await world.ground.see(event)
  return event
}

describe('a fast fill that is asked for (wire.md 2.9)', () => {
  it('sets its collateral aside, once, and its request is pending', async () => {
    await world.give(3_000n)
    const terms = await quote()
    expect(await world.accept(terms)).toEqual({ kind: 'accepted' })
    expect(await world.accept(terms)).toEqual({ kind: 'known', state: 'queued', reason: null })
    expect(await world.holdings()).toEqual({ app: 900n, collateral: 2_100n })
    expect(await world.standing(terms)).toEqual({ state: 'queued', status: 'pending', next: 'await-payout' })
  })

  it('is refused, and nothing of it is written, where the balance does not cover it', async () => {
    await world.give(2_099n)
    const terms = await quote()
    await expect(world.accept(terms)).rejects.toSatisfy(isBalanceTooLow)
    expect(await world.standing(terms)).toBeUndefined()
    expect(await world.holdings()).toEqual({ app: 2_099n })
  })

  it('of two at once one is accepted, and of many at once as many as the balance covers', async () => {
    await world.give(5_000n)
    const terms = await quote()
    const answers = await Promise.all([world.accept(terms), world.accept(terms)])
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['accepted', 'known'])
    const others = await Promise.all([quote(), quote(), quote()])
    const outcomes = await Promise.allSettled(others.map((other) => world.accept(other)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await world.holdings()).toEqual({ app: 800n, collateral: 4_200n })
  })

  it('of a request whose deposit is filled, or refunded, comes too late', async () => {
    await world.give(9_000n)
    const filled = await quote()
    await world.ground.decide(await see(filled.orderId), 'fill')
    expect(await world.accept(filled)).toEqual({ kind: 'filled' })
    const refunded = await quote()
    const event = await see(refunded.orderId)
    await world.ground.decide(event, 'refund')
    expect(await world.accept(refunded)).toEqual({ kind: 'over', status: 'refund' })
    await world.ground.signAndStore(await world.ground.ready(event, 'refund'))
    await world.ground.include(event, 'refund')
    expect(await world.accept(refunded)).toEqual({ kind: 'over', status: 'refund' })
    expect(await world.holdings()).toEqual({ app: 9_000n })
  })

  it('bars every decision about its deposits that was under way, whoever comes first', async () => {
    await world.give(100_000n)
    for (let round = 0; round < 12; round += 1) {
      const terms = await quote()
      const open = await world.ground.open(await see(terms.orderId))
      const kind = round % 2 === 0 ? ('fill' as const) : ('refund' as const)
      const decision = { open, payout: world.ground.payoutOf(open, kind), reason: 'SLIPPAGE' as const, details: null }
      const [answer, decided] = await Promise.allSettled([
        world.accept(terms),
        world.ground.commit((client) => recordDecisions(client, [{ ...decision, kind }], NOW)),
      ])
      expect(answer.status).toBe('fulfilled')
      const accepted = answer.status === 'fulfilled' && answer.value.kind === 'accepted'
      const { rows } = await world.pool.query<{ outcome: string | null; payouts: number }>(
        `select d.outcome, (select count(*)::int from payouts p where p.deposit_id = d.id) as payouts from deposits d where d.id = $1`,
        [open.deposit.id],
      )
      expect(rows).toEqual([accepted ? { outcome: null, payouts: 0 } : { outcome: kind, payouts: 1 }])
      if (accepted && decided.status === 'rejected') expect(decided.reason).toMatchObject({ code: 'CW007' })
    }
  })
})

describe('a fast fill that is paid (wire.md G.3)', () => {
  it('stands in exposure until its deposit is settled, which pays it; then the collateral is free', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.pay(terms)
    expect(await world.holdings()).toEqual({ app: 900n, collateral: 2_100n, exposure: 1_000n })
    expect(await world.standing(terms)).toEqual({ state: 'paid', status: 'success', next: null })
    const event = await see(terms.orderId)
    expect(await world.settle(99n)).toBe(0)
    expect(await world.holdings()).toEqual({ app: 900n, collateral: 2_100n, exposure: 1_000n })
    expect([await world.settle(), await world.settle()]).toEqual([1, 0])
    expect(await world.holdings()).toEqual({ app: 3_000n })
    expect(await world.ground.standing(event)).toMatchObject({
      outcome: 'fill',
      order_taken: true,
      payouts: { fill: 'final' },
    })
    // As the books of any other fill.
    expect(await world.books()).toEqual({
      'conversion 1': '-980',
      'conversion 2': '950',
      'depository 1': '1000',
      'fees 1': '-20',
    })
    expect(await world.accept(terms)).toEqual({ kind: 'known', state: 'settled', reason: null })
  })

  it.each([
    { name: 'more than assumed', amount: 1_300n, balance: 3_600n, conversion: '-1280' },
    { name: 'less than assumed', amount: 900n, balance: 2_790n, conversion: '-880' },
  ])('with a deposit of $name settles the difference with the balance', async ({ amount, balance, conversion }) => {
    await world.give(3_000n)
    const terms = await quote()
    await world.pay(terms)
    await see(terms.orderId, amount)
    await world.settle()
    expect(await world.holdings()).toEqual({ app: balance })
    expect(await world.books()).toMatchObject({ 'conversion 1': conversion, 'depository 1': amount.toString() })
  })

  it.each([
    { name: 'cheap, as quoted', price: 1_000n, amount: 1_000n, balance: 2_000n },
    { name: 'dear, as quoted', price: 4_000n, amount: 1_000n, balance: 3_000n },
    { name: 'cheap and lacks a tenth', price: 1_000n, amount: 900n, balance: 1_890n },
    { name: 'dear and lacks a tenth', price: 4_000n, amount: 900n, balance: 2_580n },
    { name: 'worthless', price: 0n, amount: 1_000n, balance: 1_000n },
    { name: 'cheap and more', price: 1_000n, amount: 1_300n, balance: 2_300n },
    { name: 'dear and more', price: 4_000n, amount: 1_300n, balance: 3_600n },
  ])('with a deposit that is $name, bears the price and no gain of it (F141)', async ({ price, amount, balance }) => {
    await world.give(3_000n)
    const terms = await quote()
    await world.pay(terms)
    await see(terms.orderId, amount)
    await world.settle(100n, price)
    expect(await world.holdings()).toEqual({ app: balance })
  })

  it('counts in what its origin chain is trusted with until it is settled, and beyond the cap waits (F141)', async () => {
    await world.give(9_000n)
    const terms = await quote()
    const cap = { chainId: ORIGIN, usd: 2_500n, settle: 10, worth: (_: string, amount: bigint) => amount * 2n }
    const fits = (amount: bigint) =>
      world.ground.commit((client) => fitsUnsettledCap(client, cap, { currency: 'coin', amount }, NOW))
    expect([await fits(1_250n), await fits(1_251n)]).toEqual([true, false])
    await world.pay(terms)
    expect([await fits(250n), await fits(251n)]).toEqual([true, false])
    await see(terms.orderId)
    expect(await fits(251n)).toBe(false)
    await world.settle()
    await world.pool.query(`update deposits set block_height = 1`)
    expect(await fits(1_250n)).toBe(true)
  })

  it('whose deposit was in before it was paid, or even before it was asked for, is settled by it too', async () => {
    await world.give(3_000n)
    const terms = await quote()
    const event = await see(terms.orderId)
    await world.pay(terms)
    expect(await world.ground.standing(event)).toMatchObject({ outcome: null, payouts: {} })
    await world.settle()
    expect(await world.ground.standing(event)).toMatchObject({ outcome: 'fill', payouts: { fill: 'final' } })
    expect(await world.holdings()).toEqual({ app: 3_000n })
  })

  it('is not settled before its payment is final, nor by a chain that is halted', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await see(terms.orderId)
    await world.accept(terms)
    await world.ground.signAndStore(await world.start(terms))
    await world.include(terms)
    expect(await world.settle()).toBe(0)
    await world.final(terms)
    await world.pool.query(`insert into chain_halts values ($1, 90, 20, 10, now())`, [ORIGIN])
    expect(await world.settle()).toBe(0)
    await world.pool.query('delete from chain_halts')
    expect(await world.settle()).toBe(1)
  })

  it('books its exposure again where its block leaves the chain, and what a short payment does not lend', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.accept(terms)
    await world.ground.signAndStore(await world.start(terms))
    await world.include(terms)
    await world.reorg(terms)
    expect(await world.holdings()).toEqual({ app: 900n, collateral: 2_100n })
    await world.include(terms, 475n)
    expect(await world.holdings()).toEqual({ app: 900n, collateral: 2_100n, exposure: 500n })
    await world.reorg(terms)
    await world.include(terms)
    expect(await world.holdings()).toEqual({ app: 900n, collateral: 2_100n, exposure: 1_000n })
  })

  it('frees what was earned by it once deposit and fill are settled, or the collateral has paid', async () => {
    await world.give(6_000n)
    const earner = `0x${'ea'.repeat(20)}`
    const earning = { holder: earner, kind: 'app' as const, bps: '100', amount: '10', fromDeposit: '10', worth: '12' }
    const data = { earnings: { chainId: 7, currency: 'usd', list: [earning] } }
    const [kept, lost] = [await quote(), await quote()]
    await world.pay(kept, { data })
    await world.pay(lost, { data })
    const settled = () => settleEarnings(world.pool, { chainId: ORIGIN, height: 100n }, NOW)
    expect(await settled()).toBe(0)
    await see(kept.orderId)
    await world.settle()
    expect([await settled(), await settled()]).toEqual([1, 0])
    await world.debit()
    expect([await settled(), await settled()]).toEqual([1, 0])
  })
})

describe('the deposit of a fast fill that does not stay (faults.md F70)', () => {
  it('leaves the exposure as it was, and pays it when it is back', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.pay(terms)
    const event = await see(terms.orderId)
    await world.ground.leave([event])
    expect(await world.standing(terms)).toEqual({ state: 'paid', status: 'success', next: null })
    expect(await world.settle()).toBe(0)
    expect(await world.holdings()).toEqual({ app: 900n, collateral: 2_100n, exposure: 1_000n })
    await world.ground.see(event)
    expect(await world.settle()).toBe(1)
    expect(await world.holdings()).toEqual({ app: 3_000n })
  })

  it('before anything is paid keeps its request with the fast fill', async () => {
    await world.give(3_000n)
    const terms = await quote()
    const event = await see(terms.orderId)
    await world.accept(terms)
    await world.ground.leave([event])
    expect(await world.standing(terms)).toEqual({ state: 'queued', status: 'pending', next: 'await-payout' })
    await world.ground.see(event)
    expect(await world.standing(terms)).toEqual({ state: 'queued', status: 'pending', next: 'await-payout' })
  })

  it('or never comes: the collateral pays, once, at the end of the order and not before', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.pay(terms)
    await world.ground.see()
    expect(await world.debit(NOW + 86_000_000)).toBe(0)
    expect([await world.debit(), await world.debit()]).toEqual([1, 0])
    expect(await world.holdings()).toEqual({ app: 900n })
    expect(await world.books()).toEqual({
      'conversion 1': '20',
      'conversion 2': '950',
      'conversion 7': '-2100',
      'fees 1': '-20',
    })
    expect(await world.standing(terms)).toEqual({ state: 'debited', status: 'success', next: null })
  })

  it('or does not come by its own deadline, however long the order stands (F141)', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.accept(terms, terms.depositAmount, NOW + 1_800_000)
    await world.ground.signAndStore(await world.start(terms))
    await world.include(terms)
    await world.final(terms)
    await world.ground.see()
    expect([await world.debit(NOW + 1_799_000), await world.debit(NOW + 1_801_000)]).toEqual([0, 1])
    expect(await world.holdings()).toEqual({ app: 900n })
  })

  it('is not given up while one is in, or while nobody has read its chain so far', async () => {
    await world.give(6_000n)
    const [arrived, unread] = [await quote(), await quote()]
    await world.pay(arrived)
    await world.pay(unread)
    await see(arrived.orderId)
    await world.pool.query('update chain_cursors set updated_at = to_timestamp($1 / 1000.0)', [NOW])
    expect(await findUnpaidFastFills(world.pool, ORIGIN, LATE)).toEqual([])
    expect(await world.debit()).toBe(1)
    expect(await world.standing(arrived)).toMatchObject({ state: 'paid' })
  })

  it('and comes after that: it is the wallet’s, at the price of then, also one that had left before', async () => {
    await world.give(6_000n)
    const [late, gone] = [await quote(), await quote()]
    await world.pay(late)
    await world.pay(gone)
    const left = await see(gone.orderId)
    await world.ground.leave([left])
    expect(await world.debit()).toBe(2)
    await see(late.orderId)
    await world.ground.see(left)
    expect([await world.settle(), await world.settle()]).toEqual([2, 0])
    expect(await world.holdings()).toEqual({ app: 1_800n + 6_000n })
    expect(await world.ground.standing(left)).toMatchObject({ outcome: 'balance' })
  })
})

describe('what else comes for an order with a fast fill', () => {
  it('is not refunded, whoever wants to, and is the wallet’s once the fill is final', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.accept(terms)
    const unfit = await see(terms.orderId, 10n)
    const open = await world.ground.open(unfit)
    expect(open.fastFill).toBe('queued')
    const refund = { kind: 'refund' as const, open, reason: 'SLIPPAGE' as const, details: null }
    const decide = () =>
      world.ground.commit((client) =>
        recordDecisions(client, [{ ...refund, payout: world.ground.payoutOf(open, 'refund') }], NOW),
      )
    await expect(decide()).rejects.toMatchObject({ code: 'CW007' })
    const credit = () =>
      world.ground.commit((client) =>
        recordDecisions(client, [{ kind: 'credit', open, reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' }], NOW),
      )
    await credit()
    expect(await world.ground.standing(unfit)).toMatchObject({ status: 'pending', outcome: null })
    await world.ground.signAndStore(await world.start(terms))
    await world.include(terms)
    await world.final(terms)
    await credit()
    expect(await world.ground.standing(unfit)).toMatchObject({ status: 'failure', outcome: null, payouts: {} })
    expect(await world.settle()).toBe(1)
    expect(await world.ground.standing(unfit)).toMatchObject({ status: 'failure', outcome: 'balance', payouts: {} })
    await expect(decide()).resolves.toBeUndefined()
    expect(await world.holdings()).toEqual({ app: 930n, collateral: 2_100n, exposure: 1_000n })
  })

  it('is refunded as ever once the exposure is settled', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.pay(terms)
    await see(terms.orderId)
    await world.settle()
    const second = await see(terms.orderId)
    expect((await world.ground.open(second)).refundReason).toBe('DOUBLE_SPEND')
    await world.ground.decide(second, 'refund')
    expect(await world.ground.standing(second)).toMatchObject({ outcome: 'refund' })
  })
})

describe('a fast fill that is not paid', () => {
  it('lets go of its collateral before its payout exists, and its request waits for its deposit', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.accept(terms)
    const end = () => world.ground.commit((client) => endFastFill(client, terms, { reason: 'SLIPPAGE' }, NOW))
    expect([await end(), await end()]).toEqual([true, false])
    expect(await world.holdings()).toEqual({ app: 3_000n })
    expect(await world.standing(terms)).toEqual({ state: 'ended', status: 'waiting', next: 'await-deposit' })
    const event = await see(terms.orderId)
    await world.ground.decide(event, 'fill')
    expect(await world.ground.standing(event)).toMatchObject({ outcome: 'fill', payouts: { fill: 'ready' } })
    expect(await world.accept(terms)).toEqual({ kind: 'known', state: 'ended', reason: 'SLIPPAGE' })
  })

  it('proven dead: its deposit, if it is in, is decided; gas that its own order burnt is paid of the collateral', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.accept(terms)
    await world.ground.signAndStore(await world.start(terms))
    const event = await see(terms.orderId)
    const payout = await world.onItsWay(terms)
    const dead = () =>
      world.ground.commit((client) =>
        recordFastFillDead(
          client,
          { payout, proof: 'test' },
          { reason: 'TRANSACTION_REVERTED', charge: 30n, burnt: true },
          NOW,
        ),
      )
    expect(await dead()).toBe(true)
    await expect(dead()).rejects.toThrow('another transaction')
    expect(await world.holdings()).toEqual({ app: 2_970n })
    expect(await world.standing(terms)).toEqual({ state: 'ended', status: 'pending', next: 'decide' })
    await world.ground.decide(event, 'refund')
    expect(await world.ground.standing(event)).toMatchObject({ outcome: 'refund', payouts: { refund: 'ready' } })
  })

  it('after it was told as a success: what comes for it is the wallet’s', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.accept(terms)
    await world.ground.signAndStore(await world.start(terms))
    await world.include(terms)
    await world.reorg(terms)
    const payout = await world.onItsWay(terms)
    await world.ground.commit((client) =>
      recordFastFillDead(client, { payout, proof: 'test' }, { reason: 'TRANSACTION_REVERTED', burnt: false }, NOW),
    )
    expect(await world.standing(terms)).toEqual({ state: 'ended', status: 'success', next: null })
    await see(terms.orderId)
    expect(await world.settle()).toBe(1)
    expect(await world.holdings()).toEqual({ app: 6_000n })
  })
})

describe('what a fast fill rests on', () => {
  it('nothing is signed for it, nor stored, once its collateral is free', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.accept(terms)
    const payout = await world.start(terms)
    await world.pool.query(`update fast_fills set state = 'ended', next_action = null, next_action_at = null`)
    expect(await world.findReady(terms)).toBeUndefined()
    await expect(world.ground.signAndStore(payout)).rejects.toThrow('What payout')
    const { rows } = await world.pool.query('select from payout_attempts')
    expect(rows).toEqual([])
  })

  it('an order is filled once, whatever asked for it', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.accept(terms)
    await world.start(terms)
    await expect(
      world.pool.query(
        `insert into payouts (purpose, cause, order_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at, next_action, next_action_at)
         values ('fill', 'request:other', decode($1, 'hex'), ${DESTINATION}, 's', 'r', 'coin', 1, 'ready', now(), now(), 'sign', now())`,
        [terms.orderId.slice(2)],
      ),
    ).rejects.toThrow('payouts_order_filled')
  })

  it('a payment of its order that this database forgot becomes its payment, and no other is made (F120)', async () => {
    await world.give(3_000n)
    const terms = await quote()
    await world.accept(terms)
    await world.pool.query(
      `insert into imported_transactions (chain_id, tx_id, signer, guard_keys, order_id, purpose, recipient, currency, amount, status, created_at)
       values ($1, 'found', '0x5e', '["nonce:1"]', decode($2, 'hex'), 'fill', 'recipient', 'coin', 949, 'success', now())`,
      [DESTINATION, terms.orderId.slice(2)],
    )
    await expect(world.start(terms)).rejects.toThrow('not ready')
    expect(await world.onItsWay(terms)).toMatchObject({ state: 'signed', amount: 949n, live: [{ txId: 'found' }] })
    await world.include(terms)
    expect(await world.holdings()).toEqual({ app: 900n, collateral: 2_100n, exposure: 1_000n })
  })
})

describe('money that is sent for a balance (wire.md 4.12)', () => {
  it('is the wallet’s once it is settled, whoever sent it', async () => {
    await see(balanceMarker(WALLET), 500n)
    expect(await world.settle(99n)).toBe(0)
    expect([await world.settle(), await world.settle()]).toEqual([1, 0])
    expect(await world.holdings()).toEqual({ app: 1_500n })
    expect(await world.books()).toEqual({ 'conversion 1': '-500', 'conversion 7': '1500', 'depository 1': '500' })
  })

  it('that leaves before is owed to nobody, and is when it is back; what leaves afterwards is the operator’s loss', async () => {
    const event = await see(balanceMarker(WALLET), 500n)
    await world.ground.leave([event])
    expect(await world.books()).toEqual({})
    await world.ground.see(event)
    await world.settle()
    await world.ground.leave([event])
    expect(await world.books()).toEqual({ 'conversion 1': '-500', 'conversion 7': '1500', 'loss 1': '500' })
    await world.ground.see(event)
    expect(await world.books()).toEqual({ 'conversion 1': '-500', 'conversion 7': '1500', 'depository 1': '500' })
    expect(await world.holdings()).toEqual({ app: 1_500n })
  })

  it('of a sender without a wallet’s address is parked', async () => {
    const event = await see(balanceMarker(null), 500n)
    const { rows } = await world.pool.query('select parked_reason, holder from deposits where tx_id = $1', [
      event.tx.id,
    ])
    expect(rows).toEqual([{ parked_reason: expect.stringContaining('no wallet address'), holder: null }])
    expect(await world.books()).toEqual({ 'depository 1': '500', 'parked 1': '-500' })
  })
})
