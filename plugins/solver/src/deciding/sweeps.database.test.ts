import type { ChainMoney, DepositAddresses } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import type { Lease } from '@causeway/core/plugin'
import { createTestDatabase, giveTestAddress, type TestDatabase } from '@causeway/core/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LaneContext } from '../laneContext.js'
import { LaneTroubles } from '../running/laneTroubles.js'
import { Sweeps } from './sweeps.js'

const CHAIN = 9
const NOW = Date.UTC(2026, 10, 21)
const MINUTE = 60_000
const LEASE: Lease = { name: 'lane', epoch: 1n, signal: new AbortController().signal }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await database.pool.query(
    `insert into leases (name, holder, epoch, expires_at) values ('lane', gen_random_uuid(), 1, clock_timestamp() + interval '1 hour')`,
  )
})
afterAll(() => database.drop())

/** An address where 1000 came at a time, of which the books have so much left. */
beforeEach(async () => {
  await database.pool.query(
    'truncate payouts, requests, deposit_addresses, ledger_transactions, ledger_entries restart identity cascade',
  )
  await giveTestAddress(
    database.pool,
    {
      ...{ chainId: CHAIN, destination: { address: 'paid' }, derivation: null, type: 'open', depositor: 'user' },
      ...{ orderId: '0x01', requestId: '0x02', currency: 'coin', refundTo: null, recoveryAddress: null },
      liveUntil: NOW / 1000 + 9_999,
    },
    NOW - 60 * MINUTE,
  )
})

const booked = async (swept: bigint, { cameBefore }: { readonly cameBefore: number }): Promise<void> => {
  await database.pool.query(
    `insert into deposit_address_books (address_id, chain_id, currency, arrived, swept) select id, chain_id, 'coin', 1000, $1
       from deposit_addresses`,
    [swept.toString()],
  )
  await database.pool.query(
    `insert into deposit_arrivals (address_id, chain_id, tx_id, position, currency, amount, state, block_height, created_at)
       select id, chain_id, 'tx', 0, 'coin', 1000, 'included', 5, to_timestamp($1 / 1000.0) from deposit_addresses`,
    [NOW - cameBefore],
  )
}

/** One round, in which so much lies at the address. */
const look = async (
  found: readonly ChainMoney[],
  more: Partial<DepositAddresses> = {},
  seed: Uint8Array | null = null,
) => {
  const depositAddresses = {
    holdings: async () => [found],
    sweepFee: async () => ({ network: { amount: 100n } }),
    ...more,
  }
  const currency = { chainId: CHAIN, address: 'coin', decimals: 0 }
  const lane = {
    ...{
      pool: database.pool,
      clock: { now: () => NOW },
      log: pino({ level: 'silent' }),
      address: '0x5e',
      signer: {},
      seed,
    },
    chain: { config: { id: CHAIN, slug: 'nine' }, adapter: { depository: 'depository', depositAddresses } },
    currencies: { ofChain: () => [currency], native: () => currency },
    prices: { get: async (asked: readonly unknown[]) => asked.map(() => ({ usd: 1n })) },
    observer: { failed: () => undefined },
  }
  // CAST: sweeps ask nothing else of their lane.
  const context = lane as unknown as LaneContext
  if (!Sweeps.isOn(context)) return null
  await new Sweeps({ lane: context, troubles: new LaneTroubles(context) }).run(LEASE)
  const { rows } = await database.pool.query<{ gone: string; sweeps: number }>(
    'select gone::text as gone, (select count(*)::int from payouts) as sweeps from deposit_address_books',
  )
  return rows[0]
}

describe('what the books have left at an address', () => {
  it('is written off by a look that finds nothing, a quarter of an hour after anything came or left', async () => {
    await booked(998n, { cameBefore: 15 * MINUTE })
    expect(await look([])).toEqual({ gone: '2', sweeps: 0 })
  })

  it('stays while something came a short time ago: its block, or its sweep, may not have been read', async () => {
    await booked(998n, { cameBefore: 14 * MINUTE })
    expect(await look([])).toEqual({ gone: '0', sweeps: 0 })
  })

  it('stays as far as it lies there, though it is not worth a sweep', async () => {
    await booked(900n, { cameBefore: 60 * MINUTE })
    expect(await look([{ currency: 'coin', amount: 70n }])).toEqual({ gone: '30', sweeps: 0 })
  })

  it('is not looked at where it is swept', async () => {
    await booked(0n, { cameBefore: 60 * MINUTE })
    expect(await look([{ currency: 'coin', amount: 900n }])).toEqual({ gone: '0', sweeps: 1 })
  })
})

describe('a payment that was told and that no look finds (F05)', () => {
  const told = async (state: 'seen' | 'included') => {
    await booked(0n, { cameBefore: 60 * MINUTE })
    await database.pool.query('update deposit_arrivals set state = $1', [state])
    await database.pool.query(
      `insert into requests (id, order_id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
         recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at)
       values ('\\x02', '\\x01', 'pending', 9, 9, 'coin', 'coin', 'user', 'to', 1000, 990, '{}', $1, $1, $1, 'await-block', $1)`,
      [new Date(NOW)],
    )
  }
  const standing = async () => {
    const { rows } = await database.pool.query<{ standing: string }>(
      `select status || ' ' || next_action as standing from requests`,
    )
    return rows[0]?.standing
  }

  it('leaves its request waiting for another one, where less lies there than pays for a sweep', async () => {
    await told('included')
    await look([{ currency: 'coin', amount: 70n }])
    expect(await standing()).toBe('waiting await-deposit')
  })

  it('goes on while it is in no block yet, or is swept', async () => {
    await told('seen')
    await look([])
    expect(await standing()).toBe('pending await-block')
    await database.pool.query(`update deposit_arrivals set state = 'included'`)
    await look([{ currency: 'coin', amount: 1000n }])
    await look([])
    expect(await standing()).toBe('pending await-block')
  })
})

it('addresses that a key of the seed holds are swept by who has the seed, in whatever form they are', async () => {
  await booked(0n, { cameBefore: MINUTE })
  const tagged: Partial<DepositAddresses> = { forms: ['tag'], isSweptByKey: true }
  expect(await look([], tagged)).toBeNull()
  expect(await look([], tagged, new Uint8Array(32))).toEqual({ gone: '0', sweeps: 0 })
  expect(await look([], { forms: ['contract'] })).not.toBeNull()
})

describe('F155: looks while anonymous callers have many addresses', () => {
  /** So many addresses whose look is due, the first the longest. */
  const give = async (
    count: number,
    of: { readonly holder: number | null; readonly expected: boolean; readonly due: number },
  ) => {
    await database.pool.query(
      `with given as (
         insert into deposit_addresses (chain_id, address, account, type, order_id, request_id, depositor, derivation, currency, created_at, live_until, holder)
         select $1, name, name, 'open', name::bytea, name::bytea, 'user', 'null', 'coin', to_timestamp($3 / 1000.0), to_timestamp($3 / 1000.0) + interval '7 days', $4
         from (select $5 || ' ' || n as name from generate_series(1, $2::int) n) n returning id, account, holder
       )
       insert into deposit_address_places (address_id, chain_id, account, next_look_at, expected, favoured)
       select id, $1, account, to_timestamp($6 / 1000.0) + id * interval '1 millisecond', $7, holder is null from given`,
      [
        CHAIN,
        count,
        NOW - MINUTE,
        of.holder,
        of.holder === null ? 'trusted' : 'crowd',
        NOW - MINUTE - of.due,
        of.expected,
      ],
    )
  }

  beforeEach(() => database.pool.query('delete from deposit_address_places'))

  /** How many addresses of each kind one round looks at, in its calls. */
  const rounds = async (): Promise<readonly Record<string, number>[]> => {
    const calls: Record<string, number>[] = []
    const holdings: DepositAddresses['holdings'] = async (asked) => {
      const kinds = asked.map(({ destination }) => destination.address.split(' ')[0] ?? '')
      calls.push(
        Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length])),
      )
      return asked.map(() => [])
    }
    await look([], { holdings })
    return calls
  }

  it('a trusted caller’s address waits for no anonymous one, and neither takes more than its half while the other wants it', async () => {
    await give(2_000, { holder: 7, expected: false, due: 60 * MINUTE })
    await give(3, { holder: null, expected: false, due: 0 })
    expect(await rounds()).toEqual([{ trusted: 3, crowd: 247 }])
    await database.pool.query('truncate deposit_addresses cascade')
    await give(2_000, { holder: 7, expected: false, due: 60 * MINUTE })
    await give(400, { holder: null, expected: false, due: 0 })
    expect(await rounds()).toEqual([{ trusted: 125, crowd: 125 }])
    await database.pool.query('truncate deposit_addresses cascade')
    await give(400, { holder: null, expected: false, due: 0 })
    expect(await rounds()).toEqual([{ trusted: 250 }])
  })

  it('an address that was paid is looked at before the dust that a thousand others got', async () => {
    await give(1_000, { holder: 7, expected: true, due: 60 * MINUTE })
    await give(1, { holder: null, expected: true, due: 0 })
    expect(await rounds()).toEqual([{ trusted: 1, crowd: 255 }])
  })

  it('the more addresses a holder has, the rarer each is looked at; those of another holder are not', async () => {
    await give(200, { holder: 7, expected: false, due: 0 })
    await give(1, { holder: null, expected: false, due: 0 })
    await database.pool.query(`update deposit_addresses set holder = 8 where account = 'crowd 1'`)
    await rounds()
    const { rows } = await database.pool.query<{ seconds: number; places: number }>(
      `select (extract(epoch from next_look_at) - $1 / 1000.0)::float8 as seconds, count(*)::int as places from deposit_address_places group by 1 order by 1`,
      [NOW],
    )
    expect(rows.map(({ seconds, places }) => [Math.round(seconds), places])).toEqual([
      [30, 2],
      [60, 199],
    ])
  })
})
