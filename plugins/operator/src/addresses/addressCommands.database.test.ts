import { findAudit } from '@causeway/core/plugin'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AddressDesk, HARBOR, LAGOON, RIVER } from './addressDesk.test.support.js'

let desk: AddressDesk
beforeAll(async () => {
  desk = await AddressDesk.open()
})
afterAll(() => desk?.database.drop())
beforeEach(() => {
  desk.silent.clear()
  desk.questions.length = 0
  desk.answer = false
})

const sweepOf = (amount: bigint) => ({
  signer: '0x5e',
  depository: 'depository',
  money: { currency: 'coin', amount },
  currencies: ['coin'],
})

const lastAudit = async () => (await findAudit(desk.pool, { limit: 1 }))[0]

describe('deposit-addresses list', () => {
  it('tells route, request, age and what lies there by the books and at the last look, with why it is not swept', async () => {
    const { to, requestId } = await desk.give({ type: 'strict' })
    await desk.pay(to, 1_250n)
    const found = [{ currency: 'coin', amount: 1_300n }]
    await desk.look(HARBOR, to, { found, trouble: 'It is worth less than its sweep costs.' })
    const text = (await desk.run('deposit-addresses list', [], { limit: '1' })).join('\n')
    expect(text).toContain(`ADDRESS ${to} on harbor`)
    expect(text).toContain('strict, COIN on harbor -> COIN on lagoon')
    expect(text).toContain(requestId)
    expect(text).toMatch(/12\.5 COIN by the books, 13 COIN found/)
    expect(text).toMatch(/NOT SWEPT\s+It is worth less than its sweep costs\./)
  })

  it('is bounded, goes on below a number, and leaves out where nothing lies', async () => {
    const [older, newer] = [await desk.give(), await desk.give()]
    const first = await desk.json('deposit-addresses list', [], { limit: '1' })
    expect(first).toMatchObject({ schemaVersion: 1, more: true, addresses: [{ address: newer.to }] })
    const before = first.addresses[0].addressId
    const rest = await desk.json('deposit-addresses list', [], { limit: '1', before })
    expect(rest.addresses[0].address).toBe(older.to)
    await desk.pay(older.to, 5n)
    const unswept = await desk.json('deposit-addresses list', [], { unswept: true, chain: 'harbor' })
    expect(unswept.addresses.map(({ address }: { address: string }) => address)).toContain(older.to)
    expect(unswept.addresses.map(({ address }: { address: string }) => address)).not.toContain(newer.to)
    expect(await desk.json('deposit-addresses list', [], { unswept: true, chain: 'lagoon' })).toMatchObject({
      addresses: [],
    })
  })

  it.each([
    [{ limit: '0' }, /--limit a whole number/],
    [{ limit: '1001' }, /--limit a whole number/],
    [{ before: 'x' }, /--before the number/],
    [{ chain: 'moon' }, /no chain moon/],
  ])('refuses %o', async (options, why) => {
    await expect(desk.run('deposit-addresses list', [], options)).rejects.toThrow(why)
  })
})

describe('deposit-addresses show', () => {
  it('tells the payments, the sweeps, the deposit that they became and the request made of it', async () => {
    const { to, requestId, orderId } = await desk.give({ recoveryAddress: 'rescue' })
    const { tx } = await desk.pay(to, 1_000n)
    await desk.look(HARBOR, to, { sweep: sweepOf(1_000n) })
    const waiting = await desk.json('deposit-addresses show', [to])
    expect(waiting.addresses[0].waitsFor[0]).toMatch(/^its sweep, payout \d+, to be signed$/)
    const depositId = await desk.sweptInto(orderId, 1_000n)
    const { addresses } = await desk.json('deposit-addresses show', [to.toUpperCase()])
    expect(addresses[0]).toMatchObject({
      recoveryAddress: 'rescue',
      refundTo: null,
      books: [{ arrived: '1000', swept: '1000', gone: '0' }],
      arrivals: [{ txId: tx.id, state: 'included', sender: 'payer', depositId }],
      sweeps: [{ state: 'ready', currencies: ['coin'], transactions: [] }],
      deposits: [{ depositId, state: 'included', requestId }],
      requests: [{ requestId, status: 'pending', nextAction: 'decide' }],
      more: false,
    })
    const text = (await desk.run('deposit-addresses show', [requestId])).join('\n')
    expect(text).toContain(`in deposit ${depositId}`)
    expect(text).toMatch(/recovery\s+rescue/)
    expect(text).toMatch(/waits for\s+.*the decision about request/)
  })

  it('says that a payment waits for a block, and that nothing was paid yet', async () => {
    const { to } = await desk.give()
    expect((await desk.json('deposit-addresses show', [to])).addresses[0].waitsFor).toEqual(['a payment to it'])
    const { tx } = await desk.pay(to, 1n, { state: 'seen', block: null })
    expect((await desk.json('deposit-addresses show', [to])).addresses[0].waitsFor).toEqual([
      `a block on chain 1 with the payment ${tx.id}`,
    ])
  })

  it('refuses what no quote gave', async () => {
    await expect(desk.run('deposit-addresses show', ['nobody'])).rejects.toThrow(/no address that a quote gave/)
    await expect(desk.run('deposit-addresses show', [`0x${'ab'.repeat(32)}`])).rejects.toThrow(/no address/)
  })
})

describe('deposit-addresses sweep', () => {
  it('orders a look that sweeps whatever it finds, says what lies there now, and is in the audit', async () => {
    const { to, addressId } = await desk.give()
    desk.holdings.set(`${HARBOR} ${to}`, [{ currency: 'coin', amount: 3n }])
    const lines = await desk.run('deposit-addresses sweep', [to], { yes: true, reason: 'the user asked' })
    expect(lines.join(' ')).toContain('0.03 COIN lies there now on harbor')
    expect(await desk.due(HARBOR, to)).toMatchObject({ forced: true, expected: true, looks: 0 })
    expect(await lastAudit()).toMatchObject({
      action: 'deposit-addresses sweep',
      subject: `deposit address ${addressId}`,
      details: { reason: 'the user asked', chainId: HARBOR, address: to },
    })
  })

  it('an order given while it is looked at is obeyed by the next look', async () => {
    const { to } = await desk.give()
    await desk.pay(to, 3n)
    const place = await desk.due(HARBOR, to)
    if (place === undefined) throw new Error('It is due')
    await desk.run('deposit-addresses sweep', [to], { yes: true })
    await desk.look(HARBOR, to, { place, trouble: 'It is worth less than its sweep costs.' })
    expect(await desk.due(HARBOR, to)).toMatchObject({ forced: true, expected: true })
    await desk.look(HARBOR, to, { sweep: sweepOf(3n) })
    const { addresses } = await desk.json('deposit-addresses show', [to])
    expect(addresses[0].places[0].forced).toBe(false)
  })

  it('asks first, and does nothing without a yes', async () => {
    const { to } = await desk.give()
    await expect(desk.run('deposit-addresses sweep', [to])).rejects.toThrow('Nothing was done.')
    expect(desk.questions).toEqual(['nothing lies there now on harbor. Sweep it at whatever cost?'])
    expect(await desk.due(HARBOR, to)).toBeUndefined()
  })

  it('orders it where no node answers too: the solver looks when one does', async () => {
    const { to } = await desk.give()
    desk.silent.add(HARBOR)
    const lines = await desk.run('deposit-addresses sweep', [to], { yes: true })
    expect(lines.join(' ')).toContain('harbor does not answer now')
    expect(await desk.due(HARBOR, to)).toMatchObject({ forced: true })
  })

  it('looks on another chain of the VM where the order has the same address (wire.md E.2, other chain)', async () => {
    const { to } = await desk.give()
    expect(await desk.due(LAGOON, to)).toBeUndefined()
    await desk.run('deposit-addresses sweep', [to], { chain: 'lagoon', yes: true })
    expect(await desk.due(LAGOON, to)).toMatchObject({ forced: true, expected: true })
  })

  it('adds no place where the address would be another one, or where there are none', async () => {
    const { to } = await desk.give()
    await expect(desk.run('deposit-addresses sweep', [to], { chain: 'river', yes: true })).rejects.toThrow(
      /address on river is river-.*out of reach/,
    )
    await expect(desk.run('deposit-addresses sweep', [to], { chain: 'plain', yes: true })).rejects.toThrow(
      /plain has no addresses to pay to here/,
    )
    const { rows } = await desk.pool.query(
      `select 1 from deposit_address_places p join deposit_addresses a on a.id = p.address_id where a.address = $1`,
      [to],
    )
    expect(rows).toHaveLength(1)
    expect(await desk.due(RIVER, to)).toBeUndefined()
  })
})

describe('deposit-addresses rescan', () => {
  it('orders a look at the usual worth, without asking', async () => {
    const { to } = await desk.give()
    const lines = await desk.run('deposit-addresses rescan', [to])
    expect(lines.join(' ')).toContain('nothing lies there now on harbor')
    expect(await desk.due(HARBOR, to)).toMatchObject({ forced: false, expected: true })
    expect(await lastAudit()).toMatchObject({ action: 'deposit-addresses rescan' })
  })
})

describe('deposit-addresses recover (wire.md E.5, K.4 2)', () => {
  const failed = async (recoveryAddress: string | null): Promise<{ depositId: string; requestId: string }> => {
    const { to, orderId, requestId } = await desk.give({ recoveryAddress })
    await desk.pay(to, 1_000n)
    const depositId = await desk.sweptInto(orderId, 1_000n)
    await desk.fail(depositId)
    return { depositId, requestId }
  }
  const yes = { yes: true, reason: 'the integrator asked' }
  const recover = (id: string, options = {}) => desk.run('deposit-addresses recover', [id], { ...yes, ...options })
  const payoutOf = async (depositId: string) =>
    (
      await desk.pool.query(
        `select purpose, state, recipient, amount::text as amount, fees::text as fees from payouts where deposit_id = $1`,
        [depositId],
      )
    ).rows

  it('pays what can neither be filled nor refunded to the recovery address, once', async () => {
    const { depositId, requestId } = await failed('rescue')
    const lines = await recover(requestId)
    expect(lines.join(' ')).toContain('9.93 COIN on harbor to rescue')
    expect(await payoutOf(depositId)).toEqual([
      { purpose: 'refund', state: 'ready', recipient: 'rescue', amount: '993', fees: '7' },
    ])
    expect(await lastAudit()).toMatchObject({
      action: 'deposit-addresses recover',
      details: { to: 'rescue', reason: 'the integrator asked' },
    })
    await expect(recover(depositId)).rejects.toThrow(/is paid back already/)
  })

  it('pays a parked deposit of the address in a currency that is not held', async () => {
    const { orderId } = await desk.give({ recoveryAddress: 'rescue' })
    const depositId = await desk.sweptInto(orderId, 900n, 'strange')
    await recover(`deposit:${depositId}`)
    expect(await payoutOf(depositId)).toMatchObject([{ recipient: 'rescue', state: 'ready' }])
  })

  it('refuses where the quote named none, and what did not come by an address', async () => {
    const { depositId } = await failed(null)
    await expect(recover(depositId)).rejects.toThrow(/named no recoveryAddress/)
    const stray = await desk.sweptInto(desk.id(), 900n)
    await expect(recover(stray)).rejects.toThrow(/did not come by an address/)
    await expect(recover('999999')).rejects.toThrow(/no deposit 999999/)
    await expect(recover(`0x${'ab'.repeat(32)}`)).rejects.toThrow(/unknown or has no deposit/)
  })

  it('refuses while it may still be filled or refunded', async () => {
    const { to, orderId } = await desk.give({ recoveryAddress: 'rescue' })
    await desk.pay(to, 1_000n)
    const depositId = await desk.sweptInto(orderId, 1_000n)
    await expect(recover(depositId)).rejects.toThrow(/Nothing of deposit \d+ is parked/)
    expect(await payoutOf(depositId)).toEqual([])
  })

  it('asks first, wants a reason, and pays nothing while a chain cannot say what was paid already', async () => {
    const { depositId } = await failed('rescue')
    await expect(recover(depositId, { yes: undefined })).rejects.toThrow('Nothing was done.')
    expect(desk.questions[0]).toMatch(/^Pay 9\.93 COIN on harbor to rescue/)
    await expect(recover(depositId, { reason: undefined })).rejects.toThrow(/--reason/)
    desk.silent.add(LAGOON)
    await expect(recover(depositId)).rejects.toThrow(/not yet known whether this was paid already/)
    expect(await payoutOf(depositId)).toEqual([])
  })
})
