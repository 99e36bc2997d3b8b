import type { Pool } from 'pg'
import { fromBytea } from '../database/hexBytea.js'
import { ServiceError } from '../errors/serviceError.js'
import { predicateSql } from './recordConditions.js'
import { afterSql, drivingTerms, ORDERS, orderSql, type Walk, walkOf } from './recordDriver.js'
import type { RecordColumns, RecordPage, RecordPosition, RecordQuery, RecordRow } from './recordQuery.js'
import { countable, countedTotal } from './recordTotals.js'
import { SqlWriter } from './sqlWriter.js'
import { StatementNames } from './statementNames.js'
import { unpaidSql } from './unpaidQuotes.js'

/** Requests looked at in one statement; the last windows of a search are larger, since few of theirs fit. */
const WINDOWS = [2_000, 20_000, 50_000] as const
/** How long a search may go on looking before it ends a page early. */
const BUDGET_MS = 1_000
const TOTAL_MS = 2_000
/** Words more common than this are not sorted by hand. */
const MANY = 5_000

interface PageRow {
  id: Buffer
  integrator_id: string | null
  api_key_id: string | null
  referrer: string | null
  page_key: string
  page_tie: string
  [column: string]: unknown
}

/** One for the process: searches of one kind share their texts. */
const names = new StatementNames('record_page')

/** What one statement looks at: from where, how many requests, and how many of them are wanted. */
interface Window {
  readonly position: RecordPosition | null
  readonly window: number
  readonly manyTerms: boolean
  readonly wanted: number
}

const NO_COLUMNS: RecordColumns = { select: '', join: '' }

const tieText = (query: RecordQuery, from: string): string =>
  ORDERS[query.sort].tieType === 'bytea' ? `encode(${from}.id, 'hex')` : `${from}.seq::text`

/**
 * Searches the history of requests. A page walks along one index, looks at a bounded number of requests in one statement,
 * and goes on in further windows while few fit and the time lasts; so no search reads the whole table, and a page of deep
 * history costs what the first one costs (wire.md 3.1, reference figures in the benchmark).
 */
export class RecordSearch {
  readonly #pool: Pool
  readonly #windows: readonly number[]

  constructor(deps: { readonly pool: Pool; readonly windows?: readonly [number, ...number[]] }) {
    this.#pool = deps.pool
    this.#windows = deps.windows ?? WINDOWS
  }

  /** One page. Unpaid quotes are found by id, order id, deposit address or term, and only there (design 6, Records). */
  async page(query: RecordQuery, columns: RecordColumns = NO_COLUMNS): Promise<RecordPage> {
    const page = await this.#requests(query, columns)
    if (page.rows.length > 0 || page.next !== null || query.after !== null) return page
    const unpaid = await this.#unpaid(query, columns)
    if (unpaid === null || unpaid.rows.length > 0) return unpaid ?? page
    // Between the two looks the quote may have become a request.
    return this.#requests(query, columns)
  }

  async #requests(query: RecordQuery, columns: RecordColumns): Promise<RecordPage> {
    const manyTerms = await this.#areMany(query)
    const found: PageRow[] = []
    const until = performance.now() + BUDGET_MS
    let position = query.after
    for (let round = 0; ; round++) {
      const window = this.#windows[Math.min(round, this.#windows.length - 1)] ?? WINDOWS[0]
      const { rows, whole } = await this.#window(query, columns, {
        position,
        window,
        manyTerms,
        wanted: query.limit + 1 - found.length,
      })
      found.push(...rows)
      if (found.length > query.limit) return toPage(found.slice(0, query.limit), found[query.limit - 1])
      position = whole ? null : await this.#end(query, { position, window, manyTerms })
      if (position === null) break
      if (performance.now() > until) return { ...toPage(found, undefined), next: position }
    }
    return toPage(found, undefined)
  }

  /** How many requests fit, exactly. Throws `SERVICE_UNAVAILABLE` when counting takes too long (wire.md K.3 4). */
  async total(query: RecordQuery): Promise<number> {
    if (countable(query)) return countedTotal(this.#pool, query)
    const sql = new SqlWriter()
    const terms = drivingTerms(query)
    const asked = { ...query, conditions: query.conditions.filter((one) => terms?.answered.includes(one) !== true) }
    const predicates = predicateSql(sql, asked, `r.${query.sort === 'updatedAt' ? 'updated_at' : 'created_at'}`)
    if (terms !== null) {
      const kinds = terms.kinds.length === 0 ? '' : ` and ${sql.isOneOf('t.kind', terms.kinds, 'text')}`
      predicates.push(
        `r.seq in (select t.seq from request_terms t where ${sql.isOneOf('t.term', terms.terms, 'text')}${kinds})`,
      )
    }
    const text = `select count(*)::text as total from requests r where ${['true', ...predicates].join(' and ')}`
    const total = Number(await this.#timed(text, sql.values))
    return total > 0 ? total : ((await this.#unpaid({ ...query, limit: 1 }, NO_COLUMNS))?.rows.length ?? 0)
  }

  async #timed(text: string, values: readonly unknown[]): Promise<string> {
    const client = await this.#pool.connect()
    try {
      await client.query(`begin read only; set local statement_timeout = ${TOTAL_MS}; set local plan_cache_mode = auto`)
      const { rows } = await client.query<{ total: string }>(text, [...values])
      await client.query('commit')
      client.release()
      return rows[0]?.total ?? '0'
    } catch (error) {
      await client.query('rollback').then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      )
      if (Reflect.get(Object(error), 'code') !== '57014') throw error
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'Counting these requests takes too long. Narrow the filters, or leave includeTotal out.',
      )
    }
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

  async #window(
    query: RecordQuery,
    columns: RecordColumns,
    options: Window,
  ): Promise<{ readonly rows: PageRow[]; readonly whole: boolean }> {
    const sql = new SqlWriter()
    const { text, whole } = pageSql(sql, query, columns, options)
    const { rows } = await this.#pool.query<PageRow>(names.named(text, sql.values))
    return { rows, whole }
  }

  /** The last request a window looked at; null when it came to the end. */
  async #end(query: RecordQuery, options: Omit<Window, 'wanted'>): Promise<RecordPosition | null> {
    const sql = new SqlWriter()
    const walk = walkOf(sql, query, options)
    const key = `w.${ORDERS[query.sort].column}::text`
    const { rows } = await this.#pool.query<{ key: string; tie: string }>(
      `select ${key} as key, ${tieText(query, 'w')} as tie from ${walk.sql} w order by ${orderSql(query, 'w')} offset ${options.window - 1} limit 1`,
      sql.values,
    )
    return rows[0] ?? null
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

/** What is left to ask of the requests that a walk visits. */
const withoutAnswered = (query: RecordQuery, { timed, answered }: Walk): RecordQuery => ({
  ...query,
  conditions: query.conditions.filter((one) => !answered.includes(one)),
  ...(timed ? { ranges: { ...query.ranges, time: {} } } : {}),
})

const pageSql = (
  sql: SqlWriter,
  query: RecordQuery,
  columns: RecordColumns,
  options: Window,
): { readonly text: string; readonly whole: boolean } => {
  const walk = walkOf(sql, query, options)
  const { column } = ORDERS[query.sort]
  const timeColumn = query.sort === 'updatedAt' ? 'r.updated_at' : 'r.created_at'
  const where = [
    'true',
    ...predicateSql(sql, withoutAnswered(query, walk), timeColumn),
    ...(walk.whole ? afterSql(sql, query, options.position, 'r') : []),
  ]
  return {
    text: `select r.id, r.integrator_id, r.api_key_id, r.referrer, r.${column}::text as page_key, ${tieText(query, 'r')} as page_tie${columns.select}
      from ${walk.sql} w join requests r on r.seq = w.seq ${columns.join}
      where ${where.join(' and ')} order by ${orderSql(query, walk.whole ? 'r' : 'w')} limit ${options.wanted}`,
    whole: walk.whole,
  }
}

const OWN = new Set(['id', 'integrator_id', 'api_key_id', 'referrer', 'page_key', 'page_tie'])

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
