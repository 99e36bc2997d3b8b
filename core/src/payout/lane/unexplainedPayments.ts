import type { Pool, PoolClient } from 'pg'
import { HOLDS_BACK_SQL, KEEPS_SHUT_SQL } from './laneJournal.js'

/** Payments and deposits of a chain that the ledger does not account for yet. */
export interface UnexplainedPayments {
  /** Lanes of the chain that are quarantined. */
  readonly quarantined: number
  /** Transactions of its payout keys that paid an order and belong to no payout. */
  readonly transactions: number
  /** Parked deposits, of any chain, whose order one of them paid. */
  readonly deposits: number
}

/** Counts what must be closed or released before the wallet of a chain is compared with the ledger. */
export const findUnexplainedPayments = async (db: Pool | PoolClient, chainId: number): Promise<UnexplainedPayments> => {
  const { rows } = await db.query<UnexplainedPayments>(
    `with unmatched as (
       select i.order_id from imported_transactions i
       where i.chain_id = $1 and ((${KEEPS_SHUT_SQL}) or (${HOLDS_BACK_SQL}))
     )
     select
       (select count(*)::int from lanes where chain_id = $1 and state = 'quarantined') as quarantined,
       (select count(*)::int from unmatched) as transactions,
       (select count(*)::int from deposits d where d.outcome is null
          and exists (select from unmatched u where u.order_id = d.order_id or u.order_id = d.onchain_id)) as deposits`,
    [chainId],
  )
  return rows[0] ?? { quarantined: 0, transactions: 0, deposits: 0 }
}
