import type { Pool, PoolClient } from 'pg'

/** The wallet whose balance pays for an integrator (wire.md 5.3), in lower case; null: none is linked. */
export const findFundingWallet = async (db: Pool | PoolClient, integratorId: string): Promise<string | null> => {
  const { rows } = await db.query<{ wallet: string }>({
    name: 'funding_wallet',
    text: 'select wallet from funding_wallets where integrator_id = $1',
    values: [integratorId],
  })
  return rows[0]?.wallet ?? null
}

/** Links a wallet (in lower case), in place of the one before; whoever calls has checked that the wallet agrees. */
export const linkFundingWallet = async (
  db: Pool | PoolClient,
  { integratorId, wallet, now }: { readonly integratorId: string; readonly wallet: string; readonly now: number },
): Promise<void> => {
  await db.query({
    name: 'funding_wallet_link',
    text: `insert into funding_wallets (integrator_id, wallet, linked_at) values ($1, $2, to_timestamp($3 / 1000.0))
      on conflict (integrator_id) do update set wallet = excluded.wallet, linked_at = excluded.linked_at`,
    values: [integratorId, wallet, now],
  })
}
