import { afterEach, beforeEach, expect, it } from 'vitest'
import { withTransaction } from '../../database/pool.js'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import { listParkedDeposits } from '../../deposit/parked/parkedDeposit.js'
import { postLedger } from '../../ledger/ledger.js'
import { depositPosting } from '../../ledger/postings.js'
import type { Hex } from '../../money/hex.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { importTransactions } from '../lane/laneJournal.js'
import { findUnexplainedPayments } from '../lane/unexplainedPayments.js'
import { closeAsPaid } from './closeAsPaid.js'
import { findProvenClosings } from './provenClosings.js'

const NOW = Date.UTC(2026, 10, 21)
const orderOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterEach(() => database.drop())

let deposits = 0
const park = async (order: Hex): Promise<string> => {
  deposits += 1
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, block_height, block_hash,
       block_time, state, parked_reason, created_at)
     values (1, $1, 0, $2, $3, 'd', 'd', 'c', 100, 5, 'b', now(), 'included', 'unknown order id', now()) returning id::text as id`,
    [`tx${deposits}`, Buffer.alloc(32, 200 + deposits), Buffer.from(order.slice(2), 'hex')],
  )
  const id = rows[0]?.id ?? ''
  const posting = depositPosting({ id, inclusion: 1, parked: true, chainId: 1, currency: 'c', amount: 100n })
  await withTransaction(database.pool, (client) => postLedger(client, [posting], NOW))
  return id
}

/** Payments of the lane of chain 9 that belong to no payout. */
const pay = (id: string, orderId: Hex) =>
  withTransaction(database.pool, (client) =>
    importTransactions(
      client,
      { chainId: 9, signer: '0x5e' },
      [
        {
          tx: { id },
          guards: [`nonce:${id}`],
          orderId,
          purpose: null,
          to: 'r',
          money: { currency: 'x', amount: 90n },
          status: 'success',
          block: null,
        },
      ],
      NOW,
    ),
  )

const closings = async () => {
  const parked = await listParkedDeposits(database.pool, { chainId: null, limit: 100 })
  return findProvenClosings(database.pool, parked)
}

it('an order with one payment and one deposit is proven; several of either, or none, are left to the operator', async () => {
  const one = await park(orderOf(1))
  const [first, second] = [await park(orderOf(2)), await park(orderOf(2))]
  const twice = await park(orderOf(3))
  await park(orderOf(4))
  await pay('0xf1', orderOf(1))
  await pay('0xf2', orderOf(2))
  await pay('0xf3', orderOf(3))
  await pay('0xf4', orderOf(3))
  const { proven, open } = await closings()
  expect(proven.map(({ deposit, txId }) => [deposit.id, txId])).toEqual([[one, '0xf1']])
  expect(open.map(({ deposit, why }) => [deposit.id, why])).toEqual([
    [twice, 'several transactions may have paid it'],
    [second, '2 deposits wait for 0xf2'],
    [first, '2 deposits wait for 0xf2'],
  ])
})

it('payments are unexplained until their deposits are closed', async () => {
  const id = await park(orderOf(1))
  await pay('0xf1', orderOf(1))
  await database.pool.query(
    `insert into lanes (chain_id, signer, state, position, height, updated_at) values (9, '0x5e', 'quarantined', '{}', 1, now())`,
  )
  expect(await findUnexplainedPayments(database.pool, 9)).toEqual({ quarantined: 1, transactions: 1, deposits: 1 })
  expect(await findUnexplainedPayments(database.pool, 1)).toEqual({ quarantined: 0, transactions: 0, deposits: 0 })
  await withTransaction(database.pool, (client) => closeAsPaid(client, { depositId: id, txId: '0xf1' }, NOW))
  expect(await findUnexplainedPayments(database.pool, 9)).toEqual({ quarantined: 1, transactions: 0, deposits: 0 })
})
