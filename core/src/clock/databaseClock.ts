import type { Pool } from 'pg'
import type { Clock } from './clock.js'

/** A step back of at least this is a clock that was wrong before, not the noise of a measurement. */
const STEP_BACK_MS = 2_000

/**
 * The time of the database, moved by its offset row, so that tests can move every process together (architecture.md 6, Clock).
 * Between two readings it runs by this process's monotonic clock: what the machine calls the time decides nothing (faults.md F129).
 */
export class DatabaseClock implements Clock {
  /** The database's time less this process's monotonic clock; the machine's own until the first reading. */
  #baseMs = performance.timeOrigin
  #offsetMs = 0
  #read = false

  now(): number {
    return Math.floor(performance.now() + this.#baseMs + this.#offsetMs)
  }

  /** Reads the time and the offset again. True when that sets business time back: dates written until then may be in the future. */
  async refresh(pool: Pool): Promise<boolean> {
    const before = this.#baseMs + this.#offsetMs
    const asked = performance.now()
    const { rows } = await pool.query<{ now_ms: number; offset_ms: string }>({
      name: 'clock_read',
      text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms, offset_ms::text as offset_ms from clock_offset`,
    })
    const [row] = rows
    if (row === undefined) throw new Error('The row of clock_offset is missing.')
    this.#setBase(row.now_ms - performance.now(), row.now_ms - asked)
    this.#offsetMs = Number(row.offset_ms)
    return this.#baseMs + this.#offsetMs < before - STEP_BACK_MS
  }

  /** The answer was made between question and arrival: a base within these bounds stays, so that slow answers do not shake it. */
  #setBase(least: number, most: number): void {
    if (!this.#read) this.#baseMs = (least + most) / 2
    this.#baseMs = Math.min(Math.max(this.#baseMs, least), most)
    this.#read = true
  }
}

/** Moves the time of every process on this database; they follow within the refresh interval. */
export const moveClock = async (pool: Pool, offsetMs: number): Promise<void> => {
  await pool.query('update clock_offset set offset_ms = $1', [offsetMs])
}
