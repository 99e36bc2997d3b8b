import type { TestDatabase } from '@causeway/core/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkStep } from '../checkStep.js'
import { CheckWorld, openCheckDatabase, REFUNDED } from '../checkWorld.test.support.js'

let database: TestDatabase
let world: CheckWorld
beforeAll(async () => {
  database = await openCheckDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  world = await CheckWorld.open(database)
})
afterEach(() => world.close())

type Doctor = string | ((world: CheckWorld) => void)

const doctor = async (doctors: readonly Doctor[]): Promise<void> => {
  for (const item of doctors) {
    if (typeof item === 'string') await world.query(item)
    else item(world)
  }
}

const WALLET = `0x${'f1'.repeat(20)}`
/** The fill earns a wallet this. */
const earns = (amount: number, worth: number) =>
  `update payouts set data = '{"excess": "100", "earnings": {"chainId": 2, "currency": "dollar", "list":
     [{"holder": "0xf1", "kind": "app", "amount": "${amount}", "fromDeposit": "${amount}", "worth": "${worth}"}]}}',
     request_id = (select request_id from deposits where id = 1) where id = 1`
const quoted = (worth: number) =>
  `update requests set terms = '{"minimumOut": "700", "amountIn": "1000", "earnings": {"list": [{"worth": "${worth}"}]}}'`
const claim = (of: { readonly currency: string; readonly amount: number; readonly fee: number }) =>
  `insert into payouts (purpose, cause, order_id, chain_id, signer, recipient, currency, amount, data, state, created_at, updated_at)
   values ('claim', 'claim', '\\x0c', 1, 'payer', 'r', '${of.currency}', ${of.amount},
     '{"claim": {"holder": "0xf1", "chainId": 1, "currency": "dollar", "amount": "1000", "fee": "${of.fee}"}}', 'final', now(), now())`
const credited = (amount: number) =>
  `update deposits set outcome = 'balance', holder = '${WALLET}', parked_reason = null where id = 3;
   insert into ledger_entries (transaction_id, account, chain_id, currency, amount, holder)
   select id, 'app', 1, 'dollar', ${-amount}, '${WALLET}' from ledger_transactions where cause = 'deposit:3'`
const withdrawn = (amount: number) =>
  `update deposits set outcome = 'balance', holder = '${WALLET}', amount = ${amount} where id = 2`
const feeOf =
  (networkFee: bigint) =>
  ({ state }: CheckWorld): void => {
    Object.assign(state.options, { networkFee })
  }
/** The refunded deposit came to an address, of whoever sent it. */
const toSender = ({ state }: CheckWorld): void => {
  Object.assign(state.options, { addresses: () => [{ address: 'told', orderId: REFUNDED, toSender: true }] })
}
const sent =
  (from: string, amount: bigint) =>
  ({ origin }: CheckWorld): void =>
    origin.precede(`${from} ${amount}`, origin.transfer(from, 'told', amount, ''))
/** Our own sweep brought the refunded deposit in. */
const SWEPT = `
  insert into payouts (purpose, cause, address_id, order_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at)
  values ('sweep', 'sweep', 7, '\\x0c', 1, 'payer', 'depository of origin', 'coin', 500, 'final', now(), now());
  insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch, created_at)
  select id, 1, 1, 'pay', 1, 'd2', 'signed', '{"guards": ["d2"]}', 1, 'included', 1, now() from payouts where purpose = 'sweep'`

const found = async () => (await checkStep(world.state)).map(({ invariant }) => invariant)

describe('a decision by the prices of its time', () => {
  it.each<[string, string, ...Doctor[]]>([
    ['F140: a fill pays no more', 'a fill above its deposit', 'update payouts set amount = 911 where id = 1'],
    ['F140: a wallet earns', 'more than the fee is worth', earns(100, 110), quoted(200)],
    ['F140: a wallet earns', 'more than was quoted', earns(200, 111), quoted(100)],
    ['F142', 'a claim without a conversion', claim({ currency: 'coin', amount: 900, fee: 3 })],
    ['F142', 'a claim above its worth', claim({ currency: 'coin', amount: 951, fee: 50 })],
    ['F142', 'a credit without a conversion', credited(50)],
    ['F149', 'a claim below its network cost', feeOf(9n), claim({ currency: 'dollar', amount: 900, fee: 8 })],
    ['F149', 'a withdrawal below its cost', feeOf(9n), withdrawn(8)],
    ['F143', 'a refund to a stranger', toSender, sent('r', 374n)],
    ['F150', 'a refund without the fee of its sweep', feeOf(10n), SWEPT],
  ])('%s...: %s', async (invariant, _words, ...doctors) => {
    await doctor(doctors)
    expect(await found()).toContainEqual(expect.stringContaining(invariant))
  })

  it.each<[string, ...Doctor[]]>([
    ['F140', 'update payouts set amount = 910 where id = 1'],
    ['F140', earns(100, 109), quoted(99)],
    ['F142', claim({ currency: 'coin', amount: 950, fee: 50 }), credited(49)],
    ['F149', feeOf(9n), claim({ currency: 'dollar', amount: 900, fee: 9 }), withdrawn(9)],
    ['F143', toSender, sent('r', 375n)],
    ['F150', feeOf(9n), SWEPT],
  ])('%s allows the least that is due', async (invariant, ...doctors) => {
    await doctor(doctors)
    expect(await found()).not.toContainEqual(expect.stringContaining(invariant))
  })
})
