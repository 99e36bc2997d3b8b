import type { Pool, PoolClient } from 'pg'
import { isBalanceTooLow } from '../appBalance/appBalances.js'
import type { Clock } from '../clock/clock.js'
import { toBytea } from '../database/hexBytea.js'
import { withTransaction } from '../database/pool.js'
import { quoteKept } from '../database/retention.js'
import { ServiceError } from '../errors/serviceError.js'
import type { Hex } from '../money/hex.js'
import { PACKED_COLUMNS, type PackedQuote, packQuote, type QuoteTexts, unpackQuote } from './packing/quotePacking.js'
import { directQuotePart } from './parts/directQuotePart.js'
import { joinParts } from './parts/quoteParts.js'
import type { QuotePart } from './quoteExtension.js'
import { holderKey } from './quoteHolder.js'
import type { HoldResult, NewQuote, QuoteStore, StoredQuote } from './quoteStore.js'
import { parseTerms, type QuoteTerms, serializeTerms } from './quoteTerms.js'
import type { StorageBudget } from './storageBudget.js'

interface QuoteStoreDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** Share of a currency that holds of all callers together may take whom nobody vouches for, basis points (architecture.md 3, step 1). */
  readonly anonymousHoldBps: number
  /** Share of that part which one of them may take, basis points. */
  readonly callerHoldBps: number
  /** Days that a quote is kept which nobody pays. */
  readonly keepDays: number
  /** What callers whom nobody vouches for may store in a day. */
  readonly budget: Pick<StorageBudget, 'take'>
  /** A quote was refused whose sponsor's balance does not cover its part. Default: nobody is told. */
  onBalanceTooLow?(): void
}

type HoldOutcome = 'held' | 'unheld' | 'retry' | 'short' | 'unknown'

interface Statement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

const INSERT = {
  name: 'quote_insert',
  text: `with h as materialized (
      select outcome, pooled from take_holds($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    ), q as (
      insert into quote_rows (id, order_id, created_at, integrator_id, api_key_id, referrer, packed, terms, body, quoted, order_data,
        kept, keep_until, hold_stripe, hold_slot, hold_amount, hold_anonymous, hold_topup, hold_holder)
      select $12, $13, to_timestamp($14 / 1000.0), $15, $16, $17, $18, $19, $20, $21, $22, $23, to_timestamp($24 / 1000.0), held.*, $7
      from h left join lateral (select $3::smallint, $4::bigint, $6::numeric, h.pooled, $11::numeric) held on h.outcome = 'held'
      where h.outcome in ('held', 'unheld')
      returning id
    ), stored as (select id from q)`,
  result: 'select outcome from h',
}

const INSERT_UNHELD = {
  name: 'quote_insert_unheld',
  text: `with stored as (
      insert into quote_rows (id, order_id, created_at, integrator_id, api_key_id, referrer, packed, terms, body, quoted, order_data, kept, keep_until)
      values ($1, $2, to_timestamp($3 / 1000.0), $4, $5, $6, $7, $8, $9, $10, $11, $12, to_timestamp($13 / 1000.0))
      returning id
    )`,
  result: `select 'none' as outcome from stored`,
}

/** The statement of a quote with what extensions write beside it. */
const withParts = (
  { name, text, result }: typeof INSERT,
  values: readonly unknown[],
  parts: readonly QuotePart[],
): Statement => {
  const joined = joinParts(parts, values)
  return {
    name: [name, ...parts.map((part) => part.name)].join(':'),
    text: `${text}${joined.text} ${result}`,
    values: joined.values,
  }
}

/** Stripes of `take_hold`; -1 is the one that is decided exactly. */
const STRIPES = 32
const EXACT = -1
const SLOT_MS = 5_000

/** The slot in which a hold ends; it is live while this is greater than the slot of now. */
const slotOfEnd = (at: number): number => Math.ceil(at / SLOT_MS)
/** The slot of holds that is running at an instant, Unix milliseconds; holds of later slots are live. */
export const slotOfNow = (at: number): number => Math.floor(at / SLOT_MS)

const DAY_MS = 86_400_000

/**
 * Removes what nothing counts any more: holds that ended a minute ago, those of each holder after ten, payments after 30 days. A late
 * deposit may be releasing some of them, in an order of its own: what it has is removed another time.
 */
export const removeEndedHolds = async (pool: Pool, now: number): Promise<void> => {
  await pool.query(
    `delete from hold_slots where (chain_id, currency, stripe, slot) in (
       select chain_id, currency, stripe, slot from hold_slots where slot <= $1 for update skip locked)`,
    [slotOfNow(now - 60_000)],
  )
  await pool.query('delete from hold_callers where slot <= $1', [slotOfNow(now - 660_000)])
  await pool.query('delete from hold_payments where day < $1', [Math.floor(now / DAY_MS) - 31])
}

/** Quotes in PostgreSQL: one statement writes the quote, what it holds and what extensions keep with it. */
export class SqlQuoteStore implements QuoteStore {
  readonly #deps: QuoteStoreDeps

  constructor(deps: QuoteStoreDeps) {
    this.#deps = deps
  }

  async insert(quote: NewQuote): Promise<HoldResult> {
    const texts = storedTexts(quote)
    if (quote.holder !== null) this.#deps.budget.take(quote.holder, bytesOf(quote, texts))
    const outcome = await this.#insert(quote, texts, false).catch((error: unknown) => {
      if (isBalanceTooLow(error)) this.#deps.onBalanceTooLow?.()
      throw error
    })
    // In a transaction of its own, where there is one: two that went on from locks they share would wait for each other.
    return resultOf(outcome === 'retry' ? await this.#insert(quote, texts, true) : outcome)
  }

  async #insert(quote: NewQuote, texts: StoredTexts, exact: boolean): Promise<HoldOutcome | 'none'> {
    const { pool } = this.#deps
    const { tie } = quote
    if (tie === undefined) return this.#write(pool, quote, texts, exact)
    return withTransaction(pool, async (client) => {
      const outcome = await this.#write(client, quote, texts, exact)
      if (outcome === 'retry') return outcome
      resultOf(outcome)
      await client.query({ text: tie.text, values: [...tie.values] })
      return outcome
    })
  }

  async #write(
    db: Pool | PoolClient,
    quote: NewQuote,
    texts: StoredTexts,
    exact: boolean,
  ): Promise<HoldOutcome | 'none'> {
    const { values, ...statement } = this.#statementOf(quote, texts, exact)
    const { rows } = await db.query<{ outcome: HoldOutcome | 'none' }>({ ...statement, values: [...values] })
    return rows[0]?.outcome ?? 'unknown'
  }

  #statementOf(quote: NewQuote, texts: StoredTexts, exact: boolean): Statement {
    const now = this.#deps.clock.now()
    const { hold } = quote
    const parts = partsOf(quote)
    const columns = this.#columnsOf(quote, texts, now)
    if (hold === null) return withParts(INSERT_UNHELD, columns, parts)
    const held = [
      hold.chainId,
      hold.currency,
      exact ? EXACT : (toBytea(quote.terms.requestId).at(-1) ?? 0) % STRIPES,
      slotOfEnd(now + hold.seconds * 1000),
      slotOfNow(now),
      hold.amount.toString(),
      quote.holder === null ? null : holderKey(quote.holder),
      this.#deps.anonymousHoldBps,
      this.#deps.callerHoldBps,
      hold.topup?.currency ?? null,
      hold.topup?.amount.toString() ?? null,
    ]
    return withParts(INSERT, [...held, ...columns], parts)
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
    const { rows } = await this.#deps.pool.query<PackedQuote>({
      name: 'quote_terms',
      text: `select id, id as order_id, null::bytea as packed, terms, '' as body, '' as quoted, '' as order_data from requests where id = $1
        union all select ${PACKED_COLUMNS} from quote_rows where id = $1 limit 1`,
      values: [toBytea(requestId)],
    })
    const [row] = rows
    return row === undefined ? null : parseTerms(unpackQuote(row).terms)
  }

  async findQuote(requestId: Hex): Promise<StoredQuote | null> {
    const { rows } = await this.#deps.pool.query<Omit<StoredQuote, keyof QuoteTexts> & PackedQuote>({
      name: 'quote_found',
      text: `with asked as (select coalesce((select parent_request_id from requests where id = $1), $1) as id)
        select ${PACKED_COLUMNS}, '0x' || encode(q.id, 'hex') as "requestId", q.created_at as "createdAt", q.integrator_id as "integratorId"
        from quote_rows q where q.id = (select id from asked)
        -- What was paid, rightly or not, is kept for ever; the quote itself is not.
        union all select r.id, r.id, null, '', f.body, f.quoted, '', '0x' || encode(r.id, 'hex'), r.quoted_at, r.integrator_id
        from requests r join request_facts f on f.request_id = r.id
        where r.id = (select id from asked) and r.parent_request_id is null
        union all select r.id, r.id, null, '', s.body, s.quoted, '', '0x' || encode(r.parent_request_id, 'hex'), r.quoted_at, r.integrator_id
        from requests r join order_facts s on s.order_id = r.order_id where r.id = $1 and r.parent_request_id is not null
        limit 1`,
      values: [toBytea(requestId)],
    })
    const [row] = rows
    if (row === undefined) return null
    const { requestId: id, createdAt, integratorId } = row
    const { body, quoted } = unpackQuote(row)
    return { requestId: id, createdAt, integratorId, body, quoted }
  }

  /** The columns of a quote, in the order both statements take them. */
  #columnsOf({ terms, caller, referrer }: NewQuote, texts: StoredTexts, now: number) {
    const { kept, until } = quoteKept(
      { now, orderDeadline: terms.orderDeadline, pinned: terms.address !== undefined },
      this.#deps.keepDays,
    )
    return [
      toBytea(terms.requestId),
      toBytea(terms.orderId),
      terms.quotedAt,
      caller.integratorId,
      caller.apiKeyId,
      referrer,
      texts.packed,
      texts.terms,
      texts.body,
      texts.quoted,
      texts.order_data,
      kept,
      until,
    ]
  }
}

/** What became of a hold. @throws ServiceError where the quote was not written */
const resultOf = (outcome: HoldOutcome | 'none'): HoldResult => {
  if (outcome === 'held' || outcome === 'unheld' || outcome === 'none') return outcome
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

type StoredTexts = Omit<PackedQuote, 'id' | 'order_id'>

/** Parts stored with a quote: those of extensions, and one for the watcher of users' own transactions. */
const partsOf = ({ parts = [], terms }: NewQuote): readonly QuotePart[] => [...parts, ...directQuotePart(terms)]

const NO_TEXTS = { terms: null, body: null, quoted: null, order_data: null }

/** The texts of a quote, packed where they can be. */
const storedTexts = ({ terms, body, quoted, order }: NewQuote): StoredTexts => {
  const texts: QuoteTexts = { terms: serializeTerms(terms), body, quoted, order_data: order }
  const packed = packQuote({ id: toBytea(terms.requestId), order_id: toBytea(terms.orderId) }, texts)
  return packed === null ? { packed, ...texts } : { packed, ...NO_TEXTS }
}

/** Upper bound in bytes of a row without its texts, with its index entries and its part of unused page space; measured, rounded up. */
const ROW_BYTES = 640

/** Upper bound of the bytes that a quote adds to the database. */
const bytesOf = (quote: NewQuote, { packed, terms, body, quoted, order_data }: StoredTexts): number => {
  const { tie } = quote
  const added = [...partsOf(quote), ...(tie === undefined ? [] : [tie])]
  const values = added.flatMap((part) => part.values.filter((value) => typeof value === 'string'))
  const texts = [terms, body, quoted, order_data, ...values].map((text) => Buffer.byteLength(text ?? ''))
  return texts.reduce((sum, bytes) => sum + bytes, ROW_BYTES + (packed?.length ?? 0))
}
