import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { withRetries } from '../../database/pool.js'
import type { Hex } from '../../money/hex.js'
import type { QuoteTerms } from '../../quote/quoteTerms.js'
import { GroundWorld, NOW, ORIGIN } from '../groundWorld.test.support.js'
import { findOpenPayouts, findReadyPayouts } from '../payoutQueries.js'
import type { StoredPayout } from '../payoutRecord.js'
import { recordNewGeneration } from '../settlement/recordDeath.js'
import { recordIncluded } from '../settlement/recordIncluded.js'
import { recordPayoutReorg } from '../settlement/recordReorg.js'
import { acceptOrigin, type OriginAnswer } from './acceptOrigin.js'
import { endOrigin } from './endOrigin.js'
import type { PayoutOrigin } from './originData.js'

const PAYER = '0x5e'

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

const permitOf = (terms: QuoteTerms, signature: Hex = '0x01'): PayoutOrigin => ({
  kind: 'permit',
  borne: { by: 'route' },
  permit: {
    signature,
    sign: { signatureKind: 'eip712', domain: {}, types: {}, primaryType: 'Permit', value: {} },
    terms: {
      ...{ kind: 'permit2', owner: terms.user, orderId: terms.orderId, expiresAt: 0 },
      money: { currency: 'coin', amount: terms.depositAmount.toString() },
    },
  },
})

const CALL: PayoutOrigin = {
  kind: 'call',
  borne: { by: 'loss', usd: '0.1' },
  call: { to: 'x', data: '0x', value: '0' },
}

const accept = (terms: QuoteTerms, origin: PayoutOrigin = permitOf(terms)): Promise<OriginAnswer> =>
  world.commit((client) =>
    acceptOrigin(
      client,
      {
        ...{ terms, origin, signer: PAYER, recipient: { address: 'depository' }, gas: null, overAt: NOW + 600_000 },
        money: { currency: 'coin', amount: origin.kind === 'permit' ? terms.depositAmount : 0n },
      },
      NOW,
    ),
  )

const requestOf = async ({ requestId }: QuoteTerms) => {
  const { rows } = await world.pool.query<{
    status: string
    next: string | null
    committed: boolean
    reason: string | null
  }>(
    `select status, next_action as next, committed, fail_reason as reason from requests where id = decode($1, 'hex')`,
    [requestId.slice(2)],
  )
  return rows[0]
}

const eventsOf = async ({ requestId }: QuoteTerms): Promise<readonly string[]> => {
  const { rows } = await world.pool.query<{ status: string }>(
    `select status from request_events where request_id = decode($1, 'hex') order by version`,
    [requestId.slice(2)],
  )
  return rows.map(({ status }) => status)
}

const payoutOf = async ({ requestId }: QuoteTerms): Promise<StoredPayout> => {
  const lane = { chainId: ORIGIN, signer: PAYER }
  const all = [
    ...(await findReadyPayouts(world.pool, lane, NOW + 1, 1_000)),
    ...(await findOpenPayouts(world.pool, lane, ['signed', 'included'], 1_000)),
  ]
  const found = all.find((payout) => payout.requestId === requestId)
  if (found === undefined) throw new Error('Nothing is sent for this request')
  return found
}

const include = async (
  terms: QuoteTerms,
  { commit = world.commit.bind(world), txId }: { readonly commit?: GroundWorld['commit']; readonly txId?: Hex } = {},
): Promise<void> => {
  await world.signAndStore(await payoutOf(terms))
  const payout = await payoutOf(terms)
  const [live] = payout.live
  if (live === undefined) throw new Error('A signed payout has an attempt')
  const attempt = txId === undefined ? live : { ...live, txId }
  const block = { height: 5n, hash: world.id(), time: Math.floor(NOW / 1000) }
  const state = { status: 'success' as const, block, confirmations: 1, fee: 7n, paid: null, revert: null, txData: null }
  await commit((client) => recordIncluded(client, [{ payout, attempt, state }], 'gas', { now: NOW, settleAt: NOW }))
}

/** The block of what was sent leaves, and nothing of it can land any more. */
const leave = async (terms: QuoteTerms): Promise<void> => {
  const payout = await payoutOf(terms)
  const [attempt] = payout.live
  if (attempt === undefined) throw new Error('A signed payout has an attempt')
  await world.commit((client) => recordPayoutReorg(client, payout, attempt, 'gas', NOW))
  const again = await payoutOf(terms)
  await world.commit((client) => recordNewGeneration(client, { payout: again, proof: 'reverted' }, NOW))
}

/** Too little for the order: anybody can send it, under the id of any order. */
const dustFor = ({ orderId }: QuoteTerms) => world.see(world.event(orderId, 1n))

const end = async (terms: QuoteTerms): Promise<boolean> => {
  const payout = await payoutOf(terms)
  return world.commit((client) => endOrigin(client, payout, { reason: 'TRANSACTION_REVERTED', details: 'no' }, NOW))
}

describe('a transaction that is to be sent for a user', () => {
  it('is one for its request, however many ask at once, and that waits for its deposit', async () => {
    const terms = await world.quote()
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(terms)))
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['accepted', ...Array(19).fill('known')])
    expect(await requestOf(terms)).toMatchObject({ status: 'waiting', next: 'await-deposit' })
    expect(await payoutOf(terms)).toMatchObject({ purpose: 'origin', deposit: null, amount: 1_000n, state: 'ready' })
  })

  it('comes too late where the order has its deposit, and after its request is over', async () => {
    const paid = await world.quote()
    await world.see(world.event(paid.orderId, 1_000n))
    expect(await accept(paid)).toEqual({ kind: 'over', status: 'pending', deposited: true })
    const ended = await world.quote()
    await accept(ended)
    await end(ended)
    expect(await accept(ended)).toMatchObject({ kind: 'known' })
  })

  it('is taken when somebody sent dust under its order, which never consumes it', async () => {
    const terms = await world.quote()
    await dustFor(terms)
    expect(await accept(terms)).toEqual({ kind: 'accepted' })
  })

  it('moves nothing of the wallet: its gas alone is booked', async () => {
    const terms = await world.quote()
    await accept(terms)
    await include(terms)
    const { id, live } = await payoutOf(terms)
    const { rows } = await world.pool.query<{ cause: string; account: string; amount: string }>(
      `select t.cause, e.account, e.amount::text as amount from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
       where t.cause in ('payout:' || $1, 'gas:' || $2 || ':' || $3) order by e.account`,
      [id, ORIGIN, live[0]?.txId],
    )
    expect(rows.map(({ account, amount }) => [account, amount])).toEqual([
      ['gas', '7'],
      ['wallet', '-7'],
    ])
  })

  it('of what nobody was charged for, and a key of its own sent, is our loss out of that key', async () => {
    const terms = await world.quote()
    await accept(terms, CALL)
    await include(terms)
    const { live } = await payoutOf(terms)
    const { rows } = await world.pool.query<{ account: string; amount: string }>(
      `select e.account, e.amount::text as amount from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
       where t.cause = 'gas:' || $1 || ':' || $2 order by e.account`,
      [ORIGIN, live[0]?.txId],
    )
    expect(rows).toEqual([
      { account: 'loss', amount: '7' },
      { account: 'sender', amount: '-7' },
    ])
  })
})

describe('the status of its request (wire.md B.2, K.2 2)', () => {
  it('of a permit is waiting until its deposit is in a block, then pending', async () => {
    const terms = await world.quote()
    await accept(terms)
    await include(terms)
    expect(await requestOf(terms)).toMatchObject({ status: 'waiting' })
    await world.see(world.event(terms.orderId, 1_000n))
    expect(await eventsOf(terms)).toEqual(['pending'])
  })

  it('of a call passes depositing, whether the lane or the watcher comes first to its block', async () => {
    const [first, second] = [await world.quote(), await world.quote()]
    await accept(first, CALL)
    await include(first)
    expect(await requestOf(first)).toMatchObject({ status: 'depositing' })
    await world.see(world.event(first.orderId, 1_000n))
    await accept(second, CALL)
    await world.see(world.event(second.orderId, 1_000n))
    await include(second)
    expect([await eventsOf(first), await eventsOf(second)]).toEqual(Array(2).fill(['depositing', 'pending']))
  })

  it('of a call is recorded by lane and watcher at once: both lock its transaction before its request', async () => {
    const terms = await world.quote()
    await accept(terms, CALL)
    const deposit = world.event(terms.orderId, 1_000n)
    const waiting = async (count: number): Promise<void> => {
      for (let seen = 0; seen < count; ) {
        const { rows } = await world.pool.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        seen = rows[0]?.count ?? 0
      }
    }
    // Whoever holds the request lets both come as far as they can, the lane first.
    const holder = await world.pool.connect()
    await holder.query('begin')
    await holder.query(`select from requests where id = decode($1, 'hex') for no key update`, [
      terms.requestId.slice(2),
    ])
    const begun = vi.spyOn(world.pool, 'connect')
    const commit: GroundWorld['commit'] = (work) => {
      begun.mockClear()
      return withRetries(world.pool, work)
    }
    const lane = include(terms, { commit, txId: deposit.tx.id as Hex })
    await waiting(1)
    const watcher = world.see(deposit)
    await waiting(2)
    await holder.query('commit')
    holder.release()
    await Promise.all([lane, watcher])
    // A deadlock would begin one of the two again.
    const begins = begun.mock.calls.filter((args: readonly unknown[]) => args.length === 0)
    begun.mockRestore()
    expect(begins).toHaveLength(2)
    expect(await eventsOf(terms)).toEqual(['depositing', 'pending'])
  })
})

describe('a transaction that can never be sent', () => {
  it('ends its request as failure, whose funds are promised no longer', async () => {
    const terms = await world.quote()
    await accept(terms)
    expect(await end(terms)).toBe(true)
    expect(await requestOf(terms)).toEqual({
      status: 'failure',
      next: null,
      committed: false,
      reason: 'TRANSACTION_REVERTED',
    })
    // A deposit that comes all the same is filled, or goes back.
    await world.see(world.event(terms.orderId, 1_000n))
    expect(await requestOf(terms)).toMatchObject({ status: 'pending', next: 'decide' })
  })

  it('leaves the request alone where its deposit came by somebody else', async () => {
    const terms = await world.quote()
    await accept(terms)
    await world.see(world.event(terms.orderId, 1_000n))
    expect(await end(terms)).toBe(true)
    expect(await requestOf(terms)).toMatchObject({ status: 'pending', next: 'decide' })
  })

  it('ends its request when the deposit of somebody else leaves its chain; back there, that is filled all the same', async () => {
    const terms = await world.quote()
    await accept(terms)
    const deposit = world.event(terms.orderId, 1_000n)
    await world.see(deposit)
    expect(await end(terms)).toBe(true)
    await world.leave([deposit])
    expect(await requestOf(terms)).toMatchObject({ status: 'failure', next: null, reason: 'TRANSACTION_REVERTED' })
    await world.see(deposit)
    expect(await requestOf(terms)).toMatchObject({ status: 'pending', next: 'decide' })
  })

  it('as long as it can be sent, its request waits for it when such a deposit leaves', async () => {
    const terms = await world.quote()
    await accept(terms)
    const deposit = world.event(terms.orderId, 1_000n)
    await world.see(deposit)
    await world.leave([deposit])
    expect(await requestOf(terms)).toMatchObject({ status: 'waiting', next: 'await-deposit' })
  })

  it('ends its request whatever dust came under its order', async () => {
    const terms = await world.quote()
    await accept(terms)
    await dustFor(terms)
    expect(await end(terms)).toBe(true)
    expect(await requestOf(terms)).toMatchObject({ status: 'failure', next: null })
  })

  it('ends its request when it was in a block, left it, and can never land again', async () => {
    const terms = await world.quote()
    await accept(terms, CALL)
    await include(terms)
    await leave(terms)
    expect(await requestOf(terms)).toMatchObject({ status: 'depositing' })
    expect(await end(terms)).toBe(true)
    expect(await requestOf(terms)).toMatchObject({ status: 'failure', next: null })
  })

  it('is not ended while it is on its way', async () => {
    const terms = await world.quote()
    await accept(terms)
    await world.signAndStore(await payoutOf(terms))
    expect(await end(terms)).toBe(false)
    expect(await requestOf(terms)).toMatchObject({ status: 'waiting' })
  })
})
