import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../clock/clock.js'
import { toBytea } from '../database/hexBytea.js'
import { withTransaction } from '../database/pool.js'
import { ServiceError } from '../errors/serviceError.js'
import type { Hex } from '../money/hex.js'
import type { NewQuote, QuoteStore, StoredQuote } from './quoteStore.js'
import { parseTerms, type QuoteTerms, serializeTerms } from './quoteTerms.js'

interface QuoteStoreDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** Share of a currency that anonymous holds may take together, basis points (design 3, step 1). */
  readonly anonymousHoldBps: number
}

type HoldOutcome = 'held' | 'retry' | 'short' | 'unknown'

const INSERT = {
  name: 'quote_insert',
  text: `with h as materialized (
      select take_hold($1, $2, $3, $4, $5, $6, $7, $8) as outcome
    ), q as (
      insert into quotes (id, order_id, created_at, integrator_id, api_key_id, referrer, terms, body, quoted, order_data,
        hold_stripe, hold_slot, hold_amount, hold_anonymous)
      select $9, $10, to_timestamp($11 / 1000.0), $12, $13, $14, $15, $16, $17, $18, $3, $4, $6, $7
      from h where h.outcome = 'held'
    )
    select outcome from h`,
}

const INSERT_UNHELD = {
  name: 'quote_insert_unheld',
  text: `insert into quotes (id, order_id, created_at, integrator_id, api_key_id, referrer, terms, body, quoted, order_data)
    values ($1, $2, to_timestamp($3 / 1000.0), $4, $5, $6, $7, $8, $9, $10)`,
}

/** Stripes of `take_hold`; -1 is the one that is decided exactly. */
const STRIPES = 32
const EXACT = -1
const SLOT_MS = 5_000

/** The slot in which a hold ends; it is live while this is greater than the slot of now. */
const slotOfEnd = (at: number): number => Math.ceil(at / SLOT_MS)
/** The slot of holds that is running at an instant, Unix milliseconds; holds of later slots are live. */
export const slotOfNow = (at: number): number => Math.floor(at / SLOT_MS)

/** Removes holds that ended a minute ago or earlier; nothing counts them. */
export const removeEndedHolds = async (pool: Pool, now: number): Promise<void> => {
  await pool.query('delete from hold_slots where slot <= $1', [slotOfNow(now - 60_000)])
}

/** Quotes in PostgreSQL: one statement writes the quote and its hold. */
export class SqlQuoteStore implements QuoteStore {
  readonly #deps: QuoteStoreDeps

  constructor(deps: QuoteStoreDeps) {
    this.#deps = deps
  }

  async insert(quote: NewQuote): Promise<void> {
    const { pool } = this.#deps
    const statements = quote.statements ?? []
    if (statements.length === 0) return this.#write(pool, quote)
    await withTransaction(pool, async (client) => {
      await this.#write(client, quote)
      for (const { text, values } of statements) await client.query(text, [...values])
    })
  }

  async #write(db: Pool | PoolClient, quote: NewQuote): Promise<void> {
    const now = this.#deps.clock.now()
    const { hold } = quote
    if (hold === null) {
      await db.query({ ...INSERT_UNHELD, values: columnsOf(quote, now) })
      return
    }
    let outcome = await this.#insertHeld(db, quote, hold, now, false)
    if (outcome === 'retry') outcome = await this.#insertHeld(db, quote, hold, now, true)
    if (outcome === 'held') return
    if (outcome === 'unknown') {
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'The funds on the destination chain are not known yet. Try again shortly.',
      )
    }
    throw new ServiceError(
      'INSUFFICIENT_LIQUIDITY',
      'There is not enough liquidity on the destination chain for this amount now. Try a smaller amount, or later.',
    )
  }

  async #insertHeld(
    db: Pool | PoolClient,
    quote: NewQuote,
    hold: NonNullable<NewQuote['hold']>,
    now: number,
    exact: boolean,
  ): Promise<HoldOutcome> {
    const id = toBytea(quote.terms.requestId)
    const { rows } = await db.query<{ outcome: HoldOutcome }>({
      ...INSERT,
      values: [
        hold.chainId,
        hold.currency,
        exact ? EXACT : (id.at(-1) ?? 0) % STRIPES,
        slotOfEnd(now + hold.seconds * 1000),
        slotOfNow(now),
        hold.amount.toString(),
        hold.anonymous,
        this.#deps.anonymousHoldBps,
        ...columnsOf(quote, now),
      ],
    })
    return rows[0]?.outcome ?? 'unknown'
  }

  async available(chainId: number, currency: string): Promise<bigint | null> {
    const { rows } = await this.#deps.pool.query<{ free: string | null }>({
      name: 'inventory_available',
      text: 'select (spendable($1, $2) - live_holds($1, $2, $3))::text as free',
      values: [chainId, currency, slotOfNow(this.#deps.clock.now())],
    })
    const free = rows[0]?.free
    return free === null || free === undefined ? null : BigInt(free)
  }

  async findTerms(requestId: Hex): Promise<QuoteTerms | null> {
    const { rows } = await this.#deps.pool.query<{ terms: string }>({
      name: 'quote_terms',
      text: 'select terms from requests where id = $1 union all select terms from quotes where id = $1 limit 1',
      values: [toBytea(requestId)],
    })
    const text = rows[0]?.terms
    return text === undefined ? null : parseTerms(text)
  }

  async findQuote(requestId: Hex): Promise<StoredQuote | null> {
    const { rows } = await this.#deps.pool.query<Omit<StoredQuote, 'requestId'>>({
      name: 'quote_found',
      text: `select created_at as "createdAt", integrator_id as "integratorId", body, quoted from quotes where id = $1 limit 1`,
      values: [toBytea(requestId)],
    })
    const [row] = rows
    return row === undefined ? null : { requestId, ...row }
  }
}

/** The columns of a quote, in the order both statements take them. */
const columnsOf = (quote: NewQuote, now: number) => [
  toBytea(quote.terms.requestId),
  toBytea(quote.terms.orderId),
  now,
  quote.caller.integratorId,
  quote.caller.apiKeyId,
  quote.referrer,
  serializeTerms(quote.terms),
  quote.body,
  quote.quoted,
  quote.order,
]
