import type { Pool } from 'pg'
import { toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import { parseTerms, type QuoteTerms } from '../quote/quoteTerms.js'
import type { FastFillState } from './fastFill.js'

/** A quote that may be filled ahead of its deposit, and whose it is. */
export interface FastFillOrder {
  readonly terms: QuoteTerms
  /** Null for a quote without a key. */
  readonly integratorId: string | null
}

/** The quote of an id, used or not; null where no quote has it: a child is none. */
export const findFastFillOrder = async (pool: Pool, requestId: Hex): Promise<FastFillOrder | null> => {
  const { rows } = await pool.query<{ terms: string; integrator_id: string | null }>({
    name: 'fast_fill_order',
    text: `select terms, integrator_id from (
        select terms, integrator_id, 0 as preference from requests where id = $1 and parent_request_id is null
        union all select terms, integrator_id, 1 from quotes where id = $1
      ) found order by preference limit 1`,
    values: [toBytea(requestId)],
  })
  const [row] = rows
  return row === undefined ? null : { terms: parseTerms(row.terms), integratorId: row.integrator_id }
}

/** How the fast fill of a request stands; null where it has none. */
export const findFastFillState = async (
  pool: Pool,
  requestId: Hex,
): Promise<{ readonly state: FastFillState; readonly reason: string | null } | null> => {
  const { rows } = await pool.query<{ state: FastFillState; reason: string | null }>({
    name: 'fast_fill_standing',
    text: 'select state, reason from fast_fills where request_id = $1',
    values: [toBytea(requestId)],
  })
  return rows[0] ?? null
}
