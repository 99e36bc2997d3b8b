import { LASTING_DIFFERENCE_SQL, LASTING_MISSING_SQL } from '../money/inventory.js'

/** How late a next action may be before it counts. */
const OVERDUE_SECONDS = 60
/** The newest ledger transactions whose sums are looked at: the cost of a look must not grow with the books. */
const LEDGER_WINDOW = 10_000

/**
 * Everything the database tells about the state of the deployment, in one statement: rows (gauge, chain, label, value).
 * `$1` is business time in Unix milliseconds, `$2` the slot of holds that runs then.
 */
export const DATABASE_GAUGES = {
  name: 'metrics_gauges',
  text: `with now as (select to_timestamp($1 / 1000.0) as at),
    late as (
      select 'request' as kind, next_action as action from requests, now
      where next_action_at < now.at - ${OVERDUE_SECONDS} * interval '1 second'
      union all
      select 'payout', next_action from payouts, now
      where next_action_at < now.at - ${OVERDUE_SECONDS} * interval '1 second'
    ),
    unpaid as (
      select destination_chain_id as chain_id, origin_chain_id as origin, coalesce(begun_at, created_at) as created_at from requests where next_action = 'decide'
      union all
      select chain_id, null, created_at from payouts where state in ('ready', 'signed') and purpose <> 'withdraw'
        and next_action is distinct from 'await-release'
    ),
    held_back as (
      select created_at from request_events where xid >= outbox_place(pg_snapshot_xmin(pg_current_snapshot()))
    ),
    crooked as (
      select chain_id, currency, sum(amount) as amount from ledger_entries
      where transaction_id > (select coalesce(max(id), 0) - ${LEDGER_WINDOW} from ledger_transactions)
      group by transaction_id, chain_id, currency having sum(amount) <> 0
    )
    select 'watcher_lag_blocks' as gauge, chain_id::text as chain, null as label, (tip - height)::text as value from chain_cursors
    union all
    select 'watcher_age', chain_id::text, null, extract(epoch from now.at - updated_at)::text from chain_cursors, now
    union all
    select 'quarantined', chain_id::text, null, (count(*) filter (where state = 'quarantined'))::text from lanes group by chain_id
    union all
    select 'solver_gone', split_part(s.name, ':', 2), null,
        greatest(0, extract(epoch from clock_timestamp() - max(s.expires_at)))::text
      from leases s left join lanes l on s.name = 'lane:' || l.chain_id || ':' || l.signer
      where s.name like 'lane:%' and coalesce(l.kind, 'payout') = 'payout' group by 2
    union all
    select 'halted', chain_id::text, null, '1' from chain_halts
    union all
    select 'awaiting_settle', origin_chain_id::text, null, count(*)::text from requests
      where next_action = 'await-settle' group by origin_chain_id
    union all
    select 'live_attempts', l.chain_id::text, null, (
        select count(*) from payouts p where p.chain_id = l.chain_id and p.state = 'signed')::text
      from (select distinct chain_id from lanes) l
    union all
    select 'unpaid_seconds', chain_id::text, origin::text, greatest(0, extract(epoch from max(now.at - created_at)))::text
      from unpaid, now group by chain_id, origin
    union all
    select 'overdue', kind, action, count(*)::text from late group by kind, action
    union all
    select 'troubled', 'request', null, count(*)::text from requests, now
      where trouble is not null and trouble_since < now.at - ${OVERDUE_SECONDS} * interval '1 second'
    union all
    select 'troubled', 'payout', null, count(*)::text from payouts, now
      where trouble is not null and trouble_since < now.at - ${OVERDUE_SECONDS} * interval '1 second'
    union all
    select 'balance', chain_id::text, currency, balance::text from inventory
    union all
    select 'available', chain_id::text, currency,
        (spendable(chain_id, currency) - live_holds(chain_id, currency, $2))::text from inventory
    union all
    select 'wallet_difference', chain_id::text, currency, (${LASTING_DIFFERENCE_SQL})::text from inventory i
    union all
    select 'wallet_missing', chain_id::text, currency, (${LASTING_MISSING_SQL})::text from inventory i
    union all
    select 'imbalance', chain_id::text, currency, sum(abs(amount))::text from crooked group by chain_id, currency
    union all
    select 'outbox', null, null, count(*)::text from held_back
    union all
    select 'outbox_held', null, null, coalesce(greatest(0, extract(epoch from max(now.at - created_at))), 0)::text from held_back, now`,
}
