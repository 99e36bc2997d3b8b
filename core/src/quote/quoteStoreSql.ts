import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.js'
import { toBytea } from '../database/hexBytea.js'
import { ServiceError } from '../errors/serviceError.js'
import type { Hex } from '../money/hex.js'
import type { NewQuote, QuoteStore } from './quoteStore.js'
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
      select take_hold($1, $2, $3, $4, to_timestamp($5 / 1000.0), $6, to_timestamp($7 / 1000.0), $8, $9) as outcome
    ), q as (
      insert into quotes (id, order_id, created_at, integrator_id, api_key_id, referrer, terms, body, quoted, order_data)
      select $1, $10, to_timestamp($7 / 1000.0), $11, $12, $13, $14, $15, $16, $17 from h where h.outcome = 'held'
    )
    select outcome from h`,
}

/** Quotes in PostgreSQL: one statement writes the quote and its hold. */
export class SqlQuoteStore implements QuoteStore {
  readonly #deps: QuoteStoreDeps

  constructor(deps: QuoteStoreDeps) {
    this.#deps = deps
  }

  async insert(quote: NewQuote): Promise<void> {
    const now = this.#deps.clock.now()
    let outcome = await this.#insert(quote, now, false)
    if (outcome === 'retry') outcome = await this.#insert(quote, now, true)
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

  async #insert(quote: NewQuote, now: number, exact: boolean): Promise<HoldOutcome> {
    const { terms, hold } = quote
    const { rows } = await this.#deps.pool.query<{ outcome: HoldOutcome }>({
      ...INSERT,
      values: [
        toBytea(terms.requestId),
        hold.chainId,
        hold.currency,
        hold.amount.toString(),
        now + hold.seconds * 1000,
        hold.anonymous,
        now,
        this.#deps.anonymousHoldBps,
        exact,
        toBytea(terms.orderId),
        quote.caller.integratorId,
        quote.caller.apiKeyId,
        quote.referrer,
        serializeTerms(terms),
        quote.body,
        quote.quoted,
        quote.order,
      ],
    })
    return rows[0]?.outcome ?? 'unknown'
  }

  async available(chainId: number, currency: string): Promise<bigint | null> {
    const { rows } = await this.#deps.pool.query<{ free: string | null }>({
      name: 'inventory_available',
      text: 'select (spendable($1, $2) - live_holds($1, $2, to_timestamp($3 / 1000.0)))::text as free',
      values: [chainId, currency, this.#deps.clock.now()],
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
}
