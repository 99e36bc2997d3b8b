import { BoundedCache } from '@causeway/core'
import type { OperatorDeps } from '../operatorDeps.js'

const WEEK_MS = 7 * 86_400_000
const DAYS = 7n

/** What fills that succeeded within a week were to deliver, smallest units by `chain currency`. */
export const readPaidInWeek = async ({
  pool,
  clock,
}: Pick<OperatorDeps, 'pool' | 'clock'>): Promise<ReadonlyMap<string, bigint>> => {
  const { rows } = await pool.query<{ chain_id: string; currency: string; amount: string }>(
    `select destination_chain_id::text as chain_id, destination_currency as currency, sum(amount_out)::text as amount
     from requests where updated_at >= to_timestamp($1 / 1000.0) and status = 'success' group by 1, 2`,
    [clock.now() - WEEK_MS],
  )
  return new Map(rows.map(({ chain_id, currency, amount }) => [`${chain_id} ${currency}`, BigInt(amount)]))
}

const KEEP_MS = 300_000

/** The same, read at most every five minutes: a week may be long. `now`: milliseconds that only grow. */
export const keepPaidInWeek = (
  deps: Pick<OperatorDeps, 'pool' | 'clock'>,
  now: () => number,
): (() => Promise<ReadonlyMap<string, bigint>>) => {
  const cache = new BoundedCache<ReadonlyMap<string, bigint>>({
    clock: { now },
    maxEntries: 1,
    lifeOf: () => KEEP_MS,
  })
  return () => cache.get('week', () => readPaidInWeek(deps))
}

/** For how many days an amount lasts, rounded down to one decimal; null where nothing was paid, and 0.0 where nothing is left. */
export const daysOfCover = (available: bigint, paidInWeek: bigint): string | null => {
  if (paidInWeek <= 0n) return null
  const tenths = available <= 0n ? 0n : (available * DAYS * 10n) / paidInWeek
  return `${tenths / 10n}.${tenths % 10n}`
}

/** What lasts for so many days at the pace of the last week, rounded up. */
export const neededFor = (days: bigint, paidInWeek: bigint): bigint => (paidInWeek * days + DAYS - 1n) / DAYS
