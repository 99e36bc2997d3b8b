import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { destinationText } from '../chain/destination.js'
import type { LaneReading, OutgoingTransaction, SignedAttempt } from '../chain/laneAdapter.js'
import { type Lease, LeaseLostError } from '../database/leases.js'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import type { Hex } from '../money/hex.js'
import { failOver } from '../testing/failOver.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { recordBroadcasts } from './attempt/recordBroadcasts.js'
import { LaneMovedError, storeAttempts } from './attempt/storeAttempts.js'
import { createPayouts } from './createPayouts.js'
import { HOLDS_BACK_SQL, openLane } from './lane/laneJournal.js'
import { findOpenPayouts, findReadyPayouts } from './payoutQueries.js'
import type { StoredPayout } from './payoutRecord.js'
import { GenerationChangedError, recordFillDead, recordNewGeneration } from './settlement/recordDeath.js'

const CHAIN = 9
const SIGNER = '0x5e'
const NOW = Date.UTC(2026, 10, 21)
const LANE = { chainId: CHAIN, signer: SIGNER }

let database: TestDatabase
let deposits = 0

beforeEach(async () => {
  deposits = 0
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await database.pool.query(
    `insert into leases (name, holder, epoch, expires_at) values ('lane', gen_random_uuid(), 3, clock_timestamp() + interval '1 hour');
     insert into lanes (chain_id, signer, state, position, height, updated_at) values (${CHAIN}, '${SIGNER}', 'open', '0', 0, now())`,
  )
})
afterEach(() => database.drop())

const lease = (epoch: bigint): Lease => ({ name: 'lane', epoch, signal: new AbortController().signal })

const createFill = async (): Promise<StoredPayout> => {
  deposits += 1
  const order = deposits.toString(16).padStart(64, '0')
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, state, parked_reason, created_at)
     values (1, $1, 0, '\\x00', decode($2, 'hex'), 'd', 'd', 'c', 5, 'included', 'test', now()) returning id::text as id`,
    [`tx${deposits}`, order],
  )
  const depositId = rows[0]?.id ?? ''
  await withTransaction(database.pool, (client) =>
    createPayouts(
      client,
      [
        {
          purpose: 'fill',
          depositId,
          requestId: null,
          orderId: `0x${order}`,
          chainId: CHAIN,
          signer: SIGNER,
          recipient: { address: 'r' },
          currency: 'c',
          amount: 5n,
          fees: 0n,
          data: {},
          at: NOW,
        },
      ],
      NOW,
    ),
  )
  const found = (await findReadyPayouts(database.pool, LANE, NOW, 100)).find(({ deposit }) => deposit?.id === depositId)
  if (found === undefined) throw new Error('The payout is not ready')
  return found
}

const signed = (nonce: number, tx: string): SignedAttempt => ({
  kind: 'pay',
  transaction: { nonce },
  guards: [`nonce:${SIGNER}:${nonce}`],
  feeCap: 1n,
  txId: tx,
  raw: tx as Hex,
})

const store = (payout: StoredPayout, attempt: SignedAttempt, epoch = 3n, from = 0) =>
  withTransaction(database.pool, (client) =>
    storeAttempts(
      client,
      lease(epoch),
      { ...LANE, position: { from, to: from + 1 }, height: 1n, native: 'native', limits: [] },
      [{ payout, generation: 1, version: 1, signed: attempt }],
      NOW,
    ),
  )

const openPayouts = () => findOpenPayouts(database.pool, LANE, ['signed'], 10)

const stored = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::int as count from payout_attempts')
  return rows[0]?.count ?? -1
}

it('stores an attempt with its guard and the lane’s next position in one commit', async () => {
  await store(await createFill(), signed(0, '0xa0'))
  const { rows } = await database.pool.query('select position from lanes')
  expect([await stored(), rows]).toEqual([1, [{ position: '1' }]])
})

it('stores nothing for a holder whose lease another took: what it signed is never broadcast (invariant 2)', async () => {
  const payout = await createFill()
  await expect(store(payout, signed(0, '0xa0'), 2n)).rejects.toBeInstanceOf(LeaseLostError)
  expect(await stored()).toBe(0)
  const { rows } = await database.pool.query('select position from lanes')
  expect(rows).toEqual([{ position: '0' }])
})

describe('a database that failed over without the last commits (F121)', () => {
  it('stores nothing that was signed from another position than the stored one, and leaves that where it is', async () => {
    const payout = await createFill()
    await expect(store(payout, signed(4, '0xa0'), 3n, 4)).rejects.toBeInstanceOf(LaneMovedError)
    expect(await stored()).toBe(0)
    const { rows } = await database.pool.query('select position from lanes')
    expect(rows).toEqual([{ position: '0' }])
    expect(await findReadyPayouts(database.pool, LANE, NOW, 10)).toHaveLength(1)
  })

  it('stores nothing for a lease that was taken before', async () => {
    const payout = await createFill()
    await failOver(database.pool)
    await expect(store(payout, signed(0, '0xa0'))).rejects.toBeInstanceOf(LeaseLostError)
    expect(await stored()).toBe(0)
  })

  it('does not call a generation dead that was found to have another transaction than those judged', async () => {
    const payout = await createFill()
    await store(payout, signed(0, '0xa1'))
    const [judged] = await openPayouts()
    if (judged === undefined) throw new Error('not signed')
    await database.pool.query(
      `insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch, created_at)
       select payout_id, generation, 2, kind, chain_id, '0xfound', '0x', prepared, 0, 'broadcast', 0, created_at from payout_attempts`,
    )
    const bury = (of: StoredPayout) =>
      withTransaction(database.pool, (client) => recordNewGeneration(client, { payout: of, proof: 'spent' }, NOW))
    await expect(bury(judged)).rejects.toBeInstanceOf(GenerationChangedError)
    const [known] = await openPayouts()
    expect(known?.live.map(({ txId }) => txId)).toEqual(['0xa1', '0xfound'])
    if (known !== undefined) await bury(known)
    expect(await findReadyPayouts(database.pool, LANE, NOW, 10)).toHaveLength(1)
  })

  it('signs nothing of a transfer that touches a chain whose lane is not settled', async () => {
    await createFill()
    const ready = async (unsettled: readonly number[]) =>
      (await findReadyPayouts(database.pool, LANE, NOW, 10, { unsettled })).length
    expect([await ready([]), await ready([77]), await ready([1])]).toEqual([1, 1, 0])
  })
})

it('refuses a guard that another payout holds, and stores nothing', async () => {
  const [first, second] = [await createFill(), await createFill()]
  await store(first, signed(7, '0xa1'))
  await expect(store(second, signed(7, '0xa2'), 3n, 1)).rejects.toThrow('guard')
  expect(await stored()).toBe(1)
})

it('takes over the guard of a dead generation: a coin that it did not spend after all', async () => {
  const [first, second] = [await createFill(), await createFill()]
  await store(first, { ...signed(0, '0xa1'), guards: ['coin:1', 'coin:2'] })
  const [payout] = await openPayouts()
  if (payout === undefined) throw new Error('not signed')
  await withTransaction(database.pool, (client) =>
    recordNewGeneration(client, { payout, proof: 'coin:1 is spent' }, NOW),
  )
  await store(second, { ...signed(1, '0xa2'), guards: ['coin:2'] }, 3n, 1)
  const { rows } = await database.pool.query(
    'select guard_key, payout_id::text as payout from payout_guards order by 1',
  )
  expect(rows).toEqual([
    { guard_key: 'coin:1', payout: first.id },
    { guard_key: 'coin:2', payout: second.id },
  ])
})

it('follows bytes that a node calls expired, without telling of them: only a proof of death lets others be signed', async () => {
  const fill = await createFill()
  await store(fill, signed(0, '0xa1'))
  const [payout] = await openPayouts()
  const [attempt] = payout?.live ?? []
  if (payout === undefined || attempt === undefined) throw new Error('not signed')
  const result = { outcome: 'expired', message: 'too late' } as const
  await withTransaction(database.pool, (client) =>
    recordBroadcasts(client, [{ payout, attempt, result, nextAt: NOW }], NOW),
  )
  const [after] = await openPayouts()
  expect(after).toMatchObject({ generation: 1, action: 'track', live: [{ state: 'broadcast' }] })
  expect(await findReadyPayouts(database.pool, LANE, NOW + 1, 10)).toEqual([])
  // Of bytes that may land the request would be told, which here is none: so nothing was.
  const told = { ...payout, requestId: `0x${'ab'.repeat(32)}` } as const
  const tell = (outcome: 'expired' | 'unknown') =>
    withTransaction(database.pool, (client) =>
      recordBroadcasts(client, [{ payout: told, attempt, result: { outcome, message: '' }, nextAt: NOW }], NOW),
    )
  await expect(tell('expired')).resolves.toBeUndefined()
  await expect(tell('unknown')).rejects.toThrow()
})

it('records no transaction of a withdrawal before a block has it', async () => {
  await store(await createFill(), signed(0, '0xa1'))
  const [payout] = await openPayouts()
  const [attempt] = payout?.live ?? []
  if (payout === undefined || attempt === undefined) throw new Error('not signed')
  // The request does not exist, so that a transaction of it is refused.
  const withdrawal = { ...payout, purpose: 'withdraw', requestId: `0x${'ab'.repeat(32)}` } as const
  const result = { outcome: 'known' } as const
  await withTransaction(database.pool, (client) =>
    recordBroadcasts(client, [{ payout: withdrawal, attempt, result, nextAt: NOW }], NOW),
  )
  expect(await openPayouts()).toMatchObject([{ action: 'track', live: [{ state: 'broadcast' }] }])
})

it('gives a new generation time of its own', async () => {
  await store(await createFill(), signed(0, '0xa1'))
  const broadcast = async (now: number) => {
    const [payout] = await openPayouts()
    const [attempt] = payout?.live ?? []
    if (payout === undefined || attempt === undefined) throw new Error('not signed')
    const result = { outcome: 'known' } as const
    await withTransaction(database.pool, (client) =>
      recordBroadcasts(client, [{ payout, attempt, result, nextAt: now }], now),
    )
    return (await openPayouts())[0]
  }
  const sent = await broadcast(NOW)
  if (sent === undefined) throw new Error('not sent')
  expect(sent.firstBroadcastAt).toBe(NOW)
  await withTransaction(database.pool, (client) =>
    recordNewGeneration(client, { payout: sent, proof: 'expired' }, NOW + 1),
  )
  const [again] = await findReadyPayouts(database.pool, LANE, NOW + 1, 1)
  expect([again?.id, again?.firstBroadcastAt]).toEqual([sent.id, null])
})

describe('a transaction found on the chain that the journal does not know (F118)', () => {
  /** What a lane reads when it opens: a payment of the order, by another version or generation than the stored one. */
  const found = (payout: StoredPayout, more: Partial<OutgoingTransaction> = {}): LaneReading => ({
    position: 2,
    complete: true,
    unknown: [
      {
        tx: { id: '0xfound' },
        guards: [`nonce:${SIGNER}:0`],
        orderId: payout.orderId,
        purpose: null,
        to: destinationText(payout.recipient),
        money: { currency: payout.currency, amount: payout.amount },
        status: 'success',
        block: null,
        ...more,
      },
    ],
  })
  const open = (reading: LaneReading) =>
    withTransaction(database.pool, (client) => openLane(client, LANE, reading, 1n, NOW))

  it('becomes the payment of a payout that waits to be signed: it is never signed again', async () => {
    const payout = await createFill()
    await open(found(payout))
    expect(await findReadyPayouts(database.pool, LANE, NOW + 1, 10)).toEqual([])
    const [adopted] = await openPayouts()
    expect(adopted).toMatchObject({ id: payout.id, generation: 1, action: 'track', live: [{ txId: '0xfound' }] })
  })

  it('keeps a fill alive that was about to end unsent: what was found paid it', async () => {
    const unsent = await createFill()
    await open(found(unsent))
    const ended = await withTransaction(database.pool, (client) =>
      recordFillDead(client, { payout: unsent, proof: 'never sent' }, NOW, false),
    )
    expect(ended).toBe(false)
    expect(await openPayouts()).toMatchObject([{ id: unsent.id, live: [{ txId: '0xfound' }] }])
  })

  it('becomes a further version of a payout that was sent: that its guard is spent is no proof of death then', async () => {
    const payout = await createFill()
    await store(payout, signed(0, '0xa1'))
    await open(found(payout))
    const [adopted] = await openPayouts()
    expect(adopted?.live.map(({ txId, generation, version }) => [txId, generation, version])).toEqual([
      ['0xa1', 1, 1],
      ['0xfound', 1, 2],
    ])
  })

  it('is not that of a refund which was sent under another guard: it may pay back another deposit of the order, or be its own once dead', async () => {
    await createFill()
    await database.pool.query(`update payouts set purpose = 'refund'`)
    const [sent] = await findReadyPayouts(database.pool, LANE, NOW, 1)
    if (sent === undefined) throw new Error('not ready')
    await store(sent, signed(4, '0xa1'))
    await open(found(sent, { purpose: 'refund' }))
    const [payout] = await openPayouts()
    expect(payout?.live.map(({ txId }) => txId)).toEqual(['0xa1'])
    if (payout === undefined) throw new Error('not signed')
    await withTransaction(database.pool, (client) => recordNewGeneration(client, { payout, proof: 'spent' }, NOW))
    expect(await findReadyPayouts(database.pool, LANE, NOW + 1, 1)).toEqual([])
    expect((await openPayouts()).map(({ live }) => live.map(({ txId }) => txId))).toEqual([['0xfound']])
  })

  it.each([
    ['to somebody else', { to: 'x' }],
    ['to another tag of the same account', { to: 'r?tag=0' }],
    ['with a memo for another owner of the same account', { to: 'r?memo=7' }],
    ['in another currency', { money: { currency: 'other', amount: 5n } }],
  ] as const)(
    'keeps the payout from being paid where it pays the order %s, also when an operator has released it (F120)',
    async (_, more) => {
      const payout = await createFill()
      await open(found(payout, more))
      expect(await findReadyPayouts(database.pool, LANE, NOW, 10)).toEqual([])
      const shown = await database.pool.query(`select i.tx_id from imported_transactions i where ${HOLDS_BACK_SQL}`)
      expect(shown.rows).toEqual([{ tx_id: '0xfound' }])
      await database.pool.query('update imported_transactions set released_at = now()')
      expect(await findReadyPayouts(database.pool, LANE, NOW, 10)).toEqual([])
      await expect(store(payout, signed(3, '0xb0'), 3n, 2)).rejects.toThrow('A payout changed')
      expect(await stored()).toBe(0)
    },
  )

  it.each([
    ['of another order', { orderId: `0x${'ee'.repeat(32)}` }],
    ['that failed', { status: 'reverted' }],
  ] as const)('changes nothing where it is %s', async (_, more) => {
    const payout = await createFill()
    await open(found(payout, more))
    expect((await findReadyPayouts(database.pool, LANE, NOW, 10)).map(({ id }) => id)).toEqual([payout.id])
  })
})

it('has at most one live generation per payout', async () => {
  const payout = await createFill()
  await store(payout, signed(0, '0xa0'))
  await expect(
    database.pool.query(`insert into payout_generations (payout_id, generation, state) values ($1, 2, 'live')`, [
      payout.id,
    ]),
  ).rejects.toThrow('payout_generations_live')
})

it('pays a cause once: the same purpose and deposit cannot have two payouts', async () => {
  const { deposit, ...payout } = await createFill()
  const withdraw = (at: number) =>
    withTransaction(database.pool, (client) =>
      createPayouts(
        client,
        [{ ...payout, purpose: 'withdraw', depositId: deposit?.id ?? null, action: 'sign', at }],
        at,
      ),
    )
  await withdraw(NOW)
  await withdraw(NOW + 60_000)
  const { rows } = await database.pool.query('select purpose from payouts order by id')
  expect(rows).toEqual([{ purpose: 'fill' }, { purpose: 'withdraw' }])
  await expect(
    database.pool.query(
      `insert into payouts (purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at,
         next_action, next_action_at)
       select purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at,
         next_action, next_action_at from payouts where id = $1`,
      [payout.id],
    ),
  ).rejects.toThrow('payouts_purpose_cause_key')
  expect(deposit?.amount).toBe(5n)
})

it('sets an outcome once; a fill becomes a refund only when its payout is dead', async () => {
  const { id, deposit } = await createFill()
  const set = (outcome: string) =>
    database.pool.query('update deposits set outcome = $2 where id = $1', [deposit?.id, outcome])
  await set('fill')
  await expect(set('refund')).rejects.toThrow('already fill')
  await database.pool.query(
    `update payouts set state = 'dead', next_action = null, next_action_at = null where id = $1`,
    [id],
  )
  await set('refund')
  await expect(set('fill')).rejects.toThrow('already refund')
})
