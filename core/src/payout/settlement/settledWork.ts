import type { Pool, PoolClient } from 'pg'

/** Work that settled deposits of a chain may leave. */
export interface SettledWork {
  readonly withdrawals: boolean
  /** Of wallets: deposits to credit, fast fills to settle or to debit. */
  readonly balances: boolean
  readonly earnings: boolean
}

/** Which of it there may be, in one statement: where there is none, an idle lane asks nothing more. */
export const findSettledWork = async (
  db: Pool | PoolClient,
  { chainId, height }: { readonly chainId: number; readonly height: bigint },
): Promise<SettledWork> => {
  const { rows } = await db.query<SettledWork>({
    name: 'settled_work',
    text: `select exists (select from deposits where chain_id = $1 and state = 'included' and withdrawn_at is null
        and outcome is not null and block_height <= $2) as withdrawals,
      exists (select from fast_fills where origin_chain_id = $1 and state = 'paid')
        or exists (select from deposits where chain_id = $1 and holder is not null and outcome is null and block_height <= $2) as balances,
      exists (select from payouts where earning = 'open' and state = 'final') as earnings`,
    values: [chainId, height.toString()],
  })
  return rows[0] ?? { withdrawals: false, balances: false, earnings: false }
}
