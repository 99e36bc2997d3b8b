import type { Pool } from 'pg'
import type { Clock } from './clock.js'

/** The machine's time moved by the offset row, so that tests can move every process together (design 6, Clock). */
export class DatabaseClock implements Clock {
  #offsetMs = 0

  now(): number {
    return Date.now() + this.#offsetMs
  }

  /** Reads the offset again. */
  async refresh(pool: Pool): Promise<void> {
    const { rows } = await pool.query<{ ms: string }>('select offset_ms::text as ms from clock_offset')
    this.#offsetMs = Number(rows[0]?.ms ?? '0')
  }
}

/** Moves the time of every process on this database; they follow within the refresh interval. */
export const moveClock = async (pool: Pool, offsetMs: number): Promise<void> => {
  await pool.query('update clock_offset set offset_ms = $1', [offsetMs])
}
