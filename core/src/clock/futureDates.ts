import type { Pool } from 'pg'
import { FUTURE_PAYOUT_DATES, FUTURE_SPENDING } from '../payout/futurePayoutDates.js'
import { beyond, LONGEST_RETRY_MS, NOW } from './beyondSql.js'

/** Longest that a quote may hold inventory. */
export const LONGEST_HOLD_MS = 3_600_000
/** Longest that a deposit which is not in a block may keep its request waiting before that is told. */
export const LONGEST_DEPOSIT_MS = 7 * 86_400_000
/** What watches over others is put off ten minutes at most. */
const LONGEST_WATCH_MS = 11 * 60_000
const SLOT_MS = 5_000

/** Each takes `$1`, business time in Unix milliseconds. */
const STATEMENTS = [
  `update requests set next_action_at = ${NOW} where next_action is not null
     and ${beyond(
       'next_action_at',
       `case when next_action = 'decide' then ${LONGEST_RETRY_MS} when next_action in ('await-block', 'await-deposit') then ${LONGEST_DEPOSIT_MS}
          else ${LONGEST_WATCH_MS} end`,
     )}`,
  ...FUTURE_PAYOUT_DATES,
  `update direct_transactions set next_look_at = ${NOW} where ${beyond('next_look_at', LONGEST_RETRY_MS)}`,
  // In the order in which quotes and deposits take them, so that nobody waits for each other.
  `delete from hold_slots where (chain_id, currency, stripe, slot) in (
     select chain_id, currency, stripe, slot from hold_slots where slot > ($1 + ${LONGEST_HOLD_MS}) / ${SLOT_MS} + 1
     order by chain_id, currency, stripe, slot for update)`,
  `delete from hold_callers where slot > ($1 + ${LONGEST_HOLD_MS}) / ${SLOT_MS} + 1`,
  FUTURE_SPENDING,
]

/**
 * Makes due what is to happen later than anything may be put off, and ends what lasts longer than anything may last: it was
 * written while the clock was ahead, and would stand still until that time comes (faults.md F129).
 */
export const bringFutureDatesBack = async (pool: Pool, now: number): Promise<void> => {
  for (const text of STATEMENTS) await pool.query(text.replaceAll('$1', '$1::bigint'), [now])
}
