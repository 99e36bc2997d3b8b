import type { Pool, PoolClient } from 'pg'
import type { BalanceCurrency } from './balanceCurrency.js'

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

/** Takes the link back; the wallet it was, null where there was none. Quotes already given keep it. */
export const unlinkFundingWallet = async (db: Pool | PoolClient, integratorId: string): Promise<string | null> => {
  const { rows } = await db.query<{ wallet: string }>({
    name: 'funding_wallet_unlink',
    text: 'delete from funding_wallets where integrator_id = $1 returning wallet',
    values: [integratorId],
  })
  return rows[0]?.wallet ?? null
}

/** A funding wallet, and what of its balance pays for others. */
export interface FundingWallet {
  readonly wallet: string
  readonly linkedAt: Date
  /** Owed to it and free, smallest unit of the balance currency. */
  readonly balance: bigint
  /** What of that no quote keeps now; below 0 where less is left than quotes keep. */
  readonly free: bigint
}

/** The funding wallet of an integrator with its balance at `now`, Unix milliseconds; null: none is linked. One statement. */
export const readFundingWallet = async (
  db: Pool | PoolClient,
  integratorId: string,
  { chainId, address }: BalanceCurrency,
  now: number,
): Promise<FundingWallet | null> => {
  const { rows } = await db.query<{ wallet: string; linked_at: Date; balance: string; free: string }>({
    name: 'funding_wallet_balance',
    text: `select w.wallet, w.linked_at, b.balance::text as balance,
        (b.balance - sponsor_kept(w.wallet, $2, $3, to_timestamp($4 / 1000.0)))::text as free
      from funding_wallets w, lateral (select app_balance(w.wallet, 'app', $2, $3) as balance) b where w.integrator_id = $1`,
    values: [integratorId, chainId, address, now],
  })
  const [row] = rows
  if (row === undefined) return null
  return { wallet: row.wallet, linkedAt: row.linked_at, balance: BigInt(row.balance), free: BigInt(row.free) }
}

/** What a wallet is owed and free to use of a currency, smallest unit. */
export const readFreeBalance = async (
  db: Pool | PoolClient,
  { wallet, chainId, currency }: { readonly wallet: string; readonly chainId: number; readonly currency: string },
): Promise<bigint> => {
  const { rows } = await db.query<{ free: string }>({
    name: 'app_balance_free',
    text: `select app_balance($1, 'app', $2, $3)::text as free`,
    values: [wallet, chainId, currency],
  })
  return BigInt(rows[0]?.free ?? '0')
}
