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
    text: `select coalesce(ceil(sum(a.fee) / count(*)), 0)::text as fee, coalesce(bool_and(a.fee is null), false) as unknown
      from deposits d join payout_attempts a on a.chain_id = d.chain_id and a.tx_id = d.tx_id join payouts p on p.id = a.payout_id
      where d.id = $1 and (p.purpose = 'sweep' or p.purpose = 'origin' and p.data::jsonb #>> '{origin,borne,by}' = 'route')`,
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
