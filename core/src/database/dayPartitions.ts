import type { Pool } from 'pg'

export interface DayPartitions {
  /** Partitioned by range, with a default partition `<table>_default`. */
  readonly table: string
  /** The time column it is partitioned by. */
  readonly column: string
  /** Unix milliseconds. */
  readonly now: number
  /** Days that are kept before today. */
  readonly days: number
}

/** Makes partitions of the days around now, and drops what is older than it is kept. */
export const keepDayPartitions = async (
  pool: Pick<Pool, 'query'>,
  { table, column, now, days }: DayPartitions,
): Promise<void> => {
  await pool.query('select keep_day_partitions($1, $2, to_timestamp($3 / 1000.0), $4)', [table, column, now, days])
}
