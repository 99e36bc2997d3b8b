import type { Pool } from 'pg'

/**
 * One statement on a connection of the world's own, outside the simulation; without values it may be several, as one transaction.
 * Where the same is asked again and again, the server may keep its plan under `name`.
 */
export type Query = <Row extends object>(
  text: string,
  values?: readonly unknown[],
  name?: string,
) => Promise<readonly Row[]>

/** Statements over a pool or a client of pg; of several statements the rows of the last. */
export const queryOver =
  (db: Pick<Pool, 'query'>): Query =>
  async <Row extends object>(text: string, values?: readonly unknown[], name?: string) => {
    const result = await (values === undefined
      ? db.query(text)
      : db.query({ text, values: [...values], ...(name === undefined ? {} : { name }) }))
    const last = Array.isArray(result) ? result.at(-1) : result
    // CAST: rows are what the caller's statement gives.
    return last.rows as Row[]
  }
