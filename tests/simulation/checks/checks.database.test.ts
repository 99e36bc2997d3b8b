import type { TestDatabase } from '@causeway/core/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkEnd, checkStep } from './checkStep.js'
import { CheckWorld, FILLED, NOW, openCheckDatabase, REFUNDED } from './checkWorld.test.support.js'
import { noteLoss } from './noteLoss.js'

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

const entry = (account: string, amount: number, cause = 'deposit:1'): string =>
  `insert into ledger_entries (transaction_id, account, chain_id, currency, amount)
   select id, '${account}', 1, 'coin', ${amount} from ledger_transactions where cause = '${cause}' and event like 'included%'`
const bytes = (id: string) => `'\\x${id.slice(2)}'`
const payout = (purpose: string, state: string, deposit: number | null, more = 'null, null') =>
  `insert into payouts (purpose, cause, deposit_id, order_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at, next_action, next_action_at)
   values ('${purpose}', 'another ${deposit}', ${deposit}, ${['claim', 'approve'].includes(purpose) ? `'\\x0c'` : 'null'}, 1, 'payer', 'r', 'coin', 1, '${state}', now(), now(), ${more})`
const attempt = (tx: string, id: number, version = 9) =>
  `insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch, created_at)
   values (${id}, 1, ${version}, 'pay', 1, '${tx}', 'signed', '{"guards": ["${tx}"]}', 1, 'stored', 1, now());
   insert into payout_guards (chain_id, guard_key, payout_id, generation) values (1, '${tx}', ${id}, 1)`
const deposit = (tx: string, amount: number, outcome = "'refund'", state = 'included') =>
  `insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, state, request_id, outcome, created_at)
   values (1, '${tx}', 0, '\\x01', '\\x02', 'user', 'depository of origin', 'coin', ${amount}, '${state}', ${bytes(REFUNDED)}, ${outcome}, now())`
/** An order that is filled ahead, in a state, with what is set aside for it by the books. */
const fastFill = (state: string, aside: number, more = `'fill', ${due(0)}`, payoutId = 'null', depositId = 'null') =>
  `insert into fast_fills (request_id, order_id, integrator_id, wallet, origin_chain_id, origin_currency, destination_chain_id, amount, balance_chain_id,
     balance_currency, worth, collateral, state, payout_id, deposit_id, deadline, created_at, updated_at, next_action, next_action_at)
   values (${bytes(FILLED)}, ${bytes(FILLED)}, 'test', '${WALLET}', 1, 'coin', 2, 1, 1, 'coin', 7, 7, '${state}', ${payoutId}, ${depositId}, now(), now(), now(), ${more});
   select post_ledger('fast-fill:${FILLED}', 'accepted', now(), '[{"account":"capital","chainId":1,"currency":"coin","amount":"${aside}"},
     {"account":"collateral","chainId":1,"currency":"coin","amount":"-${aside}","holder":"${WALLET}"}]')`
const WALLET = `0x${'f1'.repeat(20)}`
const unbound =
  'alter table requests drop constraint requests_next_action; alter table payouts drop constraint payouts_next_action'
const due = (seconds: number) => `to_timestamp(${NOW / 1000 - seconds})`
const pays =
  (order: string, amount: bigint, to: string, purpose = '') =>
  ({ destination, origin }: CheckWorld) => {
    const ledger = purpose === '' ? destination : origin
    ledger.include('more', ledger.transfer(ledger.keys.payer.address, to, amount, `${order}${purpose}`))
  }

it('finds nothing where all is well, in the end neither', async () => {
  expect(await checkStep(world.state)).toEqual([])
  expect(await checkStep(world.state)).toEqual([])
  expect(await checkEnd(world.state)).toEqual([])
})

describe('after a step', () => {
  it.each<[string, string, ...Doctor[]]>([
    ['1: fill, refund', 'an excess beyond the deposit', 'update payouts set amount = 96 where id = 2'],
    ['1: fill, refund', 'more taken out of parked than was in it', entry('parked', 51, 'deposit:3')],
    ['1: fill, refund', 'more paid than was owed', entry('owed', 1, 'payout:4')],
    ['1: at most one', 'a refund beside a fill', payout('refund', 'included', 1, `'settle', ${due(0)}`)],
    ['1: at most one', 'a payout against the outcome', `update deposits set outcome = 'fill' where id = 2`],
    ['1: an outcome', 'another outcome while the fill lives', `update deposits set outcome = 'refund' where id = 1`],
    ['1: an outcome', 'no outcome while the fill lives', 'update deposits set outcome = null where id = 1'],
    [
      '1: one live generation',
      'two live generations',
      'drop index payout_generations_live',
      `insert into payout_generations values (1, 2, 'live')`,
    ],
    ['1: one live generation', 'a live one of a dead payout', `update payouts set state = 'dead' where id = 2`],
    ['2: nothing is sent', 'a payment that is not stored', `delete from payout_attempts where tx_id = 'r1'`],
    [
      '2: nothing is sent',
      'one that waits for a block',
      ({ origin }) => origin.wait(origin.transfer(origin.keys.payer.address, 'user', 1n, 'new')),
    ],
    ['2: nothing is sent', 'an attempt without bytes', `update payout_attempts set raw = '' where tx_id = 'r1'`],
    [
      '2: nothing is sent',
      'an attempt without guards',
      `update payout_attempts set prepared = '{}' where tx_id = 'r1'`,
    ],
    ['2: nothing is sent', 'a guard that nobody holds', `delete from payout_guards where guard_key = 'r1'`],
    ['2: nothing is sent', 'a guard of another', `update payout_guards set payout_id = 1 where guard_key = 'r1'`],
    ['3: above the limit', 'a deposit that no chain showed', deposit('lie', 301)],
    ['3: above the limit', 'another amount than a chain shows', `update deposits set amount = 501 where id = 2`],
    ['3: above the limit', 'another order than a chain shows', `update deposits set order_id = '\\x01' where id = 2`],
    ['4: what is unfinished', 'a request without an action', unbound, `update requests set status = 'submitted'`],
    [
      '4: what is unfinished',
      'a payout without an action',
      unbound,
      `update payouts set state = 'signed' where id = 1`,
    ],
    [
      '4: what is unfinished',
      'a finished one with an action',
      unbound,
      `update payouts set next_action = 'sign' where id = 1`,
    ],
    [
      '4: no action',
      'a request that nobody looks at',
      `update requests set status = 'pending', next_action = 'decide', next_action_at = ${due(61)}`,
    ],
    ['F70: what a fast fill lent', 'one with too little set aside', fastFill('queued', 6)],
    ['F70: what a fast fill lent', 'one that is over and has something aside', fastFill('ended', 7, 'null, null')],
    [
      'F70: a fast fill stands',
      'one that is settled without its payout',
      fastFill('settled', 0, 'null, null', '1', '2'),
    ],
    [
      'F70: a fast fill stands',
      'one on its way whose payout is final',
      fastFill('filling', 7, `'await-payout', ${due(0)}`, '1'),
    ],
    ['4: no action', 'a fast fill that nobody decides', fastFill('queued', 7, `'fill', ${due(61)}`)],
    [
      '5: balances of wallets',
      'one that is not what its entries sum up to',
      `insert into app_balances (holder, account, chain_id, currency, slot, amount) values ('${WALLET}', 'app', 1, 'coin', 0, 5)`,
    ],
    ['4: no action', 'a payout that nobody looks at', payout('approve', 'ready', null, `'sign', ${due(61)}`)],
    ['claim: its payout', 'a payout of no claim', payout('claim', 'ready', null, `'sign', ${due(0)}`)],
    ['5: the ledger', 'an entry without its opposite', entry('fees', 1)],
    ['5: the ledger', 'two that only agree with each other', entry('fees', 1), entry('fees', -1, 'deposit:2')],
    ['chain: an order', 'a second fill', pays(FILLED, 800n, 'recipient')],
    ['chain: no more', 'a refund beside the fill', pays(FILLED, 1n, 'user', ' refund')],
    ['chain: no more', 'a second refund', pays(REFUNDED, 1n, 'user', ' refund')],
    ['chain: no more', 'a second excess', pays(FILLED, 6n, 'user', ' excess')],
    ['chain: no more', 'a refund of what never came', pays(`0x${'d'.repeat(64)}`, 1n, 'user', ' refund')],
    ['chain: an order is filled for', 'another currency', `update requests set origin_currency = 'other'`],
    [
      'chain: an order is filled for',
      'too little',
      `update requests set terms = '{"minimumOut": "700", "minimumIn": "1001"}'`,
    ],
    ['chain: payments go', 'another recipient', `update requests set recipient = 'other'`],
    ['chain: payments go', 'less than the minimum', `update requests set terms = '{"minimumOut": "801"}'`],
    ['chain: payments go', 'a refund to a stranger', pays(REFUNDED, 1n, 'stranger', ' refund')],
    ['chain: payments go', 'a withdrawal to a stranger', pays(REFUNDED, 1n, 'stranger', ' withdraw')],
    ['F22: what is paid', 'a lost deposit above the bound', ({ origin }) => origin.remove('d2')],
    ['outbox: every change', 'one that is not told', 'delete from request_events where version = 3'],
    ['outbox: every change', 'the last one not told', 'delete from request_events where version = 4'],
    [
      'outbox: every change',
      'one told twice',
      `insert into request_events (request_id, version, status, payload, created_at) values (${bytes(FILLED)}, 4, 'success', '{}', now())`,
    ],
    [
      'outbox: every change',
      'told in another order',
      `update request_events set version = case version when 2 then 3 else 2 end where version < 4 and request_id = ${bytes(FILLED)}`,
    ],
    [
      'status: only moves',
      'a move that is not allowed',
      `update request_events set status = 'refund' where version = 3`,
    ],
    ['status: only moves', 'a version that went back', 'update requests set version = version - 1'],
  ])('%s...: %s', async (invariant, _what, ...doctors) => {
    expect(await checkStep(world.state)).toEqual([])
    await doctor(doctors)
    const found = (await checkStep(world.state)).map((problem) => problem.invariant)
    expect(found).toContainEqual(expect.stringContaining(invariant))
  })

  it('F125: nothing is signed for a deposit that is not on its chain, since the step before', async () => {
    await doctor([`update deposits set state = 'reorged' where id = 2`, attempt('late', 4, 2)])
    const words = async () => (await checkStep(world.state)).filter(({ invariant }) => invariant.startsWith('F125'))
    expect(await words()).toEqual([])
    await doctor([attempt('later', 4, 3)])
    expect(await words()).toEqual([expect.objectContaining({ words: 'later pays for deposit 2, which is reorged' })])
  })

  it.each<[string, ...Doctor[]]>([
    [
      'an action that is due while no host lives',
      payout('approve', 'ready', null, `'sign', ${due(61)}`),
      ({ state }) => Object.assign(state, { liveSince: null }),
    ],
    [
      'and shortly after one lives',
      payout('approve', 'ready', null, `'sign', ${due(61)}`),
      ({ state }) => Object.assign(state, { liveSince: NOW - 59_000 }),
    ],
    [
      'and while its lane is shut',
      payout('approve', 'ready', null, `'sign', ${due(61)}`),
      `update lanes set state = 'quarantined'`,
    ],
    [
      'payments of a past that was lost',
      `delete from payout_attempts where tx_id = 'r1'`,
      ({ state }) => state.forgotten.add('r1'),
    ],
    ['a little deposit on one word', deposit('lie', 300)],
    [
      'a lost deposit within the bound',
      ({ origin, state }) => {
        Object.assign(state.options, { limits: { ...state.options.limits, unsettled: 500n } })
        origin.remove('d2')
      },
    ],
    [
      'a fill that is proven dead and refunded',
      `update payouts set state = 'dead' where id in (1, 2); update payout_generations set state = 'dead' where payout_id in (1, 2)`,
      `update deposits set outcome = 'refund' where id = 1`,
    ],
  ])('allows %s', async (_what, ...doctors) => {
    expect(await checkStep(world.state)).toEqual([])
    await doctor(doctors)
    const found = await checkStep(world.state)
    expect(found).toEqual([])
  })

  it('lets rows go back when an older database is put back, and knows what was sent', async () => {
    await checkStep(world.state)
    await noteLoss(world.state)
    await doctor([
      `delete from payout_attempts where payout_id = 4; delete from payout_generations where payout_id = 4; delete from payouts where id = 4`,
      `update deposits set outcome = null where id = 2; delete from request_events where version = 3 and status = 'refund'`,
      `update requests set status = 'pending', version = 2, next_action = 'decide', next_action_at = ${due(0)} where status = 'refund'`,
    ])
    // The books still tell of it, which a true past would not.
    expect((await checkStep(world.state)).map(({ invariant }) => invariant)).toEqual([])
  })
})

describe('in the end', () => {
  it.each<[string, string, ...Doctor[]]>([
    [
      'end: everything is finished',
      'a request on its way',
      `update requests set status = 'pending', next_action = 'decide', next_action_at = ${due(0)}`,
    ],
    [
      'end: everything is finished',
      'a request that waits though its deposit is there',
      `update requests set status = 'waiting', next_action = 'await-deposit', next_action_at = ${due(0)}`,
    ],
    ['end: everything is finished', 'a fast fill that waits', fastFill('queued', 7)],
    ['end: everything is finished', 'a payout on its way', payout('approve', 'ready', null, `'sign', ${due(0)}`)],
    ['end: every deposit', 'a deposit without a row', 'delete from deposits where id = 3'],
    ['end: every deposit', 'one thought to have left', `update deposits set state = 'reorged' where id = 3`],
    ['end: every deposit', 'one that left unseen', ({ origin }) => origin.remove('d3')],
    ['end: every deposit', 'a debt', entry('owed', -1)],
    ['end: every deposit', 'one of which a part is nowhere', 'update payouts set amount = 94 where id = 2'],
    ['end: every final', 'a payment that is not on its chain', ({ origin }) => origin.remove('r1')],
    [
      'end: every final',
      'a payout that landed twice',
      attempt('e2', 2, 2),
      ({ origin }) => origin.include('e2', origin.transfer(origin.keys.payer.address, 'user', 95n, `${FILLED} excess`)),
    ],
    ['end: every final', 'a dead one that landed', `update payouts set state = 'dead' where id = 4`],
    [
      'end: every final',
      'a transfer that waits',
      ({ origin, state }) => {
        state.forgotten.add('waits: new')
        origin.wait(origin.transfer(origin.keys.payer.address, 'user', 1n, 'new'))
      },
    ],
    ['end: the books', 'a wallet that holds less', ({ origin }) => origin.move(origin.keys.payer.address, -1n)],
    ['end: the books', 'a depository that holds more', ({ origin }) => origin.move(origin.depository, 1n)],
    ['end: nothing is owed', 'a debt', entry('owed', -1)],
    ['end: no inventory', 'a hold', `insert into hold_slots values (2, 'coin', 0, ${NOW / 5_000 + 1}, 5, 0)`],
    ['end: no inventory', 'a commitment', 'update requests set committed = true'],
  ])('%s...: %s', async (invariant, _what, ...doctors) => {
    await checkStep(world.state)
    await doctor(doctors)
    const found = (await checkEnd(world.state)).map((problem) => problem.invariant)
    expect(found).toContainEqual(expect.stringContaining(invariant))
  })

  it.each<[string, ...Doctor[]]>([
    [
      'money that a stranger sent to a wallet',
      ({ origin }) => origin.include('gift', origin.transfer('stranger', origin.keys.payer.address, 7n, '')),
    ],
    [
      'money given to a wallet',
      ({ origin, state }) => {
        origin.move(origin.keys.payer.address, 9n)
        state.unbooked.set('1:coin', 9n)
      },
    ],
    [
      'a payment of a past that was lost',
      ({ origin, state }) => {
        state.forgotten.add('x')
        origin.include('x', origin.transfer(origin.keys.payer.address, 'user', 3n, 'no order'))
      },
    ],
    ['a hold that is over', `insert into hold_slots values (2, 'coin', 0, ${NOW / 5_000}, 5, 0)`],
    [
      'a request that waits for its deposit',
      `insert into requests (id, order_id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address, recipient,
         amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at)
       values ('\\x0d', '\\x0d', 'waiting', 1, 2, 'coin', 'coin', 'u', 'r', 1, 1, '{"minimumOut": "1"}', now(), now(), now(), 'await-deposit', ${due(0)})`,
    ],
  ])('allows %s', async (_what, ...doctors) => {
    await doctor(doctors)
    expect(await checkEnd(world.state)).toEqual([])
  })
})

it('costs one statement of a few milliseconds', async () => {
  const times: number[] = []
  for (let n = 0; n < 30; n += 1) {
    const began = performance.now()
    await checkStep(world.state)
    times.push(performance.now() - began)
  }
  expect(times.toSorted((a, b) => a - b)[0]).toBeLessThan(50)
})
