import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordDecisions } from '../payout/decision/decisions.js'
import { DESTINATION, NOW } from '../payout/groundWorld.test.support.js'
import { HOLDS_BACK_SQL, importTransactions } from '../payout/lane/laneJournal.js'
import { releaseTransactions } from '../payout/lane/laneRelease.js'
import { closeAsPaid } from '../payout/parked/closeAsPaid.js'
import { AddressWorld } from './addressWorld.test.support.js'
import { recordRequote, refuseRequote } from './requotes.js'

let world: AddressWorld
beforeAll(async () => {
  world = await AddressWorld.open()
})
afterAll(() => world?.ground.database.drop())

const LANE = { chainId: DESTINATION, signer: '0x5e' }

describe('an order made for what came to an address, whose payment may be one of an order that this database forgot (F120)', () => {
  /** Its payout is decided, and the lane of the destination has found a payment to its recipient. */
  const found = async (kind: 'fill' | 'refund') => {
    const recipient = `recipient ${world.ground.id()}`
    const { due, deposit } = await world.fresh(1_700n, recipient)
    if (kind === 'fill') {
      const terms = { ...due.terms, orderId: world.ground.id(), depositAmount: 1_700n, payoutAmount: 1_600n }
      const made = { terms, order: '{}', quoted: '{"requestType":"Bridge"}' }
      await world.ground.commit((client) => recordRequote(client, due, made, NOW))
    } else await world.ground.commit((client) => refuseRequote(client, due, 'SLIPPAGE', NOW))
    const payment = {
      ...{
        tx: { id: world.ground.id() },
        guards: [],
        orderId: world.ground.id(),
        purpose: 'fill' as const,
        to: recipient,
      },
      ...{ money: { currency: 'coin', amount: 1_590n }, status: 'success' as const, block: null },
    }
    await world.ground.commit((client) => importTransactions(client, LANE, [payment], NOW))
    const open = await world.ground.open(deposit)
    const payout = world.ground.payoutOf(open, kind)
    const decision = kind === 'fill' ? { kind } : { kind, reason: 'SLIPPAGE' as const, details: null }
    await world.ground.commit((client) => recordDecisions(client, [{ ...decision, open, payout }], NOW))
    const isReady = async () => (await world.ground.findReady(deposit, kind)) !== undefined
    return { deposit, recipient, txId: payment.tx.id, depositId: open.deposit.id, isReady }
  }
  const release = (txId: string, explained: boolean) =>
    world.ground.commit((client) => releaseTransactions(client, LANE, [txId], { explained, now: NOW }))

  it.each(['fill', 'refund'] as const)('has no %s before an operator says what that was', async (kind) => {
    const { txId, isReady } = await found(kind)
    expect(await isReady()).toBe(false)
    const { rows } = await world.pool.query(
      `select from imported_transactions i where tx_id = $1 and ${HOLDS_BACK_SQL}`,
      [txId],
    )
    expect(rows).toHaveLength(1)
    // With all others it opens its lane, and no more.
    expect(await release(txId, false)).toMatchObject([{ txId }])
    expect(await isReady()).toBe(false)
    expect(await release(txId, true)).toMatchObject([{ txId }])
    expect(await isReady()).toBe(true)
    expect(await release(txId, true)).toEqual([])
  })

  it('waits for none that was found more than a day before its money came', async () => {
    const { txId, isReady } = await found('fill')
    const foundBefore = (hours: number) =>
      world.pool.query('update imported_transactions set created_at = to_timestamp($1 / 1000.0) where tx_id = $2', [
        NOW - hours * 3_600_000,
        txId,
      ])
    await foundBefore(23)
    expect(await isReady()).toBe(false)
    await foundBefore(25)
    expect(await isReady()).toBe(true)
  })

  it('is closed by it', async () => {
    const { deposit, depositId, txId } = await found('fill')
    await world.ground.commit((client) => closeAsPaid(client, { depositId, txId }, NOW))
    expect((await world.ground.onItsWay(deposit, 'fill')).live).toMatchObject([{ txId }])
  })

  it('is not closed by it while another deposit may have been what that paid, unless an operator says which one', async () => {
    const { deposit, depositId, recipient, txId } = await found('fill')
    const { due: other } = await world.fresh(900n, recipient)
    const close = (insteadOf?: readonly string[]) =>
      world.ground.commit((client) => closeAsPaid(client, { depositId, txId, ...(insteadOf && { insteadOf }) }, NOW))
    await expect(close()).rejects.toThrow(`may have paid deposit ${other.depositId} instead of ${depositId}`)
    await expect(close([depositId])).rejects.toThrow(`--instead-of ${other.depositId}`)
    await close([other.depositId])
    expect((await world.ground.onItsWay(deposit, 'fill')).live).toMatchObject([{ txId }])
  })

  it('is not one to another recipient, nor of an order that somebody has', async () => {
    const { due, deposit } = await world.fresh(1_700n, 'somebody')
    const payment = {
      tx: { id: world.ground.id() },
      guards: [],
      purpose: 'fill' as const,
      status: 'success' as const,
    }
    const { orderId: known } = await world.ground.quote()
    const others = [
      { ...payment, orderId: world.ground.id(), to: 'nobody', money: { currency: 'coin', amount: 1n }, block: null },
      { ...payment, orderId: known, to: 'somebody', money: { currency: 'coin', amount: 1n }, block: null },
    ].map((item) => ({ ...item, tx: { id: world.ground.id() } }))
    await world.ground.commit((client) => importTransactions(client, LANE, others, NOW))
    await world.ground.commit((client) => refuseRequote(client, due, 'SLIPPAGE', NOW))
    expect(await world.ground.decide(deposit, 'refund')).toMatchObject({ purpose: 'refund' })
  })
})
