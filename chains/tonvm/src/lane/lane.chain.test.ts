import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { NOTHING_LIVE, type Payout, type SignedAttempt } from '@causeway/core/chain'
import { Address, beginCell, Cell, comment, external, loadMessage, storeMessage } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import type { Protocol } from '../options.js'
import { internalMessage } from '../testing/engine/internalMessage.js'
import { TON } from '../testing/testedTon.test.support.js'
import { newKey, openTonWorld, type TonWorld } from '../tonWorld.test.support.js'

const LIFETIME_SECONDS = 120
const ARRIVAL = 6

let ton: TonWorld
let network: TonWorld['network']
let token: string

beforeAll(async () => {
  ton = await openTonWorld()
  ;({ network, token } = ton)
}, 120_000)

afterAll(() => ton?.close())

/** A solver with nanotons and jettons of its own, and an adapter. */
const world = async (nanotons: bigint, jettons = 0n, protocol: Protocol = 'toncenter') => {
  const { solver, adapter } = await ton.startSolver(nanotons, jettons, { protocol: [protocol], rpcTimeoutMs: 2500 })
  const payout = (amount: bigint, currency = NATIVE): Payout => ({
    ...{ purpose: 'fill', orderId: bytesToHex(randomBytes(32)), from: solver.address, calls: [] },
    ...{ to: { address: newKey().address }, money: { currency, amount } },
  })
  const sign = async (...payouts: readonly Payout[]): Promise<SignedAttempt> => {
    const { position } = await adapter.lane.read(solver.address, null)
    const { prepared } = await adapter.lane.prepare(
      payouts.map((each) => ({ payout: each, gas: null })),
      position,
    )
    const [first] = prepared
    if (first == null) throw new Error('Nothing was prepared')
    return adapter.lane.sign(first, solver.signer)
  }
  const stateOf = async ({ txId, locator }: SignedAttempt, paid: Payout) => {
    const [state] = await adapter.lane.states([{ txId, payout: paid, ...(locator !== undefined && { locator }) }])
    return state
  }
  const verdictOf = ({ guards, txId, locator }: SignedAttempt, paid: Payout) =>
    adapter.lane.payoutVerdict(guards, [txId], {
      ...{ agreeing: 1, payout: paid },
      ...(locator !== undefined && { locators: { [txId]: locator } }),
    })
  const held = async (address: string, currency = NATIVE) =>
    (await adapter.getBalances([{ address, currency }])).amounts[0]
  return { adapter, solver, payout, sign, stateOf, verdictOf, held }
}

describe('a payment', () => {
  it('above the balance is taken by the wallet, sends nothing, and is unpaid and dead', async () => {
    const { adapter, payout, sign, stateOf, verdictOf, held } = await world(10n * TON)
    const paid = payout(50n * TON)
    const attempt = await sign(paid)
    expect(await adapter.lane.broadcast([attempt])).toEqual([{ outcome: 'known' }])
    await network.chain.advance(ARRIVAL)
    const state = await stateOf(attempt, paid)
    expect(state?.status).toBe('reverted')
    expect(state?.paid).toBe(0n)
    expect(await verdictOf(attempt, paid)).toBe('dead')
    expect(await held(paid.to.address)).toBe(0n)
  })

  it('that is sent and has not arrived is pending and alive, and paid once it arrives', async () => {
    const { adapter, payout, sign, stateOf, verdictOf } = await world(100n * TON)
    const paid = payout(5n * TON)
    const attempt = await sign(paid)
    await network.chain.stall()
    await adapter.lane.broadcast([attempt])
    await network.chain.advance(ARRIVAL)
    expect((await stateOf(attempt, paid))?.status).toBe('pending')
    expect(await verdictOf(attempt, paid)).toBe('alive')
    await network.chain.stall(false)
    await network.chain.advance(ARRIVAL)
    const state = await stateOf(attempt, paid)
    expect(state?.status).toBe('success')
    expect(state?.paid).toBe(5n * TON)
    expect(await verdictOf(attempt, paid)).toBe('landed')
  })

  it('of jettons above the balance comes back, and is unpaid', async () => {
    const { adapter, payout, sign, stateOf, verdictOf } = await world(100n * TON, 100n)
    const paid = payout(500n, token)
    const attempt = await sign(paid)
    await adapter.lane.broadcast([attempt])
    await network.chain.advance(ARRIVAL)
    expect((await stateOf(attempt, paid))?.status).toBe('reverted')
    expect(await verdictOf(attempt, paid)).toBe('dead')
  })

  it('that shares a request with another one is judged alone', async () => {
    const { adapter, payout, sign, stateOf, held } = await world(60n * TON, 100n)
    const [small, large, jettons] = [payout(5n * TON), payout(500n * TON), payout(40n, token)]
    const attempt = await sign(small, large, jettons)
    await adapter.lane.broadcast([attempt])
    await network.chain.advance(ARRIVAL)
    expect((await stateOf(attempt, small))?.paid).toBe(5n * TON)
    expect((await stateOf(attempt, large))?.status).toBe('reverted')
    expect((await stateOf(attempt, jettons))?.paid).toBe(40n)
    expect(await held(jettons.to.address, token)).toBe(40n)
  })

  it('whose time is over is refused, and dead only then', async () => {
    const { adapter, payout, sign, verdictOf } = await world(100n * TON)
    const paid = payout(5n * TON)
    const attempt = await sign(paid)
    expect(await verdictOf(attempt, paid)).toBe('alive')
    await network.chain.wind((LIFETIME_SECONDS + 10) * 1000)
    await network.chain.advance(2)
    const [result] = await adapter.lane.broadcast([attempt])
    expect(result?.outcome).toBe('expired')
    // A block of a shard may be older than the masterchain block that commits it.
    expect(await verdictOf(attempt, paid)).toBe('alive')
    await network.chain.wind(60_000)
    await network.chain.advance(2)
    expect(await verdictOf(attempt, paid)).toBe('dead')
  })

  it('keeps its id however its message was serialised', async () => {
    const { payout, sign, stateOf } = await world(100n * TON)
    const paid = payout(5n * TON)
    const attempt = await sign(paid)
    const { info, init, body } = loadMessage(Cell.fromHex(attempt.raw.slice(2)).beginParse())
    if (info.type !== 'external-in') throw new Error('The message is not external')
    const other = beginCell()
      .store(storeMessage(external({ to: info.dest, init: init ?? null, body }), { forceRef: true }))
      .endCell()
    expect(other.toBoc().toString('hex') === attempt.raw.slice(2)).toBe(false)
    await network.client.sendFile(other.toBoc())
    await network.chain.advance(ARRIVAL)
    expect((await stateOf(attempt, paid))?.paid).toBe(5n * TON)
  })

  it('that a limited node refuses is unknown, and errors tell no URL', async () => {
    const { adapter, payout, sign, held } = await world(100n * TON)
    const attempt = await sign(payout(5n * TON))
    await network.chain.setLimit(0)
    try {
      expect((await adapter.lane.broadcast([attempt]))[0]?.outcome).toBe('unknown')
      const failure = await held(ton.vault.address).catch((error: unknown) => String(error))
      expect(String(failure).includes('127.0.0.1')).toBe(false)
    } finally {
      await network.chain.setLimit(null)
    }
  })
})

describe.each(['toncenter', 'v4'] as const)('over %s', (protocol) => {
  it('equal deposits of one block are two, and payments are followed to their recipients', async () => {
    const { adapter, payout, sign, stateOf, verdictOf, held } = await world(100n * TON, 100n, protocol)
    const { height } = await adapter.tip()
    const user = new Address(0, Buffer.alloc(32, 9))
    const orderIds = [bytesToHex(randomBytes(32)), bytesToHex(randomBytes(32))]
    const to = Address.parseRaw(ton.vault.address)
    // The first two are equal in all but their transactions.
    const sent = [...orderIds.slice(0, 1), ...orderIds]
    await network.chain.apply(...sent.map((orderId) => internalMessage(user, to, 3n * TON, { body: comment(orderId) })))
    await network.chain.advance(1)
    const stop = new AbortController()
    const found = new Map<string, string | null>()
    const cursor = (await adapter.cursorAt?.(height)) ?? null
    for await (const { deposits } of adapter.watch(cursor, NOTHING_LIVE, stop.signal)) {
      for (const { tx, orderId } of deposits) found.set(tx.id, orderId)
      if (found.size >= sent.length) break
    }
    stop.abort()
    expect([...found.values()].sort()).toEqual([...sent].sort())
    const [coins, jettons] = [payout(5n * TON), payout(40n, token)]
    const attempt = await sign(coins, jettons)
    await adapter.lane.broadcast([attempt])
    await network.chain.advance(ARRIVAL)
    expect((await stateOf(attempt, coins))?.paid).toBe(5n * TON)
    expect((await stateOf(attempt, jettons))?.paid).toBe(40n)
    expect(await verdictOf(attempt, coins)).toBe('landed')
    expect(await held(jettons.to.address, token)).toBe(40n)
  })
})
