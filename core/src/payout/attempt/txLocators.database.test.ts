import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DepositEvent } from '../../chain/chainAdapter.js'
import type { TxRef } from '../../chain/chainReferences.js'
import type { Chain, ChainRegistry } from '../../chain/chainRegistry.js'
import type { Json } from '../../chain/json.js'
import type { OutgoingTransaction } from '../../chain/laneAdapter.js'
import { findDepositsAbove } from '../../deposit/depositStore.js'
import { judgeDeposit } from '../../deposit/depositTrust.js'
import { findParkedDeposit } from '../../deposit/parked/parkedDeposit.js'
import type { CurrencyRegistry } from '../../money/currency/currency.js'
import type { Prices } from '../../money/prices/priceSource.js'
import { SqlRequestReader } from '../../request/requestReaderSql.js'
import { toSentAttempt } from '../chainPayout.js'
import { recordDecisions } from '../decision/decisions.js'
import { DESTINATION, GroundWorld, NOW, ORIGIN, originChain } from '../groundWorld.test.support.js'
import { openLane } from '../lane/laneJournal.js'
import { closeAsPaid } from '../parked/closeAsPaid.js'
import { newLocators, recordLocators } from './attemptLocators.js'

const WALLET = '0x5e'
let world: GroundWorld

beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

/** A deposit that its chain finds by more than an id. */
const depositAt = async (locator: Json): Promise<DepositEvent> => {
  const { orderId } = await world.quote()
  const event = world.event(orderId, 1_000n)
  const located = { ...event, tx: { ...event.tx, locator } }
  await world.see(located)
  return located
}

const shownBy = async ({ tx }: Pick<DepositEvent, 'tx'>, chainId = ORIGIN) =>
  (await new SqlRequestReader({ pool: world.pool }).findByTransaction(chainId, tx.id))?.locator

describe('what a chain needs to find a deposit is stored with it and handed back (chains.md, ChainAdapter implications 1)', () => {
  it('to those who confirm, recheck and pay it back, and on the record', async () => {
    const locator = { account: 'EQ', lt: '46000000000003' }
    const event = await depositAt(locator)
    const asked: TxRef[] = []
    const adapter = {
      ...originChain.adapter,
      confirmDeposit: async ({ tx }: { tx: TxRef }) => asked.push(tx) > 0,
    }
    const quorum = [{ aboveUsd: '0', agreeing: 2 }]
    // CAST: only what is asked of a chain, its currencies and prices here.
    const chain = { adapter, config: { ...originChain.config, rpc: [{ provider: 'a' }, { provider: 'b' }], quorum } }
    const deps = {
      chains: { get: () => chain as unknown as Chain } as unknown as ChainRegistry,
      currencies: { find: () => undefined } as unknown as CurrencyRegistry,
      prices: {} as Prices,
    }
    expect(await judgeDeposit(deps, (await world.open(event)).deposit)).toBe('trusted')
    expect(asked).toEqual([{ id: event.tx.id, locator }])
    const stored = await findDepositsAbove(world.pool, ORIGIN, 99n)
    expect(stored.find(({ txId }) => txId === event.tx.id)?.locator).toEqual(locator)
    expect((await findParkedDeposit(world.pool, await world.depositId(event)))?.locator).toEqual(locator)
    expect(await shownBy(event)).toEqual(locator)
  })

  it('as it is in the block that holds the deposit now', async () => {
    const event = await depositAt(1)
    const again = { ...event, tx: { ...event.tx, locator: 2 }, block: { height: 101n, hash: '0xnew', time: 1 } }
    await world.see(again)
    expect((await world.open(event)).deposit.locator).toBe(2)
    expect(await shownBy(event)).toBe(2)
  })

  it('and is absent where the id is enough', async () => {
    const event = await world.deposit()
    expect('locator' in (await world.open(event)).deposit).toBe(false)
    expect(await shownBy(event)).toBeUndefined()
  })
})

describe('what a chain needs to find a payment', () => {
  it('is stored with the signed bytes, and replaced by what the chain tells later, on the record too', async () => {
    const event = await world.deposit()
    const payout = await world.decide(event, 'fill')
    await world.commit((client) => world.store(client, [payout], { ...world.sign(), locator: { sentAt: 7 } }))
    const sent = await world.onItsWay(event, 'fill')
    const [attempt] = sent.live
    if (attempt === undefined) throw new Error('A signed payout has an attempt')
    expect(toSentAttempt(sent, attempt)).toMatchObject({ txId: attempt.txId, locator: { sentAt: 7 } })
    expect(newLocators([{ attempt, state: { locator: { sentAt: 7 } } }])).toEqual(new Map())
    const learned = newLocators([{ attempt, state: { locator: { lt: '9' } } }])
    await recordLocators(world.pool, DESTINATION, learned)
    expect((await world.onItsWay(event, 'fill')).live[0]?.locator).toEqual({ lt: '9' })
    await world.include(event, 'fill')
    expect(await shownBy({ tx: { id: attempt.txId } }, DESTINATION)).toEqual({ lt: '9' })
  })

  const found = (orderId: OutgoingTransaction['orderId'], locator: Json): OutgoingTransaction => {
    const id = world.id()
    return {
      tx: { id, locator },
      guards: [`nonce:${id}`],
      orderId,
      purpose: null,
      to: 'recipient',
      money: { currency: 'coin', amount: 950n },
      status: 'success',
      block: null,
    }
  }
  const read = (unknown: readonly OutgoingTransaction[]) =>
    world.commit((client) =>
      openLane(client, { chainId: DESTINATION, signer: WALLET }, { position: 0, unknown, complete: true }, 1n, NOW),
    )

  it('comes with one that a lane found, to the payout that waited for it', async () => {
    const event = await world.deposit()
    await world.decide(event, 'fill')
    await read([found(event.orderId, { lt: '1' })])
    expect((await world.onItsWay(event, 'fill')).live[0]?.locator).toEqual({ lt: '1' })
  })

  it('comes with it to a payout that is decided later', async () => {
    const event = await world.deposit()
    await read([found(event.orderId, { lt: '2' })])
    const open = await world.open(event)
    const [recognised] = open.paid
    if (recognised === undefined) throw new Error('The payment was not found')
    const decision = { kind: 'fill', open, payout: world.payoutOf(open, 'fill'), recognised } as const
    await world.commit((client) => recordDecisions(client, [decision], NOW))
    expect((await world.onItsWay(event, 'fill')).live[0]?.locator).toEqual({ lt: '2' })
  })

  it('comes with it to a deposit that an operator closes as paid', async () => {
    const event = await world.deposit()
    const payment = found(event.orderId, { lt: '3' })
    await read([payment])
    const depositId = await world.depositId(event)
    const open = await world.open(event)
    await world.commit((client) =>
      recordDecisions(
        client,
        [{ kind: 'failure', open, reason: 'UNKNOWN', refundFailReason: 'MANUAL_REFUND_REQUIRED', details: null }],
        NOW,
      ),
    )
    await world.commit((client) => closeAsPaid(client, { depositId, txId: payment.tx.id }, NOW))
    expect((await world.onItsWay(event, 'fill')).live[0]?.locator).toEqual({ lt: '3' })
  })
})
