import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Relayed } from './lossCaps.js'
import { gaslessMigrations } from './migrations.js'
import { countRelayed } from './relayLosses.js'

const NOON = Date.UTC(2026, 10, 21, 12)
const DAY_MS = 86_400_000
const CAPS = { caller: 10n, total: 25n, unpaid: 10n, totalUnpaid: 25n }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({
    packages: [
      { name: '@causeway/core', migrations: coreMigrations },
      { name: 'gasless', migrations: gaslessMigrations },
    ],
  })
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await database.pool.query('truncate gasless_losses, gasless_expected')
})

let calls = 0
const newId = (): Hex => {
  calls += 1
  return `0x${calls.toString(16).padStart(64, '0')}`
}
interface Count extends Partial<Relayed> {
  readonly now?: number
}
/** Counts a call that costs `usd`, each dollar of it 100 of gas. */
const count = async (caller: string, usd: bigint, { now = NOON, ...more }: Count = {}): Promise<Hex> => {
  const requestId = newId()
  const relayed = { requestId, caller, isTrusted: false, owner: null, fee: usd * 100n, usd, borne: null, ...more }
  await withTransaction(database.pool, (client) => countRelayed(client, relayed, CAPS, now))
  return requestId
}
const charged = (caller: string, usd: bigint, more: Count = {}) =>
  count(caller, usd, { borne: { byRoute: usd }, ...more })

const sqlId = (id: Hex): string => `'\\x${id.slice(2)}'::bytea`
/** The transaction ended: with a fee, or without; its deposit arrived, or did not. */
const end = async (id: Hex, { fee, deposited }: { readonly fee?: bigint; readonly deposited: boolean }) => {
  await database.pool.query(`
    insert into requests (id, order_id, status, version, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
      recipient, refund_to, amount_in, amount_out, terms, quoted_at, created_at, updated_at)
    values (${sqlId(id)}, ${sqlId(id)}, '${deposited ? 'success' : 'failure'}', 2, 1, 2, 'coin', 'coin', 'user', 'recipient', 'user', 1, 1, '{}',
      now(), now(), now());
    with p as (
      insert into payouts (purpose, cause, request_id, order_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at)
      values ('origin', 'execute:${id}', ${sqlId(id)}, ${sqlId(id)}, 1, 'sender', 'to', 'coin', 9, '${deposited ? 'final' : 'dead'}', now(), now())
      returning id
    ), g as (
      insert into payout_generations (payout_id, generation, state) select id, 1, 'dead' from p returning payout_id)
    insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch, created_at, fee)
    select payout_id, 1, 1, 'pay', 1, '${id}', 'signed', '{}', 1, 'included', 1, now(), ${fee ?? 0n} from g where ${fee !== undefined}`)
}

const lossesOf = async (now = NOON): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await database.pool.query<{ key: string; usd: string }>(
    `select api_key_id as key, usd::text from gasless_losses where day = (to_timestamp($1 / 1000.0) at time zone 'utc')::date and usd > 0 order by 1`,
    [now],
  )
  return Object.fromEntries(rows.map(({ key, usd }) => [key, usd]))
}
const refusal = (text: string) => ({ status: 400, message: expect.stringContaining(text) })

describe('losses (wire.md 2.6)', () => {
  it('are counted by caller and day, never past a cap, whoever comes at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => count('a', 3n)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await expect(count('a', 2n)).rejects.toMatchObject(refusal('one caller'))
    await count('a', 1n)
    await count('b', 10n)
    expect(await lossesOf()).toEqual({ '': '20', a: '10', b: '10' })
    await expect(count('c', 6n)).rejects.toMatchObject(refusal('all callers'))
    expect(await lossesOf()).toEqual({ '': '20', a: '10', b: '10' })
    await count('c', 5n)
    await expect(count('d', 11n)).rejects.toMatchObject({ status: 400 })
  })

  it('begin again at midnight UTC, and days of long ago are forgotten', async () => {
    await count('a', 10n)
    const next = NOON + DAY_MS / 2
    await count('a', 10n, { now: next })
    expect(await lossesOf(next)).toEqual({ '': '10', a: '10' })
    await count('a', 1n, { now: NOON + 40 * DAY_MS })
    expect(await lossesOf()).toEqual({})
  })

  it('F146: are what a call costs beyond the charge of its quote, however small that is', async () => {
    for (let nth = 0; nth < 2; nth += 1) await count('a', 5n, { borne: { byRoute: 1n } })
    expect(await lossesOf()).toEqual({ '': '8', a: '8' })
    await expect(count('a', 5n, { borne: { byRoute: 1n } })).rejects.toMatchObject(refusal('a day for one caller'))
    await charged('a', 5n)
  })

  it('F145: of an account that signs permits are counted under every caller that posts them', async () => {
    await count('a', 6n, { owner: '0xAB', borne: { byRoute: 0n } })
    await expect(count('b', 5n, { owner: '0xab', borne: { byRoute: 0n } })).rejects.toMatchObject(refusal('account'))
    await count('b', 5n, { owner: '0xcd', borne: { byRoute: 0n } })
  })

  it('F145: grow by what a transaction took beyond its estimate', async () => {
    const id = await charged('a', 4n, { owner: '0xab' })
    await end(id, { fee: 650n, deposited: true })
    const sponsored = await count('b', 4n, { borne: { bySponsor: 4n } })
    await end(sponsored, { fee: 500n, deposited: false })
    await count('a', 1n)
    await count('b', 1n)
    expect(await lossesOf()).toEqual({ '': '6', a: '4', b: '2', 'owner 0xab': '3' })
  })
})

describe('the part that routes are charged for (wire.md 2.6, F.3)', () => {
  it('is unpaid until the deposits arrive, whoever comes at once, for a day', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => charged('e', 3n)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await expect(charged('e', 2n)).rejects.toMatchObject(refusal('no deposit yet'))
    await charged('e', 1n)
    await charged('e', 2n, { now: NOON + DAY_MS + 1 })
    expect(await lossesOf()).toEqual({})
  })

  it('passes alone, whatever the network costs', async () => {
    await charged('e', 1_000n)
    await expect(charged('e', 1n)).rejects.toMatchObject(refusal('no deposit yet'))
  })

  it('F147: free calls of others use up no room of it, and it uses up none of theirs', async () => {
    for (const key of ['a', 'b']) await count(key, 10n)
    await count('c', 5n)
    await expect(count('d', 1n)).rejects.toMatchObject(refusal('all callers'))
    for (const key of ['a', 'd']) await charged(key, 10n)
    expect(await lossesOf()).toEqual({ '': '25', a: '10', b: '10', c: '5' })
  })

  it('F147: a caller that an operator vouches for has its own caps alone, and uses up no room of others', async () => {
    for (const key of ['a', 'b']) await count(key, 10n)
    for (const key of ['a', 'b']) await charged(key, 10n)
    for (const key of ['v', 'w']) {
      await count(key, 10n, { isTrusted: true })
      await expect(count(key, 1n, { isTrusted: true })).rejects.toMatchObject(refusal('one caller'))
      await charged(key, 10n, { isTrusted: true })
    }
    await count('c', 5n)
    await charged('c', 5n)
    await expect(count('d', 1n)).rejects.toMatchObject(refusal('all callers'))
    await expect(charged('d', 1n)).rejects.toMatchObject(refusal('new callers'))
    expect(await lossesOf()).toEqual({ '': '25', a: '10', b: '10', c: '5', v: '10', w: '10' })
  })

  it('F147: calls of new callers that deposit nothing use up no room of one whose deposits paid', async () => {
    await end(await charged('payer', 10n), { fee: 1_000n, deposited: true })
    for (const key of ['a', 'b']) await charged(key, 10n)
    await charged('c', 5n)
    await expect(charged('d', 1n)).rejects.toMatchObject(refusal('new callers'))
    await charged('payer', 10n)
    await expect(charged('payer', 1n)).rejects.toMatchObject(refusal('no deposit yet'))
  })

  it('F148: of transactions that failed counts by the gas they took, under caller and owner', async () => {
    const taken = await charged('a', 5n, { owner: '0xab' })
    await end(taken, { fee: 800n, deposited: false })
    await end(await charged('b', 5n, { owner: '0xcd' }), { deposited: false })
    await expect(charged('z', 3n, { owner: '0xab' })).rejects.toMatchObject(refusal('account'))
    await expect(charged('a', 3n)).rejects.toMatchObject(refusal('no deposit yet'))
    await charged('b', 10n, { owner: '0xcd' })
  })
})
