import type { PoolClient } from 'pg'
import { PARKED_AMOUNT_SQL } from '../../deposit/parked/parkedDeposit.js'
import { DEPOSIT_LEFT } from './unsignedPayouts.js'

/**
 * A deposit is back of which a fill became final, and its excess was not paid because it was away: the fill is looked at once more
 * and finished as if for the first time, which pays the excess or parks it.
 */
export const reopenExcess = async (client: PoolClient, depositId: string, now: number): Promise<void> => {
  await client.query(
    `update payouts p set state = 'included', next_action = 'settle', next_action_at = to_timestamp($2 / 1000.0),
       updated_at = to_timestamp($2 / 1000.0)
     from deposits d
     where d.id = $1 and p.deposit_id = d.id and p.purpose = 'fill' and p.state = 'final'
       and coalesce((nullif(p.data, '')::jsonb ->> 'excess')::numeric, 0) > 0 and ${PARKED_AMOUNT_SQL} = 0
       and not exists (select from payouts e where e.deposit_id = d.id and e.purpose = 'excess'
         and not (e.state = 'dead' and e.fail_reason = '${DEPOSIT_LEFT}'))`,
    [depositId, now],
  )
}
