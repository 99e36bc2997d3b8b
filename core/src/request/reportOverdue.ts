import type { Pool } from 'pg'
import type { Logger } from 'pino'

/** How late a next action may be before it is said. */
const GRACE_SECONDS = 60

interface OverdueRow {
  readonly kind: 'request' | 'payout' | 'fast fill'
  readonly action: string
  readonly count: number
  readonly oldest: Date
  readonly example: string
}

/** Next actions that are late, by kind and action, with the oldest as an example; empty when everything moves (invariant 4). */
export const findOverdue = async (pool: Pool, now: number): Promise<OverdueRow[]> => {
  const { rows } = await pool.query<OverdueRow>({
    name: 'overdue_actions',
    text: `select kind, action, count(*)::int as count, min(at) as oldest, (array_agg(id order by at))[1] as example from (
        select 'request' as kind, next_action as action, next_action_at as at, '0x' || encode(id, 'hex') as id
        from requests where next_action_at < to_timestamp($1 / 1000.0) - $2 * interval '1 second'
        union all
        select 'payout', next_action, next_action_at, id::text
        from payouts where next_action_at < to_timestamp($1 / 1000.0) - $2 * interval '1 second'
        union all
        select 'fast fill', next_action, next_action_at, '0x' || encode(request_id, 'hex')
        from fast_fills where next_action_at < to_timestamp($1 / 1000.0) - $2 * interval '1 second'
      ) late group by kind, action`,
    values: [now, GRACE_SECONDS],
  })
  return rows
}

/** Says in the log what is stuck, so that nothing waits unseen. */
export const reportOverdue = async (pool: Pool, log: Logger, now: number): Promise<void> => {
  for (const { kind, action, count, oldest, example } of await findOverdue(pool, now)) {
    log.error({ kind, action, count, oldest, example }, 'Next actions are overdue')
  }
}
