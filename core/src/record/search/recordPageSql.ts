import { afterSql, ORDERS, orderSql, type Walk, walkOf } from '../recordDriver.js'
import { predicateSql } from './recordConditions.js'
import type { RecordColumns, RecordPosition, RecordQuery } from './recordQuery.js'
import { SqlWriter } from './sqlWriter.js'

/** What one statement looks at: from where, how many requests, and how many of them are wanted. */
export interface Window {
  readonly position: RecordPosition | null
  readonly window: number
  readonly manyTerms: boolean
  readonly wanted: number
}

export interface PageRow {
  readonly id: Buffer
  readonly integrator_id: string | null
  readonly api_key_id: string | null
  readonly referrer: string | null
  readonly page_key: string
  readonly page_tie: string
  readonly [column: string]: unknown
}

/** Where a window ended, null when the walk did; a row without an id is no request. */
export type SpanRow = (PageRow | { readonly id: null }) & { readonly end_key: string | null; readonly end_tie: string }

export interface Statement {
  readonly text: string
  readonly values: unknown[]
}

const tieText = (query: RecordQuery, from: string): string =>
  ORDERS[query.sort].tieType === 'bytea' ? `encode(${from}.id, 'hex')` : `${from}.seq::text`

/** What is left to ask of the requests that a walk visits. */
const withoutAnswered = (query: RecordQuery, { timed, answered }: Walk): RecordQuery => ({
  ...query,
  conditions: query.conditions.filter((one) => !answered.includes(one)),
  ...(timed ? { ranges: { ...query.ranges, time: {} } } : {}),
})

/** Those that fit of the requests `r` that `from` gives. */
const fittingSql = (
  sql: SqlWriter,
  query: RecordQuery,
  columns: RecordColumns,
  {
    walk,
    from,
    orderedBy,
    ...window
  }: Window & { readonly walk: Walk; readonly from: string; readonly orderedBy: string },
): string => {
  const { column } = ORDERS[query.sort]
  const timeColumn = query.sort === 'updatedAt' ? 'r.updated_at' : 'r.created_at'
  const where = [
    'true',
    ...predicateSql(sql, withoutAnswered(query, walk), timeColumn),
    ...(walk.whole ? afterSql(sql, query, window.position, 'r') : []),
  ]
  return `select r.id, r.integrator_id, r.api_key_id, r.referrer, r.${column}::text as page_key, ${tieText(query, 'r')} as page_tie${columns.select}
      from ${from} ${columns.join}
      where ${where.join(' and ')} order by ${orderSql(query, orderedBy)} limit ${window.wanted}`
}

/** A window that is left as soon as enough are found. */
export const pageSql = (
  query: RecordQuery,
  columns: RecordColumns,
  window: Window,
): Statement & { readonly whole: boolean } => {
  const sql = new SqlWriter()
  const walk = walkOf(sql, query, { ...window, complete: true })
  const joined = walk.complete ? `${walk.sql} r` : `${walk.sql} w join requests r on r.seq = w.seq`
  const orderedBy = walk.complete || walk.whole ? 'r' : 'w'
  const text = fittingSql(sql, query, columns, { ...window, walk, from: joined, orderedBy })
  return { text, values: sql.values, whole: walk.whole }
}

/**
 * A window looked at from end to end, with its last place: both of one moment, so that the next window goes on just there
 * whatever is written meanwhile.
 */
export const spanSql = (query: RecordQuery, columns: RecordColumns, window: Window): Statement => {
  const sql = new SqlWriter()
  const walk = walkOf(sql, query, { ...window, complete: false })
  const from = 'w join requests r on r.seq = w.seq'
  const text = `with w as materialized ${walk.sql},
    e as (select w.${ORDERS[query.sort].column}::text as key, ${tieText(query, 'w')} as tie
      from w order by ${orderSql(query, 'w')} offset ${walk.size - 1} limit 1)
    select e.key as end_key, e.tie as end_tie, p.* from (select) one left join e on true
    left join lateral (${fittingSql(sql, query, columns, { ...window, walk, from, orderedBy: 'w' })}) p on true`
  return { text, values: sql.values }
}
