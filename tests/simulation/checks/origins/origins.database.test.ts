import type { TestDatabase } from '@causeway/core/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CheckedTransfer } from '../checkState.js'
import { checkEnd, checkStep } from '../checkStep.js'
import { CheckWorld, openCheckDatabase } from '../checkWorld.test.support.js'

const SIGNED = `0x${'d'.repeat(64)}`
const SIGNATURE = '0x51'
const id = `'\\x${SIGNED.slice(2)}'`

/** A request that failed, since what its user signed for could never be sent. */
const REQUEST = `
  insert into requests (id, order_id, status, version, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
    recipient, refund_to, amount_in, amount_out, terms, quoted_at, created_at, updated_at)
  values (${id}, ${id}, 'failure', 2, 1, 2, 'coin', 'coin', 'user', 'recipient', 'user', 1, 1, '{"minimumOut": "700"}', now(), now(), now());
  insert into request_events (request_id, version, status, payload, created_at) values (${id}, 2, 'failure', '{}', now())`
const origin = (cause: string) => `
  insert into payouts (purpose, cause, request_id, order_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at)
  values ('origin', '${cause}', ${id}, ${id}, 1, 'payer', 'depository of origin', 'coin', 9, 'dead', now(), now())`
/** An account's permit that waits for its block. */
const pending = (cause: string) => `
  insert into payouts (purpose, cause, request_id, order_id, chain_id, signer, recipient, currency, amount, data, state, next_action, next_action_at,
    created_at, updated_at)
  values ('origin', '${cause}', ${id}, ${id}, 1, 'payer', 'depository of origin', 'coin', 9, '{"origin": {"permit": {"terms": {"owner": "user"}}}}',
    'ready', 'sign', now(), now(), now())`
const DEPOSIT = `
  insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, state, request_id, created_at)
  values (1, 's1', 0, '\\x0d', ${id}, 'user', 'depository of origin', 'coin', 9, 'included', ${id}, now())`

let database: TestDatabase
let world: CheckWorld
beforeAll(async () => {
  database = await openCheckDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  world = await CheckWorld.open(database)
  await world.query(REQUEST)
  await world.query(origin('permit:1'))
  Object.assign(world.state.options, { signedPermits: () => [{ signature: SIGNATURE, posted: true }] })
})
afterEach(() => world.close())

type Doctor = string | ((world: CheckWorld) => void)

const doctor = async (doctors: readonly Doctor[]): Promise<void> => {
  for (const item of doctors) {
    if (typeof item === 'string') await world.query(item)
    else item(world)
  }
}

/** Somebody brings in what was signed for. */
const broughtIn =
  (tx: string, { account = 'stranger', signature = SIGNATURE } = {}) =>
  ({ origin: ledger }: CheckWorld): void => {
    const transfer: CheckedTransfer = ledger.transfer('user', ledger.depository, 9n, `${SIGNED} origin`, account)
    ledger.include(tx, { ...transfer, permit: { orderId: SIGNED, signature } })
  }

const attempt = (tx: string, generation: number) => `
  insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch, created_at)
  select id, ${generation}, 1, 'pay', 1, '${tx}', 'signed', '{"guards": ["${tx}"]}', 1, 'broadcast', 1, now() from payouts where purpose = 'origin'`

const failed =
  (tx: string) =>
  (subject: CheckWorld): void => {
    broughtIn(tx)(subject)
    const record = subject.origin.records().find(({ id: known }) => known === tx)
    Object.assign(record ?? {}, { status: 'failed' })
  }

/** The cap on losses is 0, and all payouts here are for one account. */
const capped = ({ state }: CheckWorld): void => {
  Object.assign(state.options, { unpaidCap: 0n })
}
const OWNED = `update payouts set data = '{"origin": {"permit": {"terms": {"owner": "user"}}}}' where purpose = 'origin'`

/** The last check saw it wait. */
const waited = ({ state }: CheckWorld): void => {
  state.seen.statuses.set(SIGNED, { status: 'waiting', version: 1 })
}

it('finds nothing where what can never be sent has failed', async () => {
  expect(await checkStep(world.state)).toEqual([])
  expect(await checkEnd(world.state)).toEqual([])
})

describe('what is sent for users who sign', () => {
  it.each<[string, string, ...Doctor[]]>([
    ['chain: a signature makes one', 'two deposits by one signature', broughtIn('s1'), broughtIn('s2')],
    [
      'chain: only what its user posted',
      'what nobody posted',
      broughtIn('s1', { account: 'payer of origin', signature: '0x52' }),
    ],
    [
      'origin: no payout key',
      'a signature that the payout key brings in',
      broughtIn('s1', { account: 'payer of origin' }),
    ],
    ['origin: one transaction', 'two payouts of one request', origin('permit:2')],
    ['origin: what failed in a block', 'another try after a failure', attempt('s1', 1), attempt('s2', 2), failed('s1')],
    [
      'F148: an account has one pending',
      'two permits of one account at once',
      pending('permit:2'),
      pending('permit:3'),
    ],
    [
      'F148: transactions that failed',
      'two failures for one account above the cap',
      ...[capped, OWNED, attempt('s1', 1), attempt('s2', 2), failed('s1'), failed('s2')],
    ],
    ['origin: a request that failed', 'a failure with a deposit', broughtIn('s1'), DEPOSIT],
    ['origin: no request fails', 'a failure beside what stands on the chain', waited, broughtIn('s1')],
    [
      'end: what is signed and can never be sent',
      'a request that still waits',
      `update requests set status = 'waiting', next_action = 'await-deposit', next_action_at = now() where id = ${id}`,
    ],
  ])('%s...: %s', async (invariant, _what, ...doctors) => {
    await doctor(doctors)
    const found = (await checkEnd(world.state)).map((problem) => problem.invariant)
    expect(found).toContainEqual(expect.stringContaining(invariant))
  })
})
