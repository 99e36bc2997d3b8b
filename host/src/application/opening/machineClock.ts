import type { Pool } from 'pg'
import type { Logger } from 'pino'

/** Minimum difference that the doctor reports. */
const FAULT_MS = 2_000
/** Minimum difference that a start logs: the first answer of a database may be slow. */
const LOGGED_MS = 10_000
/** Maximum difference with which a host starts. A running host ignores the clock of its machine (faults.md F129). */
const START_MS = 3_600_000

/** A difference between the clocks of this machine and of the database, in the words of the operator. */
export interface ClockDifference {
  readonly milliseconds: number
  /** Sentence about the database's clock, with both times. */
  readonly message: string
  readonly remedy: string
}

/** The clocks are too far apart for a start; the message says both times and what to do. */
export class WrongClockError extends Error {
  override readonly name = 'WrongClockError'
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')

const lengthOf = (milliseconds: number): string => {
  const minutes = Math.round(milliseconds / 60_000)
  return minutes < 60 ? `${Math.round(milliseconds / 100) / 10} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Reads both clocks at once; null where they agree. */
export const clockDifference = async (pool: Pool): Promise<ClockDifference | null> => {
  const asked = Date.now()
  const { rows } = await pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  )
  const machine = (asked + Date.now()) / 2
  const database = rows[0]?.ms ?? machine
  const milliseconds = Math.abs(machine - database)
  if (milliseconds <= FAULT_MS) return null
  const rule = milliseconds > START_MS ? '. No host starts with more than an hour between them' : ''
  return {
    milliseconds,
    message: `differs from this machine's by ${lengthOf(milliseconds)}: the database says ${timeOf(database)}, this machine ${timeOf(machine)}${rule}`,
    remedy: 'Set the clock that is wrong, and let both machines follow a time server (NTP).',
  }
}

/**
 * Compares the clocks before a host starts. Decisions go by the time of the database, but certificates, logs and signed webhooks go by
 * this machine's.
 * @throws WrongClockError
 */
export const requireRightClock = async (pool: Pool, log: Logger): Promise<void> => {
  const difference = await clockDifference(pool)
  if (difference === null || difference.milliseconds <= LOGGED_MS) return
  const { milliseconds, message, remedy } = difference
  if (milliseconds > START_MS) throw new WrongClockError(`The clock of the database ${message}. ${remedy}`)
  log.error({ seconds: Math.round(milliseconds / 1_000) }, `the clock of the database ${message}. ${remedy}`)
}
