import { beyond, LONGEST_RETRY_MS, NOW, TOLERANCE_MS } from '../clock/beyondSql.js'
import { SPENDING_WINDOW_MS } from './lane/laneSpending.js'

/**
 * Statements that bring the dates of payouts back which were written while the clock was ahead (faults.md F129); `$1` is now in Unix
 * milliseconds.
 */
export const FUTURE_PAYOUT_DATES: readonly string[] = [
  `update payouts set next_action_at = ${NOW} where next_action is not null
     and ${beyond('next_action_at', `case when next_action = 'sign' then ${LONGEST_RETRY_MS} else ${SPENDING_WINDOW_MS + LONGEST_RETRY_MS} end`)}`,
  // Patience is counted from these: it would not begin before their time has come.
  `update payouts set first_broadcast_at = ${NOW} where state = 'signed' and ${beyond('first_broadcast_at', TOLERANCE_MS)}`,
  `update payout_attempts a set broadcast_at = ${NOW} from payouts p
     where p.id = a.payout_id and p.state = 'signed' and ${beyond('a.broadcast_at', TOLERANCE_MS)}`,
]

/** The same of what was signed away: it still counts, for an hour from now. */
export const FUTURE_SPENDING = `with ahead as (
     delete from lane_spending where ${beyond('minute', 60_000)} returning chain_id, signer, currency, amount
   )
   insert into lane_spending (chain_id, signer, minute, currency, amount)
   select chain_id, signer, date_trunc('minute', ${NOW}), currency, sum(amount) from ahead group by chain_id, signer, currency
   on conflict (chain_id, signer, minute, currency) do update set amount = lane_spending.amount + excluded.amount`
