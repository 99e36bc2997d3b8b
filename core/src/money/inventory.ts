import type { Pool } from 'pg'

/** One balance of the solver, as the chain showed it. */
export interface ObservedBalance {
  readonly chainId: number
  readonly currency: string
  readonly balance: bigint
  readonly height: bigint
}

/** Stores what the solver owns; an observation at a lower height than the stored one is ignored. */
export const saveInventory = async (pool: Pool, balances: readonly ObservedBalance[], now: number): Promise<void> => {
  const rows = balances.map((item) => ({
    chain_id: item.chainId,
    currency: item.currency,
    balance: item.balance.toString(),
    height: item.height.toString(),
  }))
  await pool.query({
    name: 'inventory_save',
    text: `insert into inventory (chain_id, currency, balance, height, observed_at)
      select chain_id, currency, balance, height, to_timestamp($2 / 1000.0)
      from jsonb_to_recordset($1::jsonb) as i(chain_id bigint, currency text, balance numeric, height bigint)
      on conflict (chain_id, currency) do update set balance = excluded.balance, height = excluded.height,
        observed_at = excluded.observed_at where inventory.height <= excluded.height`,
    values: [JSON.stringify(rows), now],
  })
}

/** What may still be promised, commitments and unpaid payouts taken off; null when never observed. */
export const readSpendable = async (pool: Pool, chainId: number, currency: string): Promise<bigint | null> => {
  const { rows } = await pool.query<{ free: string | null }>({
    name: 'inventory_spendable',
    text: 'select spendable($1, $2)::text as free',
    values: [chainId, currency],
  })
  const free = rows[0]?.free
  return free === null || free === undefined ? null : BigInt(free)
}
