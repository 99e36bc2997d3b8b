import { randomBytes, randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepPartitions } from '../../database/retention.js'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import { saveInventory } from '../../money/inventory.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { SqlQuoteStore } from '../quoteStoreSql.js'
import { serializeTerms } from '../quoteTerms.js'
import { type PackedQuote, packQuote, type QuoteTexts, unpackQuote } from './quotePacking.js'
import { USUAL_PAYOUT, usualQuote } from './usualQuote.test.support.js'

const NOW = Date.UTC(2026, 10, 21)
const QUOTES = 400
/** Before quotes were packed, a usual quote took 3482 bytes. */
const MOST_BYTES = 1_500

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())

const newIds = () => ({ id: randomBytes(32), order_id: randomBytes(32) })

const usualTexts = (): { ids: ReturnType<typeof newIds>; texts: QuoteTexts } => {
  const { terms, body, quoted, order } = usualQuote(NOW, null)
  const [id, order_id] = [terms.requestId, terms.orderId].map((hex) => Buffer.from(hex.slice(2), 'hex'))
  if (id === undefined || order_id === undefined) throw new Error('No ids')
  return { ids: { id, order_id }, texts: { terms: serializeTerms(terms), body, quoted, order_data: order } }
}

const NO_TEXTS = { terms: null, body: null, quoted: null, order_data: null }

const byDatabase = async (
  { id, order_id }: Pick<PackedQuote, 'id' | 'order_id'>,
  packed: Buffer,
): Promise<string[]> => {
  const { rows } = await database.pool.query<{ texts: string[] }>('select unpack_quote($1, $2, $3) as texts', [
    packed,
    id,
    order_id,
  ])
  return rows[0]?.texts ?? []
}

const jsonText = fc.jsonValue().map((value) => JSON.stringify(value))
const texts: fc.Arbitrary<QuoteTexts> = fc.record({
  terms: jsonText,
  body: fc.oneof(
    jsonText,
    fc.string({ unit: 'grapheme', maxLength: 300 }).map((value) => JSON.stringify(value.repeat(9))),
  ),
  quoted: jsonText,
  order_data: jsonText,
})

describe('F133: a quote is stored packed', () => {
  it('whatever its texts are, this code and the database read them as they were', async () => {
    let packed = 0
    await fc.assert(
      fc.asyncProperty(texts, async (made) => {
        const ids = newIds()
        const bytes = packQuote(ids, made)
        if (bytes === null) return
        packed += 1
        expect(unpackQuote({ ...ids, packed: bytes, ...NO_TEXTS })).toEqual(made)
        expect(await byDatabase(ids, bytes)).toEqual([made.terms, made.body, made.quoted, made.order_data])
      }),
      { numRuns: 200 },
    )
    expect(packed).toBeGreaterThan(150)
  })

  it('usual texts take a ninth; texts that the database could not read are not packed', async () => {
    const { ids, texts: usual } = usualTexts()
    const packed = packQuote(ids, usual)
    if (packed === null) throw new Error('It is not packed')
    expect(packed.length).toBeLessThan(Object.values(usual).join('').length / 8)
    expect(await byDatabase(ids, packed)).toEqual(Object.values(usual))
    const random = JSON.stringify(randomBytes(20_000).toString('base64'))
    expect(packQuote(ids, { ...usual, body: random })).toBeNull()
    expect(packQuote(ids, { ...usual, body: '"\u001e"' })).toBeNull()
    // Fixed codes would make it longer, so zlib stores it.
    const symbols = Array.from({ length: 5_000 }, () => String.fromCharCode(randomInt(0x3000, 0x9fff))).join('')
    expect(packQuote(ids, { terms: '{}', body: symbols, quoted: '{}', order_data: '{}' })).toBeNull()
  })

  it(`a usual quote takes at most ${MOST_BYTES} bytes of the database, less than half of before, and counts no less`, async () => {
    let counted = 0
    const store = new SqlQuoteStore({
      pool: database.pool,
      clock: { now: () => NOW },
      ...{ anonymousHoldBps: 2_500, callerHoldBps: 2_000, keepDays: 8 },
      budget: {
        take: (_caller, bytes) => {
          counted += bytes
        },
      },
    })
    await keepPartitions(database.pool, { quotes: 8 }, NOW)
    await saveInventory(
      database.pool,
      [{ ...USUAL_PAYOUT, balance: 10n ** 30n, height: 1n }],
      { signer: 's', native: 'n' },
      NOW,
    )
    const size = async (): Promise<number> => {
      const { rows } = await database.pool.query<{ bytes: string }>(
        `select sum(pg_total_relation_size(relid))::text as bytes from pg_partition_tree('quote_rows')`,
      )
      return Number(rows[0]?.bytes)
    }
    await store.insert(usualQuote(NOW, 'a'))
    const before = { size: await size(), counted }
    for (let made = 0; made < QUOTES; made += 1) await store.insert(usualQuote(NOW, `${made}`))
    const perQuote = { stored: ((await size()) - before.size) / QUOTES, counted: (counted - before.counted) / QUOTES }
    console.info(`bytes per stored quote: ${perQuote.stored.toFixed(0)}, counted: ${perQuote.counted.toFixed(0)}`)
    expect(perQuote.stored).toBeLessThanOrEqual(MOST_BYTES)
    expect(perQuote.stored).toBeLessThanOrEqual(perQuote.counted)
    // A quote a second all day is half of what one caller may store by default (an eighth of 2 GiB).
    expect(86_400 * perQuote.counted).toBeLessThan((2 * 1024 ** 3) / 8)
  })
})
