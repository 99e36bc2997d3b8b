import type { TestDatabase } from '@causeway/core/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkEnd, checkStep } from './checkStep.js'
import { CheckWorld, FILLED, openCheckDatabase } from './checkWorld.test.support.js'

const MADE = `0x${'e'.repeat(64)}`

/** The deposit that is filled was swept from an address. */
const SWEPT = `
  insert into deposit_addresses (id, chain_id, address, account, type, order_id, request_id, depositor, derivation, currency, created_at, live_until)
  overriding system value values (7, 1, 'told', 'told', 'open', '\\x${FILLED.slice(2)}', '\\x07', 'user', 'null', 'coin', now(), now());
  insert into deposit_address_places (address_id, chain_id, account, next_look_at) values (7, 1, 'told', now());
  insert into deposit_arrivals (address_id, chain_id, tx_id, position, currency, amount, state, created_at)
  values (7, 1, 'a1', 0, 'coin', 1000, 'included', now());
  insert into deposit_address_books (address_id, chain_id, currency, arrived, swept) values (7, 1, 'coin', 1000, 1000)`

let database: TestDatabase
let world: CheckWorld
beforeAll(async () => {
  database = await openCheckDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  world = await CheckWorld.open(database)
  const { origin, state } = world
  await world.query(SWEPT)
  origin.include('a1', origin.transfer('user', 'told', 1_000n, ''))
  origin.move('told', -1_000n)
  Object.assign(state.options, { addresses: () => [{ address: 'told', orderId: FILLED, toSender: false }] })
})
afterEach(() => world.close())

type Doctor = string | ((world: CheckWorld) => void)

const doctor = async (doctors: readonly Doctor[]): Promise<void> => {
  for (const item of doctors) {
    if (typeof item === 'string') await world.query(item)
    else item(world)
  }
}

const lies = (amount: bigint) => (subject: CheckWorld) => subject.origin.move('told', amount)
const books = (amount: number) =>
  `insert into ledger_entries (transaction_id, account, chain_id, currency, amount)
   select t.id, e.account, 1, 'coin', e.amount from ledger_transactions t, (values ('addresses', ${amount}), ('unswept', ${-amount})) e(account, amount)
   where t.cause = 'deposit:1' and t.event like 'included%'`
const arrival = (tx: string, amount: number) =>
  `insert into deposit_arrivals (address_id, chain_id, tx_id, position, currency, amount, state, created_at)
   values (7, 1, '${tx}', 0, 'coin', ${amount}, 'included', now())`

it('finds nothing where what came was swept and paid', async () => {
  expect(await checkStep(world.state)).toEqual([])
  expect(await checkEnd(world.state)).toEqual([])
})

describe('what an address shows', () => {
  it.each<[string, string, ...Doctor[]]>([
    ['address: its books', 'a payment that is counted twice', 'update deposit_address_books set arrived = 2000'],
    ['address: its books', 'a payment that is not counted', arrival('a2', 5)],
    ['address: its books', 'a deposit that no sweep is counted for', 'update deposit_address_books set swept = 999'],
    ['address: the ledger', 'an entry too much', books(1)],
    [
      'chain: what came',
      'a fill of its order and one of an order that was made for the same deposit',
      ({ state }) => state.made.set('1:d1', new Set([MADE])),
      ({ destination }) =>
        destination.include('f2', destination.transfer(destination.keys.payer.address, 'recipient', 800n, MADE)),
    ],
    ['end: what lies at an address is too little', 'what nobody swept', lies(5_001n)],
    ['end: what lies at an address is known', 'dust that nobody knows of', lies(7n)],
  ])('%s...: %s', async (invariant, _what, ...doctors) => {
    await checkStep(world.state)
    await doctor(doctors)
    const found = (await checkEnd(world.state)).map((problem) => problem.invariant)
    expect(found).toContainEqual(expect.stringContaining(invariant))
  })

  it.each<[string, ...Doctor[]]>([
    [
      'dust that is booked',
      lies(7n),
      arrival('a2', 7),
      'update deposit_address_books set arrived = arrived + 7',
      books(7),
    ],
    ['dust that a look found', lies(7n), `update deposit_address_places set found = '{"coin": "7"}'`],
    [
      'what a node made up, while it is waited for',
      arrival('nobody', 50),
      'update deposit_address_books set arrived = arrived + 50',
      books(50),
    ],
  ])('allows %s', async (_what, ...doctors) => {
    await doctor(doctors)
    expect(await checkEnd(world.state)).toEqual([])
  })
})
