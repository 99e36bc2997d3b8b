import type { Pool } from 'pg'
import { fromBytea } from '../../database/hexBytea.js'
import { drivingTerms } from '../recordDriver.js'
import { unpaidSql } from '../unpaidQuotes.js'
import { RecordCounter } from './recordCounter.js'
import { type PageRow, pageSql, type SpanRow, type Statement, spanSql } from './recordPageSql.js'
import type { RecordColumns, RecordPage, RecordQuery, RecordRow } from './recordQuery.js'
import { countable, countedTotal } from './recordTotals.js'
import { SqlWriter } from './sqlWriter.js'
import { StatementNames } from './statementNames.js'
import { tookTooLong, tooLong, withinTime } from './statementTime.js'

/** Requests looked at in one statement: the larger ones where few fit and the time allows. */
const WINDOWS = [2_000, 20_000, 50_000] as const
/** How long a search may go on looking before it ends a page early. */
const BUDGET_MS = 1_000
/** Words more common than this are not sorted by hand. */
const MANY = 5_000

const NO_COLUMNS: RecordColumns = { select: '', join: '' }

/** One for the process: searches of one kind share their texts. */
const names = new StatementNames('record_page')

/**
 * Searches the history of requests. A page walks along one index, looks at a bounded number of requests in one statement,
 * and goes on in further windows while few fit and the time lasts; so no search reads the whole table, and a page of deep
 * history costs what the first one costs (wire.md 3.1, reference figures in the benchmark).
 */
export class RecordSearch {
  readonly #pool: Pool
  readonly #counter: RecordCounter
  readonly #windows: readonly [number, ...number[]]
  readonly #now: () => number

  /** `now` is a clock that only goes forward, in milliseconds. */
  constructor(deps: {
    readonly pool: Pool
    readonly windows?: readonly [number, ...number[]]
    readonly now?: () => number
  }) {
    this.#pool = deps.pool
    this.#now = deps.now ?? (() => performance.now())
    this.#counter = new RecordCounter(deps)
    this.#windows = deps.windows ?? WINDOWS
  }

  /** One page. Unpaid quotes are found by id, order id or term, and only there (architecture.md 6, Records). */
  async page(query: RecordQuery, columns: RecordColumns = NO_COLUMNS): Promise<RecordPage> {
    if (query.children && query.limit > 1) return this.#family(query, columns)
    const page = await this.#requests(query, columns)
    if (page.rows.length > 0 || page.next !== null || query.after !== null) return page
    const unpaid = await this.#unpaid(query, columns)
    if (unpaid === null || unpaid.rows.length > 0) return unpaid ?? page
    // Between the two looks the quote may have become a request.
    return this.#requests(query, columns)
  }

  /**
   * A quote that nobody paid may have children: what was deposited and could not pay it. It is older than they are and worth
   * more, and stands at that end of their pages, of which one may be shorter for it.
   */
  async #family(query: RecordQuery, columns: RecordColumns): Promise<RecordPage> {
    const quotes = (await this.#unpaid(query, columns))?.rows ?? []
    if (quotes.length === 0) return this.#requests(query, columns)
    const isFirst = (query.sort === 'amountUsd') === query.descending
    const limit = Math.max(1, query.limit - quotes.length)
    if (isFirst) {
      if (query.after !== null) return this.#requests(query, columns)
      const { rows, next } = await this.#requests({ ...query, limit }, columns)
      return { rows: [...quotes, ...rows], next }
    }
    const page = await this.#requests({ ...query, limit }, columns)
    return page.next === null ? { rows: [...page.rows, ...quotes], next: null } : page
  }

  async #requests(query: RecordQuery, columns: RecordColumns): Promise<RecordPage> {
    const manyTerms = await this.#areMany(query)
    const [smallest] = this.#windows
    const startedAt = this.#now()
    const window = { position: query.after, window: smallest, manyTerms, wanted: query.limit + 1 }
    const { text, values, whole } = pageSql(query, columns, window)
    const { rows } = await withinTime(() => this.#pool.query<PageRow>(names.named(text, values)))
    if (rows.length > query.limit || whole) return pageOf(rows, query)
    const pace = (this.#now() - startedAt) / smallest
    return this.#search(query, columns, { manyTerms, pace, until: startedAt + BUDGET_MS })
  }

  /** Few fit: looks at one window after the other, as large as the time allows, and ends early when it is over. */
  async #search(
    query: RecordQuery,
    columns: RecordColumns,
    options: { readonly manyTerms: boolean; readonly pace: number; readonly until: number },
  ): Promise<RecordPage> {
    const { manyTerms, until } = options
    const found: PageRow[] = []
    let { pace } = options
    for (let position = query.after; ; ) {
      const startedAt = this.#now()
      if (startedAt > until && position !== query.after) return { ...toPage(found, undefined), next: position }
      const window = this.#windowFor((until - startedAt) / pace)
      const wanted = query.limit + 1 - found.length
      const rows = await this.#span(spanSql(query, columns, { position, window, manyTerms, wanted }))
      if (rows === null && position !== query.after) return { ...toPage(found, undefined), next: position }
      if (rows === null && window === this.#windows[0]) throw tooLong()
      if (rows === null) {
        pace = Number.POSITIVE_INFINITY
        continue
      }
      found.push(...rows.filter((row): row is SpanRow & PageRow => row.id !== null))
      const { end_key: key, end_tie: tie } = rows[0] ?? { end_key: null, end_tie: '' }
      if (found.length > query.limit || key === null) return pageOf(found, query)
      position = { key, tie }
      pace = (this.#now() - startedAt) / window
    }
  }

  /** Null where it took too long. */
  async #span({ text, values }: Statement): Promise<readonly SpanRow[] | null> {
    try {
      return (await this.#pool.query<SpanRow>(names.named(text, values))).rows
    } catch (error) {
      if (tookTooLong(error)) return null
      throw error
    }
  }

  /** The largest window with no more requests than can be looked at; the smallest is always. */
  #windowFor(requests: number): number {
    return this.#windows.filter((window) => window <= requests).at(-1) ?? this.#windows[0]
  }

  /**
   * How many requests fit, exactly. Throws `SERVICE_UNAVAILABLE` when counting takes too long, or many are being counted
   * (wire.md K.3 4).
   */
  async total(query: RecordQuery): Promise<number> {
    if (countable(query)) return countedTotal(this.#pool, query)
    const total = await this.#counter.count(query)
    if (total > 0 && !query.children) return total
    const limit = query.children ? query.limit : 1
    return total + ((await this.#unpaid({ ...query, limit }, NO_COLUMNS))?.rows.length ?? 0)
  }

  async #areMany(query: RecordQuery): Promise<boolean> {
    const terms = query.sort === 'createdAt' ? null : drivingTerms(query)
    if (terms === null) return false
    const { rows } = await this.#pool.query<{ many: boolean }>({
      name: 'record_terms_many',
      text: `select count(*) > ${MANY} as many from (select from request_terms where term = any($1::text[]) limit ${MANY + 1}) t`,
      values: [terms.terms],
    })
    return rows[0]?.many === true
  }

  /** Quotes that nobody has paid; null when the search names none. */
  async #unpaid(query: RecordQuery, columns: RecordColumns): Promise<RecordPage | null> {
    const sql = new SqlWriter()
    const text = unpaidSql(sql, query, columns)
    if (text === null) return null
    const { rows } = await this.#pool.query<PageRow>(text, sql.values)
    return toPage(rows, undefined, true)
  }
}

const OWN = new Set(['id', 'integrator_id', 'api_key_id', 'referrer', 'page_key', 'page_tie'])

/** A page of the rows found, one more than which says that more follow. */
const pageOf = (rows: readonly PageRow[], { limit }: RecordQuery): RecordPage =>
  rows.length > limit ? toPage(rows.slice(0, limit), rows[limit - 1]) : toPage(rows, undefined)

const toRow = (row: PageRow, unpaid: boolean): RecordRow => ({
  id: fromBytea(row.id),
  integratorId: row.integrator_id,
  apiKeyId: row.api_key_id,
  referrer: row.referrer,
  unpaid,
  columns: Object.fromEntries(Object.entries(row).filter(([name]) => !OWN.has(name))),
})

const toPage = (rows: readonly PageRow[], last: PageRow | undefined, unpaid = false): RecordPage => ({
  rows: rows.map((row) => toRow(row, unpaid)),
  next: last === undefined ? null : { key: last.page_key, tie: last.page_tie },
})
