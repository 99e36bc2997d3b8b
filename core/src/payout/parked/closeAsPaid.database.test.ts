import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutgoingTransaction } from '../../chain/laneAdapter.js'
import { withTransaction } from '../../database/pool.js'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import { findParkedDeposit } from '../../deposit/parked/parkedDeposit.js'
import { postLedger, readLedgerBalances } from '../../ledger/ledger.js'
import { depositPosting } from '../../ledger/postings.js'
import type { Hex } from '../../money/hex.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { createPayouts, type DepositPayout } from '../createPayouts.js'
import { recordDecisions } from '../decision/decisions.js'
import { importTransactions } from '../lane/laneJournal.js'
import { findOpenPayouts, findReadyPayouts } from '../payoutQueries.js'
import { recordIncluded } from '../settlement/recordIncluded.js'
import { closeAsPaid } from './closeAsPaid.js'
import { refundParked } from './refundParked.js'

const [ORIGIN, DESTINATION] = [1, 9]
const SIGNER = '0x5e'
const NOW = Date.UTC(2026, 10, 21)
const ORDER: Hex = `0x${'0a'.repeat(32)}`

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterEach(() => database.drop())

let deposits = 0
/** A deposit of 100 under the order, all of it parked. */
const deposit = async (order: Hex | null = ORDER): Promise<string> => {
  deposits += 1
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, block_height, block_hash,
       block_time, state, parked_reason, created_at)
     values ($1, $2, 0, $3, $4, 'd', 'd', 'c', 100, 5, 'b', now(), 'included', 'unknown order id', now()) returning id::text as id`,
    [ORIGIN, `tx${deposits}`, Buffer.alloc(32, deposits), order === null ? null : Buffer.from(order.slice(2), 'hex')],
  )
  const id = rows[0]?.id ?? ''
  await withTransaction(database.pool, (client) =>
    postLedger(
      client,
      [depositPosting({ id, inclusion: 1, parked: true, chainId: ORIGIN, currency: 'c', amount: 100n })],
      NOW,
    ),
  )
  return id
}

const sent = (id: string, more: Partial<OutgoingTransaction> = {}): OutgoingTransaction => ({
  tx: { id },
  guards: [`nonce:${id}`],
  orderId: ORDER,
  purpose: null,
  to: 'r',
  money: { currency: 'c', amount: 90n },
  status: 'success',
  block: null,
  ...more,
})

/** What the lane of a chain found that no attempt tells of. */
const found = (chainId: number, ...unknown: readonly OutgoingTransaction[]) =>
  withTransaction(database.pool, (client) => importTransactions(client, { chainId, signer: SIGNER }, unknown, NOW))

const close = (depositId: string, txId: string) =>
  withTransaction(database.pool, (client) => closeAsPaid(client, { depositId, txId }, NOW))

const payout = (depositId: string, more: Partial<DepositPayout> = {}): DepositPayout => ({
  purpose: 'refund',
  depositId,
  requestId: null,
  orderId: ORDER,
  chainId: ORIGIN,
  signer: SIGNER,
  recipient: { address: 'u' },
  currency: 'c',
  amount: 95n,
  fees: 5n,
  data: {},
  at: NOW,
  ...more,
})

const create = (...payouts: readonly DepositPayout[]) =>
  withTransaction(database.pool, (client) => createPayouts(client, payouts, NOW))

const payouts = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ text: string }>(
    `select p.purpose || ' ' || p.state || ' ' || p.amount || '+' || p.fees || coalesce(' ' || a.tx_id, '') as text
     from payouts p left join payout_attempts a on a.payout_id = p.id order by p.id`,
  )
  return rows.map(({ text }) => text)
}

/** The lane sees the payment in a block, and books it. */
const include = async (chainId: number): Promise<void> => {
  const open = await findOpenPayouts(database.pool, { chainId, signer: SIGNER }, ['signed'], 10)
  const state = { status: 'success', confirmations: 1, fee: 3n, paid: null, revert: null, txData: null } as const
  const block = { height: 7n, hash: 'h', time: 1 }
  const sightings = open.flatMap((item) =>
    item.live.map((attempt) => ({ payout: item, attempt, state: { ...state, block } })),
  )
  await withTransaction(database.pool, (client) =>
    recordIncluded(client, sightings, 'gas', { now: NOW, settleAt: NOW }),
  )
}

const books = async (): Promise<Record<string, bigint>> =>
  Object.fromEntries(
    (await readLedgerBalances(database.pool))
      .filter(({ balance }) => balance !== 0n)
      .map(({ account, chainId, currency, balance }) => [`${account} ${chainId} ${currency}`, balance]),
  )

describe('closing a deposit by what paid its order (F120)', () => {
  it('books a fill on another chain: the deposit is consumed, the wallet there paid', async () => {
    const id = await deposit()
    await found(DESTINATION, sent('0xf1', { money: { currency: 'x', amount: 80n } }))
    expect(await close(id, '0xf1')).toMatchObject({ purpose: 'fill' })
    await include(DESTINATION)
    expect(await payouts()).toEqual(['fill included 80+0 0xf1'])
    expect(await books()).toEqual({
      'depository 1 c': 100n,
      'conversion 1 c': -100n,
      'conversion 9 x': 80n,
      'wallet 9 x': -80n,
      'gas 9 gas': 3n,
      'wallet 9 gas': -3n,
    })
  })

  it('books a refund, what was kept of it as the price of its gas; one without order id goes by its own', async () => {
    const id = await deposit(null)
    const own: Hex = `0x${Buffer.alloc(32, deposits).toString('hex')}`
    await found(ORIGIN, sent('0xb1', { orderId: own }))
    expect(await close(id, '0xb1')).toMatchObject({ purpose: 'refund' })
    await include(ORIGIN)
    expect(await payouts()).toEqual(['refund included 90+10 0xb1'])
    expect(await books()).toMatchObject({ 'depository 1 c': 100n, 'fees 1 c': -10n, 'wallet 1 c': -90n })
    expect((await findParkedDeposit(database.pool, id))?.parked).toBe(0n)
  })

  it('takes no refund of another chain or currency: it was that of another deposit of the order', async () => {
    const id = await deposit()
    const refund = { purpose: 'refund' } as const
    await found(DESTINATION, sent('elsewhere', refund))
    await found(ORIGIN, sent('other money', { ...refund, money: { currency: 'other', amount: 90n } }))
    for (const txId of ['elsewhere', 'other money'])
      await expect(close(id, txId)).rejects.toThrow('it is that of another deposit')
    expect(await payouts()).toEqual([])
  })

  it('takes one transaction for one deposit, in whatever order and however often it is asked', async () => {
    const [first, second] = [await deposit(), await deposit()]
    await found(DESTINATION, sent('0xf1'))
    const both = await Promise.allSettled([close(first, '0xf1'), close(second, '0xf1'), close(first, '0xf1')])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await payouts()).toHaveLength(1)
  })

  it.each([
    ['of another order', { orderId: `0x${'0b'.repeat(32)}` }],
    ['that failed', { status: 'reverted' }],
    ['that took a deposit out of the depository', { purpose: 'withdraw' }],
  ] as const)('refuses a transaction %s, and it bars nothing', async (_, more) => {
    const id = await deposit()
    await found(ORIGIN, sent('0xb1', more))
    await expect(close(id, '0xb1')).rejects.toThrow('No transaction of a payout key that pays the order')
    await withTransaction(database.pool, (client) => refundParked(client, payout(id), NOW))
    expect(await payouts()).toEqual(['refund ready 95+5'])
  })

  it('lets the refund of a second deposit follow once the first is closed, and not before', async () => {
    const [first, second] = [await deposit(), await deposit()]
    await found(DESTINATION, sent('0xf1'))
    const refund = () => withTransaction(database.pool, (client) => refundParked(client, payout(second), NOW))
    await expect(refund()).rejects.toThrow(/was paid already: 0xf1 on chain 9 paid 90 units of c to r\. .*parked close/)
    await database.pool.query('update imported_transactions set released_at = now()')
    await expect(refund()).rejects.toThrow('was paid already')
    await close(first, '0xf1')
    await refund()
    expect(await findReadyPayouts(database.pool, { chainId: ORIGIN, signer: SIGNER }, NOW, 10)).toHaveLength(1)
  })
})

describe('a payout that waits while something paid its order (F120)', () => {
  const waiting = async (more: Partial<DepositPayout>): Promise<string> => {
    const id = await deposit()
    await database.pool.query(`update deposits set outcome = $2 where id = $1`, [id, more.purpose])
    await database.pool.query(
      `select post_ledger('deposit:' || $1, 'unparked', now(), '[{"account":"parked","chainId":1,"currency":"c","amount":"100"},
         {"account":"owed","chainId":1,"currency":"c","amount":"-100"}]')`,
      [id],
    )
    await create(payout(id, more))
    return id
  }
  const fill = { purpose: 'fill', chainId: DESTINATION, recipient: { address: 'r' }, amount: 88n, fees: 2n } as const

  it('takes it as its own payment, to whomever it went', async () => {
    const id = await waiting(fill)
    await found(DESTINATION, sent('0xf1', { to: 'somebody else', money: { currency: 'c', amount: 70n } }))
    expect(await close(id, '0xf1')).toMatchObject({ purpose: 'fill' })
    expect(await payouts()).toEqual(['fill signed 70+2 0xf1'])
  })

  it('ends where its deposit was sent back: a fill that was never sent becomes that refund', async () => {
    const id = await waiting(fill)
    await found(ORIGIN, sent('0xb1'))
    expect(await close(id, '0xb1')).toMatchObject({ purpose: 'refund' })
    expect(await payouts()).toEqual(['fill dead 88+2', 'refund signed 90+10 0xb1'])
    await include(ORIGIN)
    expect(await books()).toMatchObject({ 'depository 1 c': 100n, 'fees 1 c': -10n, 'wallet 1 c': -90n })
  })

  it('ends where its order was filled: a refund that was never sent becomes that fill', async () => {
    const id = await waiting({})
    await found(DESTINATION, sent('0xf1', { money: { currency: 'x', amount: 80n } }))
    expect(await close(id, '0xf1')).toMatchObject({ purpose: 'fill' })
    expect(await payouts()).toEqual(['refund dead 95+5', 'fill signed 80+0 0xf1'])
    await include(DESTINATION)
    expect(await books()).toMatchObject({ 'depository 1 c': 100n, 'conversion 1 c': -100n, 'wallet 9 x': -80n })
  })

  it('refuses a fill for what was sent back', async () => {
    const id = await waiting({})
    await database.pool.query(`update payouts set state = 'signed' where deposit_id = $1`, [id])
    await found(DESTINATION, sent('0xf1'))
    await expect(close(id, '0xf1')).rejects.toThrow('is parked, and no payment of it is held back')
  })
})

const refund = (id: string, amount: bigint) => payout(id, { recipient: { address: 'r' }, amount, fees: 100n - amount })

it('two refunds of one order made together take one transaction each, by their amounts (F120)', async () => {
  const [first, second] = [await deposit(), await deposit()]
  await found(ORIGIN, sent('0xb1', { money: { currency: 'c', amount: 60n } }), sent('0xb2'))
  await create(refund(first, 89n), refund(second, 61n))
  expect(await payouts()).toEqual(['refund signed 90+10 0xb2', 'refund signed 60+40 0xb1'])
})

it('of two that want the same transaction the nearer has it, and the other is held back, not paid (F120)', async () => {
  const [first, second] = [await deposit(), await deposit()]
  await found(ORIGIN, sent('0xb1', { money: { currency: 'c', amount: 10n } }), sent('0xb2'))
  await create(refund(first, 87n), refund(second, 89n))
  expect(await payouts()).toEqual(['refund ready 87+13', 'refund signed 90+10 0xb2'])
  expect(await findReadyPayouts(database.pool, { chainId: ORIGIN, signer: SIGNER }, NOW, 10)).toEqual([])
})

/** Decides to fill a deposit; `recognised`: by what was found. */
const decideToFill = (id: string, recognised = false) =>
  withTransaction(database.pool, (client) =>
    recordDecisions(
      client,
      [
        // CAST: only these of an open decision are read.
        {
          kind: 'fill',
          open: { requestId: ORDER, deposit: { id, amount: 100n } },
          payout: payout(id, { purpose: 'fill', chainId: DESTINATION, recipient: { address: 'r' } }),
          ...(recognised ? { recognised: {} } : {}),
        } as never,
      ],
      NOW,
    ),
  )

it('no outcome is set for an order that something paid, but to recognise just that (F120)', async () => {
  const id = await deposit()
  await found(DESTINATION, sent('0xf1'))
  await decideToFill(id)
  expect(await payouts()).toEqual([])
  await decideToFill(id, true)
  expect(await payouts()).toEqual(['fill signed 90+5 0xf1'])
})

it('transactions that brought a deposit in, or took it out of the depository, did not pay its order (F120)', async () => {
  const id = await deposit()
  const purposes = ['origin', 'sweep', 'withdraw'] as const
  await found(ORIGIN, ...purposes.map((purpose) => sent(purpose, { purpose })))
  await decideToFill(id)
  expect(await payouts()).toEqual(['fill ready 95+5'])
})

describe('several deposits of one order whose payments a database forgot (F118, F120)', () => {
  const withdrawal = (id: string, amount: bigint) =>
    payout(id, { purpose: 'withdraw', recipient: { address: 'r' }, amount, fees: 0n })
  const withdrawn = (tx: string, amount: bigint) => sent(tx, { purpose: 'withdraw', money: { currency: 'c', amount } })

  it('a withdrawal is that of the deposit with its amount, and never of another one', async () => {
    const [first, second] = [await deposit(), await deposit()]
    await found(ORIGIN, withdrawn('0xb1', 60n))
    await create(withdrawal(first, 100n))
    await create(withdrawal(second, 60n))
    expect(await payouts()).toEqual(['withdraw ready 100+0', 'withdraw signed 60+0 0xb1'])
  })

  it('payouts that were there before their payments were found have one each', async () => {
    const [first, second, third] = [await deposit(), await deposit(), await deposit()]
    await create(withdrawal(first, 50n), withdrawal(second, 60n), withdrawal(third, 60n))
    await found(ORIGIN, withdrawn('0xb1', 60n), withdrawn('0xb2', 60n))
    expect(await payouts()).toEqual(['withdraw ready 50+0', 'withdraw signed 60+0 0xb1', 'withdraw signed 60+0 0xb2'])
  })

  it('so have refunds, and what shares its guard is another version of the same one', async () => {
    const [first, second] = [await deposit(), await deposit()]
    await create(refund(first, 90n), refund(second, 90n))
    const bumped = sent('0xb1b', { guards: ['nonce:0xb1'] })
    await found(ORIGIN, sent('0xb1'), bumped, sent('0xb2'))
    expect(await payouts()).toEqual([
      'refund signed 90+10 0xb1',
      'refund signed 90+10 0xb1b',
      'refund signed 90+10 0xb2',
    ])
  })
})
