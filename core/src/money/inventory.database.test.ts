import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { postLedger } from '../ledger/ledger.js'
import { capitalPosting } from '../ledger/postings.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { LASTING_DIFFERENCE_SQL, LASTING_MISSING_SQL, readSpendable, saveInventory } from './inventory.js'

const CHAIN = 9
const [TOKEN, NATIVE] = ['token', 'native']
const NOW = Date.UTC(2026, 10, 21)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())

let causes = 0
const book = (currency: string, amount: bigint) =>
  withTransaction(database.pool, (client) => {
    causes += 1
    return postLedger(client, [capitalPosting({ chainId: CHAIN, currency, amount, event: `e${causes}` })], NOW)
  })

/** A look at both balances, so many seconds after the first. */
const see = (token: bigint, native: bigint, seconds: number, height = 10n) =>
  saveInventory(
    database.pool,
    [
      { chainId: CHAIN, currency: TOKEN, balance: token, height },
      { chainId: CHAIN, currency: NATIVE, balance: native, height },
    ],
    { signer: 's', native: NATIVE },
    NOW + seconds * 1000,
  )

/** `difference missing` of token and native currency, as metrics and doctor read them. */
const shown = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ text: string }>(
    `select (${LASTING_DIFFERENCE_SQL}) || ' ' || (${LASTING_MISSING_SQL}) as text from inventory i order by currency desc`,
  )
  return rows.map(({ text }) => text)
}

const balanceOf = async (currency: string): Promise<string | undefined> => {
  const { rows } = await database.pool.query<{ balance: string }>(
    'select balance::text as balance from inventory where currency = $1',
    [currency],
  )
  return rows[0]?.balance
}

const payout = async (purpose: string, state: string, amount: bigint, more: { height?: bigint; fee?: bigint } = {}) => {
  causes += 1
  const { rows } = await database.pool.query<{ id: string }>(
    `with d as (
       insert into deposits (chain_id, tx_id, position, onchain_id, depositor, depository, currency, amount, state, parked_reason, created_at)
       values (1, $1, 0, '\\x00', 'd', 'd', 'c', 5, 'included', 'test', now()) returning id)
     insert into payouts (purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, generation, included_height,
       created_at, updated_at, next_action, next_action_at)
     select $2, $1, id, ${CHAIN}, 's', 'r', '${TOKEN}', $3, $4, 1, $5, now(), now(), 'track', now() from d returning id::text as id`,
    [`cause${causes}`, purpose, amount.toString(), state, more.height?.toString() ?? null],
  )
  const id = rows[0]?.id
  await database.pool.query(`insert into payout_generations values ($1, 1, 'live')`, [id])
  await database.pool.query(
    `insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, block_height, fee,
       epoch, created_at)
     values ($1, 1, 1, 'pay', ${CHAIN}, $2, '0x', '{}', 30, $3, $4, $5, 1, now())`,
    [
      id,
      `tx${causes}`,
      state === 'signed' ? 'broadcast' : 'included',
      more.height?.toString() ?? null,
      more.fee?.toString() ?? null,
    ],
  )
}

beforeEach(async () => {
  await database.pool.query('truncate inventory, wallet_books, payouts, payout_generations, payout_attempts cascade')
  await book(TOKEN, 1_000n)
  await book(NATIVE, 50_000n)
})

describe('a wallet beside the books (F128)', () => {
  it('agrees, and says so', async () => {
    await see(1_000n, 50_000n, 0)
    await see(1_000n, 50_000n, 60)
    expect(await shown()).toEqual(['0 0', '0 0'])
  })

  it('holds a reserve that the books count and nobody is promised', async () => {
    const reserved = { chainId: CHAIN, currency: NATIVE, balance: 50_000n, height: 10n, reserved: 1_200n }
    for (const seconds of [0, 60])
      await saveInventory(database.pool, [reserved], { signer: 's', native: NATIVE }, NOW + seconds * 1000)
    expect(await shown()).toEqual(['0 0'])
    expect(await readSpendable(database.pool, CHAIN, NATIVE)).toBe(48_800n)
    await see(1_000n, 50_000n, 61)
    expect(await readSpendable(database.pool, CHAIN, NATIVE)).toBe(50_000n)
  })

  it('is stored every three seconds while it stays as it is, and at once when it changes', async () => {
    const heights = async (): Promise<string[]> => {
      const { rows } = await database.pool.query<{ height: string }>(
        'select height::text as height from inventory order by currency desc',
      )
      return rows.map(({ height }) => height)
    }
    await see(1_000n, 50_000n, 0, 10n)
    await see(1_000n, 50_000n, 2, 14n)
    expect(await heights()).toEqual(['10', '10'])
    await see(1_000n, 49_999n, 2.5, 15n)
    expect(await heights()).toEqual(['10', '15'])
    await see(1_000n, 49_999n, 3, 16n)
    expect(await heights()).toEqual(['16', '15'])
  })

  it('lacks what was taken: shown with its sign and as missing once it lasts, until it is back', async () => {
    await see(600n, 50_000n, 0)
    await see(600n, 50_000n, 3)
    expect(await shown()).toEqual(['0 0', '0 0'])
    await see(600n, 50_000n, 6)
    expect(await shown()).toEqual(['-400 400', '0 0'])
    await see(550n, 50_000n, 7)
    expect(await shown()).toEqual(['-450 450', '0 0'])
    await see(1_000n, 50_000n, 8)
    expect(await shown()).toEqual(['0 0', '0 0'])
  })

  it('may lack a thousandth of the native currency without an alarm, gas that nobody booked, and nothing of another', async () => {
    for (const seconds of [0, 6]) await see(999n, 49_950n, seconds)
    expect(await shown()).toEqual(['-1 1', '-50 0'])
    await see(999n, 49_949n, 7)
    expect(await shown()).toEqual(['-1 1', '-51 51'])
  })

  it('has more than was booked: shown, and nothing is missing', async () => {
    for (const seconds of [0, 6]) await see(1_250n, 50_000n, seconds)
    expect(await shown()).toEqual(['250 0', '0 0'])
  })

  it('is off by nothing while payouts that are signed may be on the chain or not, and withdrawals too', async () => {
    await payout('fill', 'signed', 70n)
    await payout('withdraw', 'signed', 20n)
    for (const [token, native] of [
      [1_000n, 50_000n],
      [930n, 49_970n],
      [1_020n, 49_940n],
      [950n, 49_940n],
    ] as const) {
      for (const seconds of [0, 6]) await see(token, native, seconds)
      expect([token, await shown()]).toEqual([token, ['0 0', '0 0']])
    }
    for (const seconds of [10, 16]) await see(900n, 49_930n, seconds)
    expect(await shown()).toEqual(['-30 30', '-10 0'])
  })

  it('an observation at a lower height is ignored, but not for good: the height before may have been invented', async () => {
    await see(1_000n, 50_000n, 0, 2n ** 53n)
    await see(900n, 50_000n, 20, 10n)
    expect(await balanceOf(TOKEN)).toBe('1000')
    await see(900n, 50_000n, 31, 10n)
    expect(await balanceOf(TOKEN)).toBe('900')
    await see(800n, 50_000n, 32, 9n)
    expect(await balanceOf(TOKEN)).toBe('900')
  })

  it('is compared at its height: what was booked in later blocks is not in it', async () => {
    await payout('fill', 'included', 70n, { height: 11n, fee: 25n })
    await book(TOKEN, -70n)
    await book(NATIVE, -25n)
    for (const seconds of [0, 6]) await see(1_000n, 50_000n, seconds, 10n)
    expect(await shown()).toEqual(['0 0', '0 0'])
    for (const seconds of [7, 13]) await see(930n, 49_975n, seconds, 11n)
    expect(await shown()).toEqual(['0 0', '0 0'])
    for (const seconds of [14, 20]) await see(1_000n, 49_975n, seconds, 11n)
    expect(await shown()).toEqual(['70 0', '0 0'])
  })
})
