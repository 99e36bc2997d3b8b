import type { Pool } from 'pg'
import { PARKED_IDS } from './parkedDeposit.js'

/**
 * Why money is parked: `stray`, a deposit that belongs to no request; `unreturned`, of a request that failed and was not refunded;
 * `excess`, what a fill did not need and is not worth its gas.
 */
export const PARKED_KINDS = ['stray', 'unreturned', 'excess'] as const

export interface ParkedCount {
  readonly chainId: number
  readonly reason: (typeof PARKED_KINDS)[number]
  readonly deposits: number
}

/** How many deposits `listParkedDeposits` finds, by chain and why; none where there are none. */
export const countParkedDeposits = async (pool: Pool): Promise<readonly ParkedCount[]> => {
  const { rows } = await pool.query<{ chain_id: string; reason: ParkedCount['reason']; deposits: number }>({
    name: 'parked_count',
    text: `with ${PARKED_IDS}
      select d.chain_id::text as chain_id, case when d.parked_reason is not null then 'stray'
          when r.status = 'failure' then 'unreturned' else 'excess' end as reason, count(*)::int as deposits
      from deposits d left join requests r on r.id = d.request_id
      where d.id in (select id from parked_ids)
      group by 1, 2`,
    values: [null],
  })
  return rows.map(({ chain_id, reason, deposits }) => ({ chainId: Number(chain_id), reason, deposits }))
}
