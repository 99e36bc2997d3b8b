import type { PoolClient } from 'pg'
import { PARKED_AMOUNT_SQL } from '../../deposit/parked/parkedDeposit.js'

/** Why a payout is dead of which nothing can land: its deposit left the chain. It may begin again when the deposit is back. */
export const DEPOSIT_LEFT = 'DEPOSIT_REORGED'

/** What a payout `p` takes of its deposit `d`, in the deposit's currency. */
const CONSUMED_SQL = `case p.purpose when 'fill' then d.amount - coalesce((nullif(p.data, '')::jsonb ->> 'excess')::numeric, 0)
    when 'withdraw' then 0 else p.amount + p.fees end`

/** What is left of a deposit's payouts once those that never can land have ended. */
export interface RemainingPayouts {
  /** A fill or a refund was signed and is not proven dead. */
  readonly decided: boolean
  /** What signed payouts take of the deposit. */
  readonly paid: bigint
  readonly parked: bigint
  /** A fill of it died for a reason of its own: it can only be refunded. */
  readonly refundOnly: boolean
}

/**
 * Ends the payouts of a deposit that left the chain of which nothing is signed now, in the caller's transaction, which holds the
 * deposit's row. Whoever signs one at the same moment comes before this, and it counts as decided, or finds it dead.
 */
export const endUnsignedPayouts = async (
  client: PoolClient,
  depositId: string,
  now: number,
): Promise<RemainingPayouts> => {
  await client.query(
    `update payouts set state = 'dead', fail_reason = '${DEPOSIT_LEFT}', next_action = null, next_action_at = null,
       updated_at = to_timestamp($2 / 1000.0) where deposit_id = $1 and state in ('ready', 'abandoned')`,
    [depositId, now],
  )
  // Of its own snapshot: what was committed while the statement above waited counts.
  const { rows } = await client.query<{ decided: boolean; paid: string; parked: string; refund_only: boolean }>(
    `select coalesce(bool_or(p.purpose in ('fill', 'refund') and p.state <> 'dead'), false) as decided,
       coalesce(sum(${CONSUMED_SQL}) filter (where p.state <> 'dead'), 0)::text as paid,
       coalesce(bool_or(p.purpose = 'fill' and p.state = 'dead' and p.fail_reason is distinct from '${DEPOSIT_LEFT}'), false) as refund_only,
       ${PARKED_AMOUNT_SQL}::text as parked
     from deposits d left join payouts p on p.deposit_id = d.id where d.id = $1 group by d.id`,
    [depositId],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`There is no deposit ${depositId}.`)
  return { decided: row.decided, paid: BigInt(row.paid), parked: BigInt(row.parked), refundOnly: row.refund_only }
}
