import type { Pool } from 'pg'
import { SPENDING_WINDOW_MS } from '../payout/laneSpending.js'

/** Longest that a quote may hold inventory. */
export const LONGEST_HOLD_MS = 3_600_000
/** Longest that anything but a limit of spending is put off: retries wait 30 s at most, what watches over others ten minutes. */
const LONGEST_RETRY_MS = 60_000
const LONGEST_WATCH_MS = 11 * 60_000
/** A date that describes the past and lies further ahead than this is wrong. */
const TOLERANCE_MS = 2_000
const SLOT_MS = 5_000

const asTime = (milliseconds: string): string => `to_timestamp(${milliseconds} / 1000.0)`
const NOW = asTime('$1')
const beyond = (column: string, milliseconds: number | string): string =>
  `${column} > ${asTime(`($1 + ${milliseconds})`)}`

/** Each takes `$1`, business time in Unix milliseconds. */
const STATEMENTS = [
  `update requests set next_action_at = ${NOW} where next_action is not null
     and ${beyond('next_action_at', `case when next_action = 'decide' then ${LONGEST_RETRY_MS} else ${LONGEST_WATCH_MS} end`)}`,
  `update payouts set next_action_at = ${NOW} where next_action is not null
     and ${beyond('next_action_at', `case when next_action = 'sign' then ${LONGEST_RETRY_MS} else ${SPENDING_WINDOW_MS + LONGEST_RETRY_MS} end`)}`,
  // Patience is counted from these: it would not begin before their time has come.
  `update payouts set first_broadcast_at = ${NOW} where state = 'signed' and ${beyond('first_broadcast_at', TOLERANCE_MS)}`,
  `update payout_attempts a set broadcast_at = ${NOW} from payouts p
     where p.id = a.payout_id and p.state = 'signed' and ${beyond('a.broadcast_at', TOLERANCE_MS)}`,
  `update direct_transactions set next_look_at = ${NOW} where ${beyond('next_look_at', LONGEST_RETRY_MS)}`,
  // In the order in which quotes and deposits take them, so that nobody waits for each other.
  `delete from hold_slots where (chain_id, currency, stripe, slot) in (
     select chain_id, currency, stripe, slot from hold_slots where slot > ($1 + ${LONGEST_HOLD_MS}) / ${SLOT_MS} + 1
     order by chain_id, currency, stripe, slot for update)`,
  `delete from hold_callers where slot > ($1 + ${LONGEST_HOLD_MS}) / ${SLOT_MS} + 1`,
  // What was signed away still counts, for an hour from now.
  `with ahead as (
     delete from lane_spending where ${beyond('minute', 60_000)} returning chain_id, signer, currency, amount
   )
   insert into lane_spending (chain_id, signer, minute, currency, amount)
   select chain_id, signer, date_trunc('minute', ${NOW}), currency, sum(amount) from ahead group by chain_id, signer, currency
   on conflict (chain_id, signer, minute, currency) do update set amount = lane_spending.amount + excluded.amount`,
]

/**
 * Makes due what is to happen later than anything may be put off, and ends what lasts longer than anything may last: it was
 * written while the clock was ahead, and would stand still until that time comes (faults.md F129).
 */
export const bringFutureDatesBack = async (pool: Pool, now: number): Promise<void> => {
  for (const text of STATEMENTS) await pool.query(text.replaceAll('$1', '$1::bigint'), [now])
}
