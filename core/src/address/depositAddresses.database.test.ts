import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withTransaction } from '../database/pool.js'
import type { Hex } from '../money/hex.js'
import { toChainPayout } from '../payout/chainPayout.js'
import { gone, NOW } from '../payout/groundWorld.test.support.js'
import { findReadyPayouts } from '../payout/payoutQueries.js'
import { endSweep } from '../payout/sweep/endSweep.js'
import { parseTerms } from '../quote/quoteTerms.js'
import { loadRecordFacts } from '../record/recordFacts.js'
import type { RecordField } from '../record/search/recordQuery.js'
import { RecordSearch } from '../record/search/recordSearch.js'
import { changeStatuses } from '../request/changeStatus.js'
import { SqlRequestReader } from '../request/requestReaderSql.js'
import { changeAddressBooks } from './addressBooks.js'
import { findAddresses } from './addressReader.js'
import { AddressWorld, CUSTODIAN, RULES } from './addressWorld.test.support.js'
import { refundTarget } from './refundSender.js'
import { recordRequote, refuseRequote } from './requotes.js'
import { SqlLive } from './sqlLive.js'
import { findWaitingArrivals } from './sweptArrivals.js'

let world: AddressWorld
beforeAll(async () => {
  world = await AddressWorld.open()
})
afterAll(() => world?.ground.database.drop())

const sweepOf = (amount: bigint) => ({
  signer: '0x5e',
  depository: 'depository',
  money: { currency: 'coin', amount },
  currencies: ['coin'],
})

const waitingAt = (orderId: Hex) =>
  withTransaction(world.pool, async (client) => {
    const found = await findWaitingArrivals(client, 1, [orderId])
    return found.get(orderId)?.arrivals
  })

describe('an address that was given', () => {
  it('is found by its text, its request and its order, and is live for the watcher', async () => {
    const { to, requestId, orderId } = await world.give('strict', {}, { recoveryAddress: 'rescue' })
    const live = new SqlLive({ pool: world.pool, chainId: 1, now: () => NOW })
    expect(live.has(to)).toBe(false)
    await live.refresh()
    expect(live.has(to)).toBe(true)
    const late = await world.give()
    await live.refresh()
    expect(live.has(late.to)).toBe(true)
    expect([...live.accounts()]).toEqual(expect.arrayContaining([to, late.to]))
    for (const key of [{ address: to }, { requestId }, { orderId }]) {
      expect(await findAddresses(world.pool, key)).toMatchObject([
        { type: 'strict', requestId, recoveryAddress: 'rescue' },
      ])
    }
  })

  it('is live from its commit on, in whatever order addresses commit, until the last of its chain is over', async () => {
    let now = NOW
    const own = await AddressWorld.open()
    const live = new SqlLive({ pool: own.pool, chainId: 1, now: () => now })
    const begun = async () => {
      await live.refresh()
      return live.size
    }
    try {
      expect(await begun()).toBe(0)
      const { to, orderId, orderDeadline } = await own.give()
      const [{ id } = { id: '' }] = await findAddresses(own.pool, { orderId })
      await own.pool.query('delete from deposit_address_places')
      const slow = await own.pool.connect()
      await slow.query('begin')
      // Its id is older than that of the next one, which commits before it.
      await slow.query(
        `insert into deposit_address_places (address_id, chain_id, account, next_look_at) values ($1, 1, $2, now())`,
        [id, to],
      )
      const other = await own.give()
      expect([await begun(), live.has(other.to), live.has(to)]).toEqual([1, true, false])
      await slow.query('commit')
      slow.release()
      expect([await begun(), live.has(to)]).toEqual([2, true])
      now = orderDeadline * 1_000 + 3_600_001
      expect(await begun()).toBe(0)
      expect(await begun()).toBe(0)
      const next = await own.give('open', { orderDeadline: orderDeadline + 100_000 })
      expect([await begun(), live.has(next.to), live.has(to)]).toEqual([1, true, false])
    } finally {
      await own.ground.database.drop()
    }
  })

  it('is given once on its chain (faults.md F18)', async () => {
    const { to } = await world.give()
    await expect(world.give('open', {}, { destination: { address: to } })).rejects.toThrow(/duplicate key/)
  })
})

describe('money that comes to an address', () => {
  it('is booked once where its arrival and its sweep are the first of the address, at once', async () => {
    const { orderId } = await world.give()
    const [{ id: addressId } = { id: '' }] = await findAddresses(world.pool, { orderId })
    const change = { addressId, chainId: 1, currency: 'coin' }
    const before = await world.booked()
    const [first, second] = [await world.pool.connect(), await world.pool.connect()]
    await Promise.all([first.query('begin'), second.query('begin')])
    await changeAddressBooks(first, [{ ...change, arrived: 1_000n }], NOW)
    const waiting = changeAddressBooks(second, [{ ...change, swept: 400n }], NOW)
    await first.query('commit')
    await waiting
    await second.query('commit')
    for (const client of [first, second]) client.release()
    const after = await world.booked()
    expect([after.addresses - before.addresses, after.unswept - before.unswept]).toEqual([600n, -600n])
  })

  it('F155: favours an address once half of what its quote asked for came; dust, or another currency, buys nothing', async () => {
    const favoured = async (to: string) => {
      const { rows } = await world.pool.query<{ favoured: boolean }>(
        'select favoured from deposit_address_places where account = $1',
        [to],
      )
      return rows[0]?.favoured
    }
    const [trusted, anonymous] = [await world.give(), await world.give('open', {}, { holder: 'address 192.0.2.1' })]
    expect([await favoured(trusted.to), await favoured(anonymous.to)]).toEqual([true, false])
    await world.arrive(world.arrival(anonymous.to, 1n), world.arrival(anonymous.to, 499n))
    await world.arrive(world.arrival(anonymous.to, 1_000n, { money: { currency: 'other', amount: 1_000n } }))
    expect(await favoured(anonymous.to)).toBe(false)
    await world.arrive(world.arrival(anonymous.to, 500n))
    expect(await favoured(anonymous.to)).toBe(true)
  })

  it('moves its request to pending where it is what was asked, and is booked as nobody’s yet', async () => {
    const { to, orderId } = await world.give()
    const before = await world.booked()
    const arrival = world.arrival(to, 1_000n)
    await world.arrive(arrival)
    await world.arrive(arrival)
    expect(await world.requestsOf(orderId)).toMatchObject([
      { status: 'pending', next: 'await-block', transfer: arrival.tx.id, address: to },
    ])
    const after = await world.booked()
    expect([after.addresses - before.addresses, after.unswept - before.unswept]).toEqual([1_000n, -1_000n])
    expect((await world.place(to)).booked.get('coin')).toBe(1_000n)
  })

  it('of another amount moves nothing before it is swept: what becomes of it is decided then', async () => {
    const { to, orderId } = await world.give()
    await world.arrive(world.arrival(to, 400n), world.arrival('a stranger’s', 1_000n))
    expect(await world.requestsOf(orderId)).toEqual([])
    expect((await world.place(to)).booked.get('coin')).toBe(400n)
  })

  it('leaves the books and the request when its block leaves, and is there again with another block (wire.md K.2 6)', async () => {
    const { to, orderId } = await world.give()
    const before = await world.booked()
    const arrival = world.arrival(to, 1_000n, { block: { height: 500n, hash: '0x500', time: 1 } })
    await world.arrive(arrival)
    await world.rewind(499n)
    expect(await world.booked()).toEqual(before)
    expect(await world.requestsOf(orderId)).toMatchObject([{ status: 'waiting' }])
    await world.rewind(499n, { ...arrival, block: { height: 501n, hash: '0x501', time: 2 } })
    expect((await world.booked()).addresses - before.addresses).toBe(1_000n)
    expect(await world.requestsOf(orderId)).toMatchObject([{ status: 'pending' }])
  })

  it('from the mempool is seen, and booked in its block alone', async () => {
    const { to, orderId } = await world.give()
    const before = await world.booked()
    const seen = world.arrival(to, 1_000n, { state: 'seen', block: null })
    await world.arrive(seen)
    expect(await world.requestsOf(orderId)).toMatchObject([{ status: 'pending' }])
    expect(await world.booked()).toEqual(before)
    await world.arrive({ ...seen, state: 'dropped' })
    expect(await world.requestsOf(orderId)).toMatchObject([{ status: 'waiting' }])
  })
})

describe('the record of an address (wire.md 3.1)', () => {
  const search = () => new RecordSearch({ pool: world.pool })
  const found = async (...conditions: readonly (readonly [RecordField, string])[]) => {
    const { rows } = await search().page({
      conditions: conditions.map(([field, value]) => ({ field, not: false, values: [value] })),
      ...{ groups: [], ranges: {}, hiddenChains: [], children: false, sort: 'createdAt', descending: true, limit: 20 },
      after: null,
    })
    return rows.map(({ id }) => id)
  }
  const recordOf = async (id: Hex) => {
    const [row] = (
      await search().page({
        conditions: [{ field: 'id', not: false, values: [id] }],
        ...{ groups: [], ranges: {}, hiddenChains: [], children: false, sort: 'createdAt', descending: true, limit: 1 },
        after: null,
      })
    ).rows
    if (row === undefined) throw new Error('There is no record')
    const facts = (await loadRecordFacts(world.pool, [row])).get(id)
    if (facts === undefined) throw new Error('There are no facts')
    return facts
  }
  const statusOf = async (id: Hex) => (await new SqlRequestReader({ pool: world.pool }).findStatus(id))?.status

  it('names who paid and by which transaction once somebody did; both find it, and its age stays', async () => {
    const { to, requestId, orderId } = await world.give()
    const before = await recordOf(requestId)
    expect(before).toMatchObject({ depositor: null, transferTx: null, createdAt: NOW })
    const arrival = world.arrival(to, 1_000n, { sender: 'payer?dt=7' })
    await world.arrive(arrival)
    const known = { depositor: 'payer', transferTx: arrival.tx.id, createdAt: NOW }
    expect(await recordOf(requestId)).toMatchObject({ ...known, status: 'pending' })
    await world.ground.see(world.ground.event(orderId, 1_000n, 101n))
    expect(await recordOf(requestId)).toMatchObject(known)
    for (const field of ['term', 'depositTxHash', 'hash'] as const) {
      expect(await found([field, arrival.tx.id])).toEqual([requestId])
    }
    expect(await found(['user', 'payer'], ['id', requestId])).toEqual([requestId])
    expect(await found(['user', 'payer'])).toEqual([requestId])
  })

  it('half paid: has the payment and its payer, then says what became of it, as the status does', async () => {
    const { to, requestId, orderId } = await world.give('strict')
    const arrival = world.arrival(to, 400n, { sender: 'half payer' })
    await world.arrive(arrival)
    const payment = { depositor: 'half payer', transferTx: arrival.tx.id }
    expect(await recordOf(requestId)).toMatchObject({ ...payment, status: 'waiting', supersededBy: null })
    for (const field of ['term', 'depositTxHash'] as const) {
      expect(await found([field, arrival.tx.id])).toEqual([requestId])
    }
    await world.ground.see(world.ground.event(orderId, 400n, 101n))
    const [child] = (await found(['depositTxHash', arrival.tx.id])) as [Hex]
    expect(child).not.toBe(requestId)
    expect(await recordOf(child)).toMatchObject({ ...payment, status: 'pending' })
    expect(await recordOf(requestId)).toMatchObject({ status: 'pending', supersededBy: child })
    const fail = { failReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL', refundFailReason: null } as const
    await withTransaction(world.pool, (client) =>
      changeStatuses(client, [{ requestId: child, to: 'refund', ...fail }], NOW + 5),
    )
    expect(await recordOf(requestId)).toMatchObject({
      status: 'refund',
      supersededBy: child,
      failReason: fail.failReason,
    })
    expect(await found(['id', requestId], ['status', 'refund'])).toEqual([requestId])
    expect(await statusOf(requestId)).toBe('refund')
  })

  it('counts by what was deposited, at the price of the quote; by no fee after a refund', async () => {
    const currencyIn = { currency: { address: 'coin' }, amount: '1000', amountUsd: '10.000000' }
    const quoted = JSON.stringify({ details: { currencyIn }, fees: { app: { amountUsd: '0.5' } } })
    const dollars = async (amount: bigint, refunded = false) => {
      const { orderId, requestId } = await world.ground.quote({}, { quoted })
      await world.ground.see(world.ground.event(orderId, amount, 101n))
      if (refunded) {
        await withTransaction(world.pool, (client) => changeStatuses(client, [{ requestId, to: 'refund' }], NOW + 5))
      }
      const { rows } = await world.pool.query<{ usd: string; app: string }>(
        `select amount_usd::text as usd, app_fees_usd::text as app from requests where id = decode($1, 'hex')`,
        [requestId.slice(2)],
      )
      return rows.map(({ usd, app }) => [Number(usd), Number(app)])
    }
    expect(await dollars(1_000n)).toEqual([[10, 0.5]])
    expect(await dollars(1_500n)).toEqual([[15, 0.75]])
    expect(await dollars(900n)).toEqual([[9, 0.45]])
    expect(await dollars(900n, true)).toEqual([[9, 0]])
  })
})

describe('the deposit that a sweep makes (wire.md E.2)', () => {
  const swept = async (
    type: 'open' | 'strict',
    amounts: readonly bigint[],
    more: Parameters<AddressWorld['give']>[1] = {},
  ) => {
    const given = await world.give(type, more)
    const before = await world.booked()
    const arrivals = amounts.map((amount) => world.arrival(given.to, amount))
    await world.arrive(...arrivals)
    const deposit = world.ground.event(
      given.orderId,
      amounts.reduce((sum, amount) => sum + amount, 0n),
      101n,
    )
    await world.ground.see(deposit)
    return { ...given, before, arrivals, deposit }
  }

  it('open, exact amount: the original quote is filled, and the books have it in the depository', async () => {
    const { orderId, deposit, before } = await swept('open', [1_000n])
    expect(await world.requestsOf(orderId)).toMatchObject([{ parent: null, status: 'pending', next: 'decide' }])
    expect(await world.ground.standing(deposit)).toMatchObject({ order_taken: true })
    const { addresses, unswept, depository } = await world.booked()
    expect([addresses, unswept, depository - before.depository]).toEqual([before.addresses, before.unswept, 1_000n])
  })

  it.each([
    ['less', 400n],
    ['more', 1_700n],
  ])(
    'open, %s: a request of its own waits for an order, and answers for the quote’s id (wire.md E.3, K.4 1)',
    async (_, amount) => {
      const { orderId, requestId, arrivals } = await swept('open', [amount])
      expect(await world.requestsOf(orderId)).toMatchObject([
        {
          parent: requestId,
          answers: requestId,
          status: 'pending',
          next: 'requote',
          reason: null,
          amount: String(amount),
          transfer: arrivals[0]?.tx.id,
        },
      ])
      const status = await new SqlRequestReader({ pool: world.pool }).findStatus(requestId)
      expect(status).toMatchObject({ requestId, status: 'pending', transferTx: arrivals[0]?.tx.id })
    },
  )

  it('open, second deposit after processing: a fresh request, which answers for nobody', async () => {
    const { to, orderId, requestId } = await swept('open', [1_000n])
    await world.arrive(world.arrival(to, 1_000n))
    await world.ground.see(world.ground.event(orderId, 1_000n, 102n))
    expect(await world.requestsOf(orderId)).toMatchObject([
      { parent: null, next: 'decide' },
      { parent: requestId, next: 'requote', answers: null },
    ])
  })

  it('strict: exact is filled, and a second one goes back as DOUBLE_SPEND', async () => {
    const { to, orderId } = await swept('strict', [1_000n])
    await world.arrive(world.arrival(to, 1_000n))
    await world.ground.see(world.ground.event(orderId, 1_000n, 102n))
    expect(await world.requestsOf(orderId)).toMatchObject([
      { reason: null },
      { reason: 'DOUBLE_SPEND', next: 'decide' },
    ])
  })

  it('strict, less by one unit: refunded with DEPOSITED_AMOUNT_TOO_LOW_TO_FILL (faults.md F11)', async () => {
    const { orderId } = await swept('strict', [999n])
    expect(await world.requestsOf(orderId)).toMatchObject([{ reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' }])
  })

  it('strict, more: the order is filled, what is beyond it is excess (faults.md F12)', async () => {
    const { orderId } = await swept('strict', [1_500n])
    expect(await world.requestsOf(orderId)).toMatchObject([{ parent: null, reason: null, next: 'decide' }])
  })

  it('after the order’s life: refunded with ORDER_EXPIRED', async () => {
    const { orderId } = await swept('open', [1_000n], { orderDeadline: Math.floor(NOW / 1000) - 1 })
    expect(await world.requestsOf(orderId)).toMatchObject([{ reason: 'ORDER_EXPIRED' }])
  })

  it('that nobody saw come counts as found, and one that left its chain lies at its address again', async () => {
    const { orderId } = await world.give()
    const before = await world.booked()
    const deposit = world.ground.event(orderId, 1_000n, 101n)
    await world.ground.see(deposit)
    expect(await world.booked()).toMatchObject({ addresses: before.addresses, unswept: before.unswept })
    await world.ground.leave([deposit])
    expect((await world.booked()).depository).toBe(before.depository)
  })

  it('of money that the block of its sweep shows late is booked once', async () => {
    const { to, orderId } = await world.give()
    const before = await world.booked()
    await world.ground.see(world.ground.event(orderId, 1_000n, 101n))
    await world.arrive(world.arrival(to, 1_000n))
    expect((await world.booked()).addresses).toBe(before.addresses)
  })

  it('in the page of the payments that it took finds them, and leaves what came after it', async () => {
    const { to, orderId, requestId } = await world.give()
    const later = { block: { height: 102n, hash: '0x102', time: 1 } }
    const payments = [world.arrival(to, 300n), world.arrival(to, 400n), world.arrival(to, 500n, later)]
    await world.ground.read({ arrivals: payments, deposits: [world.ground.event(orderId, 700n, 101n)] })
    expect(await world.requestsOf(orderId)).toMatchObject([
      { parent: requestId, next: 'requote', transfer: payments[0]?.tx.id },
    ])
    expect(await waitingAt(orderId)).toMatchObject([{ height: 102n }])
  })

  it('that is back in a block above what was read waits until what it took is told again', async () => {
    const { to, orderId } = await world.give()
    const deposit = world.ground.event(orderId, 1_000n, 101n)
    const payment = world.arrival(to, 1_000n)
    await world.ground.read({ arrivals: [payment], deposits: [deposit] })
    const back = { ...deposit, block: { height: 105n, hash: '0x105', time: 1 } }
    const found = (finding: 'missing' | 'present') => [
      { ...gone(deposit), finding, ...(finding === 'present' ? { deposit: back } : {}) },
    ]
    await world.ground.read({ rewoundTo: 99n, height: 99n }, found('missing'))
    await world.ground.read({ rewoundTo: 98n, height: 98n }, found('present'))
    expect(await world.ground.books(deposit)).toEqual({})
    const moved = { ...payment, block: { height: 104n, hash: '0x104', time: 1 } }
    await world.ground.read({ height: 105n, arrivals: [moved], deposits: [back] })
    expect(await world.ground.books(deposit)).toMatchObject({ depository: '1000' })
    expect(await waitingAt(orderId)).toEqual([])
  })
})

describe('refundTo by the native marker (wire.md E.5, F143)', () => {
  const clock = { now: () => NOW }
  /** The refund that the recorded arrivals lead to. */
  const targetOf = async (requestId: string, txId: string | null = null) => {
    const { rows } = await world.pool.query<{ id: string; terms: string }>(
      `select d.id::text as id, r.terms from deposits d join requests r on r.id = d.request_id
       where (r.id = $1 or r.parent_request_id = $1) and d.tx_id = coalesce($2, d.tx_id) order by d.id limit 1`,
      [Buffer.from(requestId.slice(2), 'hex'), txId],
    )
    const terms = parseTerms(rows[0]?.terms ?? '')
    // The first arrival alone names no sender.
    expect(terms.refundTo).toBeNull()
    const deps = { pool: world.pool, addressRules: RULES, clock }
    return refundTarget(deps, terms, { id: rows[0]?.id ?? '', chainId: 1 })
  }
  const give = () => world.give('open', { refundTo: null, refundToSender: true })
  /** Payments of 300 in the block before the sweep of all of them and of `more`. */
  const sent = async (senders: readonly (string | null)[], more = 0n) => {
    const { to, orderId, requestId } = await give()
    await world.arrive(...senders.map((sender) => world.arrival(to, 300n, { sender })))
    await world.ground.see(world.ground.event(orderId, 300n * BigInt(senders.length) + more, 101n))
    return targetOf(requestId)
  }
  const at = (height: bigint) => ({ height, hash: world.ground.id(), time: Math.floor(NOW / 1000) })
  beforeEach(() => {
    world.ground.height = 101n
  })
  afterAll(() => {
    world.ground.height = 100n
  })

  it('is the sender of most of it, with what is of others or unknown', async () => {
    expect(await sent(['alice', 'alice'])).toEqual({ refundTo: { address: 'alice' }, others: 0n, unread: false })
    expect(await sent(['alice', 'bob', 'bob'])).toEqual({ refundTo: { address: 'bob' }, others: 300n, unread: false })
    expect(await sent(['alice', null])).toEqual({ refundTo: { address: 'alice' }, others: 300n, unread: false })
    expect(await sent(['alice'], 7n)).toEqual({ refundTo: { address: 'alice' }, others: 7n, unread: false })
    expect(await sent([null])).toEqual({ refundTo: null, others: 300n, unread: false })
  })

  it('of a payment that made no arrival, beside one unit of a stranger, nearly all is unknown', async () => {
    const { to, orderId, requestId } = await give()
    await world.arrive(world.arrival(to, 1n, { sender: 'stranger' }))
    await world.ground.see(world.ground.event(orderId, 1_000_001n, 101n))
    expect(await targetOf(requestId)).toEqual({ refundTo: { address: 'stranger' }, others: 1_000_000n, unread: false })
  })

  it('does not count what came in the block of the sweep or after it: a stranger cannot fill up the sum', async () => {
    const { to, orderId, requestId } = await give()
    const payments = [at(100n), at(101n), at(102n)].map((block) =>
      world.arrival(to, block.height === 100n ? 1n : 1_000_000n, { sender: 'stranger', block }),
    )
    await world.arrive(...payments)
    await world.ground.see(world.ground.event(orderId, 1_000_001n, 101n))
    expect(await targetOf(requestId)).toEqual({ refundTo: { address: 'stranger' }, others: 1_000_000n, unread: false })
  })

  it('is not who sent what a node told too late for the deposit that it is in', async () => {
    const { to, orderId, requestId } = await give()
    await world.arrive(world.arrival(to, 1n, { sender: 'alice' }))
    const first = world.ground.event(orderId, 1_001n, 101n)
    await world.ground.see(first)
    await world.arrive(world.arrival(to, 1_000n, { sender: 'late' }))
    await world.arrive(world.arrival(to, 7n, { sender: 'bob', block: at(102n) }))
    const second = world.ground.event(orderId, 7n, 103n)
    await world.ground.see(second)
    expect(await targetOf(requestId, second.tx.id)).toMatchObject({ refundTo: { address: 'bob' }, others: 0n })
    expect(await targetOf(requestId, first.tx.id)).toMatchObject({ refundTo: { address: 'late' }, others: 1n })
    expect(await waitingAt(orderId)).toEqual([])
  })

  it('waits for a host with two watchers to read up to the sweep where a part is unknown, and not where nothing is', async () => {
    world.ground.height = 100n
    expect(await sent(['alice'], 7n)).toMatchObject({ unread: true })
    expect(await sent([null])).toMatchObject({ unread: true })
    expect(await sent(['alice'])).toEqual({ refundTo: { address: 'alice' }, others: 0n, unread: false })
    const { orderId, requestId } = await give()
    await world.ground.see(world.ground.event(orderId, 300n, 101n))
    expect(await targetOf(requestId)).toMatchObject({ unread: true })
    const other = await give()
    await world.ground.see(world.ground.event(other.orderId, 300n, 101n))
    await world.pool.query(`update deposits set created_at = created_at - interval '15 minutes'`)
    expect(await targetOf(other.requestId)).toEqual({ refundTo: null, others: 300n, unread: false })
  })

  it('keeps one row of thousands of payments of a currency for its transaction', async () => {
    const { to, orderId } = await give()
    const early = Array.from({ length: 600 }, () => world.arrival(to, 1n, { sender: 'alice', block: at(100n) }))
    await world.arrive(...early)
    const waiting = await withTransaction(world.pool, (client) => findWaitingArrivals(client, 1, [orderId]))
    expect(waiting.get(orderId)?.arrivals).toMatchObject([{ txId: early[0]?.tx.id, height: 100n }])
    await world.ground.see(world.ground.event(orderId, 600n, 101n))
    expect(await world.requestsOf(orderId)).toMatchObject([{ refund_to: null, transfer: early[0]?.tx.id }])
  })

  it('is never a custodian: REFUND_RECIPIENT_IS_VASP', async () => {
    expect(await sent([CUSTODIAN])).toEqual({ refundTo: null, noRefund: 'REFUND_RECIPIENT_IS_VASP' })
  })
})

describe('a request that waits for an order of its own', () => {
  it('gets it, consumed by its deposit, and is decided by its terms; the chain shows the order of the address', async () => {
    const { due, deposit, orderId } = await world.fresh(1_700n)
    const terms = { ...due.terms, orderId: world.ground.id(), depositAmount: 1_700n, payoutAmount: 1_600n }
    const made = { terms, order: '{}', quoted: '{"requestType":"Bridge"}' }
    expect(await withTransaction(world.pool, (client) => recordRequote(client, due, made, NOW))).toBe(true)
    expect(await withTransaction(world.pool, (client) => recordRequote(client, due, made, NOW))).toBe(false)
    const open = await world.ground.open(deposit)
    expect(open).toMatchObject({
      requestId: due.requestId,
      terms: { orderId: terms.orderId, payoutAmount: 1_600n },
      deposit: { orderId },
    })
    expect(await world.ground.standing(deposit)).toMatchObject({ order_taken: true, refund_reason: null })
  })

  it('is refunded where it can never be made', async () => {
    const { due, deposit } = await world.fresh(3n)
    await withTransaction(world.pool, (client) => refuseRequote(client, due, 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL', NOW))
    expect(await world.ground.open(deposit)).toMatchObject({ refundReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' })
  })

  it('is not decided before, and waits again when its deposit left and came back', async () => {
    const { deposit } = await world.fresh(700n)
    await expect(world.ground.open(deposit)).rejects.toThrow('not to be decided')
    await world.ground.leave([deposit])
    await world.ground.see(deposit)
    expect(await world.ground.standing(deposit)).toMatchObject({ status: 'pending', next: 'requote' })
  })
})

describe('a sweep', () => {
  it('is one of its address at a time, has no deposit, and takes along what was found', async () => {
    const { to, orderId } = await world.give()
    await world.arrive(world.arrival(to, 1_000n))
    const place = await world.place(to)
    const looked = {
      place,
      found: [{ currency: 'coin', amount: 1_000n }],
      nextAt: NOW,
      expected: false,
      trouble: null,
      gone: [],
    }
    await world.look({ ...looked, sweep: sweepOf(1_000n) })
    await world.look({ ...looked, sweep: sweepOf(1_000n) })
    const lane = { chainId: 1, signer: '0x5e' }
    const sweeps = (await findReadyPayouts(world.pool, lane, NOW, 1_000)).filter((payout) => payout.orderId === orderId)
    expect(sweeps).toMatchObject([
      {
        purpose: 'sweep',
        deposit: null,
        amount: 1_000n,
        data: { currencies: ['coin'] },
        address: { destination: { address: to } },
      },
    ])
    expect((await world.due()).map(({ address }) => address.destination.address)).not.toContain(to)
    const [sweep] = sweeps
    if (sweep === undefined) throw new Error('No sweep')
    await withTransaction(world.pool, (client) =>
      endSweep(client, sweep, 'Nothing lies there.', { now: NOW, lookAt: NOW }),
    )
    expect((await world.due(false)).map(({ address }) => address.destination.address)).toContain(to)
  })

  it('says in which block the sweep before it landed, of its own address and chain', async () => {
    const { to, orderId } = await world.give()
    await world.arrive(world.arrival(to, 1_000n))
    const place = await world.place(to)
    const looked = { place, found: [], nextAt: NOW, expected: false, trouble: null, gone: [] }
    const sweeping = async () => {
      await world.look({ ...looked, sweep: sweepOf(1_000n) })
      const ready = await findReadyPayouts(world.pool, { chainId: 1, signer: '0x5e' }, NOW, 1_000)
      const sweep = ready.find((payout) => payout.orderId === orderId)
      if (sweep === undefined) throw new Error('No sweep')
      return sweep
    }
    const first = await sweeping()
    expect(toChainPayout(first).sweep).not.toHaveProperty('after')
    const landed = `update payouts set state = 'included', included_height = $2, next_action = 'settle' where id = $1`
    await world.pool.query(landed, [first.id, '123'])
    const second = await sweeping()
    expect(toChainPayout(second).sweep?.after).toBe(123n)
  })

  it('money that came while its address was looked at is expected still', async () => {
    const { to } = await world.give()
    await world.arrive(world.arrival(to, 1n))
    const place = await world.place(to)
    await world.arrive(world.arrival(to, 5_000n))
    await world.look({
      place,
      found: [{ currency: 'coin', amount: 1n }],
      sweep: null,
      nextAt: NOW,
      expected: false,
      trouble: 'dust',
      gone: [],
    })
    expect((await world.place(to)).booked.get('coin')).toBe(5_001n)
  })

  it('what the books have is told to be quiet since the last payment or sweep, and nothing where they have nothing', async () => {
    const { to } = await world.give()
    const time = Math.floor(NOW / 1000) - 600
    await world.arrive(world.arrival(to, 10n, { block: { height: 100n, hash: world.ground.id(), time } }))
    const place = await world.place(to)
    expect(place.quietSince).toBe(NOW)
    const gone = [{ currency: 'coin', amount: 10n }]
    await world.look({ place, found: [], sweep: null, nextAt: NOW, expected: true, trouble: null, gone })
    expect((await world.place(to)).quietSince).toBeNull()
  })

  it('what the books have at an address, and no chain, is written off', async () => {
    const { to } = await world.give()
    const before = await world.booked()
    await world.arrive(world.arrival(to, 10n))
    const place = await world.place(to)
    await world.look({
      place,
      found: [],
      sweep: null,
      nextAt: NOW,
      expected: false,
      trouble: null,
      gone: [{ currency: 'coin', amount: 10n }],
    })
    expect((await world.booked()).addresses).toBe(before.addresses)
  })
})
