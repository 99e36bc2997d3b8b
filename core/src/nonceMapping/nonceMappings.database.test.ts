import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { tooManyRequests } from '../http/httpError.js'
import type { Hex } from '../money/hex.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import type { MappingOwner, NewNonceMapping } from './nonceMappings.js'
import { removeUnusedMappings, SqlNonceMappings } from './nonceMappingsSql.js'

const DAY = 86_400_000
const CHAIN = 1337
const STRANGER: MappingOwner = { holder: 'address 192.0.2.1' }

const random = (bytes: number): Hex => `0x${randomBytes(bytes).toString('hex')}`

let database: TestDatabase
let mappings: SqlNonceMappings
let now = Date.UTC(2026, 6, 1)
const clock = { now: () => now }

beforeAll(async () => {
  database = await createTestDatabase({
    packages: [{ name: '@causeway/core', migrations: coreMigrations }],
    poolSize: 8,
  })
  mappings = new SqlNonceMappings({ pool: database.pool, clock })
})
afterAll(() => database?.drop())

const made = (more: Partial<NewNonceMapping> = {}): NewNonceMapping => {
  const wallet = random(20)
  return { chainId: CHAIN, wallet, depositor: wallet, nonce: now, id: random(32), ...more }
}

const find = async (mapping: NewNonceMapping) => (await mappings.find(mapping.chainId, [mapping]))[0]

describe('a nonce is for one order (wire.md 2.8)', () => {
  it('the first mapping stays; the same again is known, another order or depositor is refused', async () => {
    const mapping = made()
    expect(await mappings.register(mapping, STRANGER)).toBe('registered')
    const stored = { ...mapping, createdAt: now }
    now += 1_000
    expect(await mappings.register(mapping, STRANGER)).toBe('known')
    expect(await mappings.register({ ...mapping, id: random(32) }, STRANGER)).toBe('taken')
    expect(await mappings.register({ ...mapping, depositor: random(20) }, STRANGER)).toBe('taken')
    expect(await mappings.register({ ...mapping, id: random(32) }, 'own')).toBe('taken')
    expect(await find(mapping)).toEqual(stored)
  })

  it('addresses and ids in any case are the same', async () => {
    const mapping = made()
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}` as Hex
    const shouted = {
      ...mapping,
      wallet: upper(mapping.wallet),
      depositor: upper(mapping.depositor),
      id: upper(mapping.id),
    }
    expect(await mappings.register(shouted, STRANGER)).toBe('registered')
    expect(await mappings.register(mapping, STRANGER)).toBe('known')
    expect(await find(shouted)).toEqual({ ...mapping, createdAt: now })
  })

  it('other wallets, nonces and chains have their own', async () => {
    const mapping = made()
    await mappings.register(mapping, STRANGER)
    for (const change of [{ wallet: random(20) }, { nonce: mapping.nonce + 1 }, { chainId: CHAIN + 1 }]) {
      expect(await find({ ...mapping, ...change })).toBeNull()
      expect(await mappings.register({ ...mapping, ...change }, STRANGER)).toBe('registered')
    }
  })

  it('of fifty at once that name two orders one is stored, and all others learn of it', async () => {
    const mapping = made()
    const ids = [random(32), random(32)] as const
    const asked = Array.from({ length: 50 }, (_, at) => ({ ...mapping, id: ids[at % 2 === 0 ? 0 : 1] }))
    const answers = await Promise.all(asked.map((each) => mappings.register(each, STRANGER)))
    const stored = await find(mapping)
    expect(answers.filter((answer) => answer === 'registered')).toHaveLength(1)
    for (const [at, answer] of answers.entries()) {
      expect(answer === 'taken').toBe(asked[at]?.id !== stored?.id)
    }
  })

  it('an adapter finds those of a whole page at once, in its order', async () => {
    const [one, two] = [made(), made({ nonce: Number.MAX_SAFE_INTEGER })]
    await mappings.register(two, 'own')
    await mappings.register(one, STRANGER)
    const found = await mappings.find(CHAIN, [one, { wallet: one.wallet, nonce: 1 }, two, one])
    expect(found.map((mapping) => mapping?.id ?? null)).toEqual([one.id, null, two.id, one.id])
    expect(await mappings.find(CHAIN, [])).toEqual([])
  })
})

describe('what strangers can make the service store has a bound (faults.md F133)', () => {
  const budgeted = () => {
    const taken: string[] = []
    const take = (holder: string): void => {
      taken.push(holder)
      if (taken.length > 2) throw tooManyRequests(1)
    }
    return { taken, mappings: new SqlNonceMappings({ pool: database.pool, clock, budget: { take } }) }
  }

  it('it is counted against the caller, and nothing is stored beyond it', async () => {
    const { taken, mappings: bounded } = budgeted()
    for (let turn = 0; turn < 2; turn += 1) await bounded.register(made(), STRANGER)
    const refused = made()
    await expect(bounded.register(refused, STRANGER)).rejects.toMatchObject({ status: 429 })
    expect(await find(refused)).toBeNull()
    expect(taken).toEqual(Array(3).fill('address 192.0.2.1'))
  })

  it('but not against who is vouched for, nor against the service itself', async () => {
    const { taken, mappings: bounded } = budgeted()
    for (let turn = 0; turn < 4; turn += 1) await bounded.register(made(), turn < 2 ? 'own' : { holder: null })
    expect(taken).toEqual([])
  })

  const deposit = ({ chainId, id }: NewNonceMapping, depositor: string) =>
    database.pool.query(
      `insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, state, parked_reason, created_at)
       values ($1, $2, 0, '\\x01', decode($3, 'hex'), $4, 'd', 'c', 1, 'included', 'order-unknown', now())`,
      [chainId, random(32), id.slice(2), depositor],
    )

  it('one that no deposit of its wallet used is gone after the days of unpaid quotes, and others stay', async () => {
    const [unused, paid, elsewhere, byOther, own] = [made(), made(), made(), made(), made()]
    for (const mapping of [unused, paid, elsewhere, byOther]) await mappings.register(mapping, STRANGER)
    await mappings.register(own, 'own')
    await deposit(paid, paid.wallet.toUpperCase().replace('0X', '0x'))
    await deposit({ ...elsewhere, chainId: CHAIN + 1 }, elsewhere.wallet)
    await deposit(byOther, random(20))
    const left = async () => {
      const found = await mappings.find(CHAIN, [unused, paid, elsewhere, byOther, own])
      return found.map((mapping) => mapping !== null)
    }
    await removeUnusedMappings(database.pool, { days: 30, now: now + 30 * DAY })
    expect(await left()).toEqual([true, true, true, true, true])
    for (let turn = 0; turn < 2; turn += 1) {
      await removeUnusedMappings(database.pool, { days: 30, now: now + 30 * DAY + 1 })
      expect(await left()).toEqual([false, true, false, false, true])
    }
    const { rows } = await database.pool.query(
      'select nonce from nonce_mappings where not kept and created_at <= to_timestamp($1 / 1000.0)',
      [now],
    )
    expect(rows).toEqual([])
  })

  it('it outlives its nonce however short quotes are kept', async () => {
    const mapping = made()
    await mappings.register(mapping, STRANGER)
    await removeUnusedMappings(database.pool, { days: 1, now: now + 7 * DAY })
    expect(await find(mapping)).not.toBeNull()
  })
})
