import pLimit from 'p-limit'
import type { Pool } from 'pg'
import { ServiceError } from '../../errors/serviceError.js'
import { drivingTerms } from '../recordDriver.js'
import { predicateSql } from './recordConditions.js'
import type { RecordQuery } from './recordQuery.js'
import { SqlWriter } from './sqlWriter.js'
import { withinTime } from './statementTime.js'

const COUNT_MS = 2_000
const MOST_WAITING = 10

/** Counts what no number is kept of, one search after the other, so that pages keep their connections. */
export class RecordCounter {
  readonly #pool: Pool
  readonly #limit = pLimit(1)

  constructor(deps: { readonly pool: Pool }) {
    this.#pool = deps.pool
  }

  /** Throws `SERVICE_UNAVAILABLE` when counting takes too long, or many are being counted (wire.md K.3 4). */
  async count(query: RecordQuery): Promise<number> {
    if (this.#limit.pendingCount >= MOST_WAITING) {
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'Many are counting requests now. Try again, or leave includeTotal out.',
      )
    }
    return this.#limit(() => this.#ask(query))
  }

  async #ask(query: RecordQuery): Promise<number> {
    const sql = new SqlWriter()
    const text = countSql(sql, query)
    const client = await this.#pool.connect()
    try {
      await client.query(`begin read only; set local statement_timeout = ${COUNT_MS}; set local plan_cache_mode = auto`)
      const { rows } = await withinTime(() => client.query<{ total: string }>(text, sql.values))
      await client.query('commit')
      client.release()
      return Number(rows[0]?.total ?? 0)
    } catch (error) {
      await client.query('rollback').then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      )
      throw error
    }
  }
}

const countSql = (sql: SqlWriter, query: RecordQuery): string => {
  const terms = drivingTerms(query)
  const asked = { ...query, conditions: query.conditions.filter((one) => terms?.answered.includes(one) !== true) }
  const predicates = predicateSql(sql, asked, `r.${query.sort === 'updatedAt' ? 'updated_at' : 'created_at'}`)
  if (terms !== null) {
    const kinds = terms.kinds.length === 0 ? '' : ` and ${sql.isOneOf('t.kind', terms.kinds, 'text')}`
    predicates.push(
      `r.seq in (select t.seq from request_terms t where ${sql.isOneOf('t.term', terms.terms, 'text')}${kinds})`,
    )
  }
  return `select count(*)::text as total from requests r where ${['true', ...predicates].join(' and ')}`
}
