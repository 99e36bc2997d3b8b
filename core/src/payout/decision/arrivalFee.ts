import type { Pool, PoolClient } from 'pg'
import { ServiceError } from '../../errors/serviceError.js'

interface FeeRow {
  readonly fee: string
  readonly unknown: boolean
}

/**
 * Network fee of the service's own transaction that brought a deposit (a sweep, a permit, a call that its route pays for), native smallest
 * unit of the deposit's chain; 0 where somebody else paid for it, or a sponsor or the operator bears it. Several payouts of one transaction
 * share its fee. Throws ServiceError while the lane has not booked it: try again later.
 */
export const arrivalFee = async (db: Pool | PoolClient, depositId: string): Promise<bigint> => {
  const { rows } = await db.query<FeeRow>({
    name: 'arrival_fee',
    // Two parts, as there is an index of either.
    text: `with a as (
        select a.fee, p.purpose = 'sweep' or p.purpose = 'origin' and p.data::jsonb #>> '{origin,borne,by}' = 'route' as charged
        from deposits d cross join lateral (
          select payout_id, fee from payout_attempts t where t.chain_id = d.chain_id and t.tx_id = d.tx_id and not t.carried
          union all
          select payout_id, fee from payout_attempts t where t.chain_id = d.chain_id and t.tx_id = d.tx_id and t.carried
        ) a join payouts p on p.id = a.payout_id where d.id = $1
      )
      select ceil(coalesce(sum(fee) / count(*), 0))::text as fee, coalesce(bool_or(fee is null), false) as unknown from a
      having coalesce(bool_or(charged), false)`,
    values: [depositId],
  })
  const [row] = rows
  if (row?.unknown === true) {
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      'The network fee of the transaction that brought the deposit is not booked yet',
    )
  }
  return BigInt(row?.fee ?? 0)
}
