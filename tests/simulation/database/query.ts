import type { Pool } from 'pg'

/** One statement on a connection of the world's own, outside the simulation; without values it may be several, as one transaction. */
export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** Statements over a pool or a client of pg; of several statements the rows of the last. */
export const queryOver =
  (db: Pick<Pool, 'query'>): Query =>
  async <Row extends object>(text: string, values?: readonly unknown[]) => {
    const result = await (values === undefined ? db.query(text) : db.query(text, [...values]))
    const last = Array.isArray(result) ? result.at(-1) : result
    // CAST: rows are what the caller's statement gives.
    return last.rows as Row[]
  }
