import type { Pool } from 'pg'
import { WALLET_LINES_SQL } from '../ledger/walletLinesSql.js'

/** One balance of the solver, as the chain showed it. */
export interface ObservedBalance {
  readonly chainId: number
  readonly currency: string
  readonly balance: bigint
  /** What of it cannot be paid with; absent: nothing. */
  readonly reserved?: bigint
  readonly height: bigint
}

/** Whose balances were read, and what the chain takes its fees in. */
export interface ObservedWallet {
  readonly signer: string
  readonly native: string
}

/** A part of a native balance that may be missing without an alarm, as one in so many: gas that is not booked yet. */
const TOLERATED = 1_000

/**
 * Compares each balance with the books at its height. What is signed may be on the chain already or not, so only what lies outside
 * of that is a difference.
 */
const COMPARED = `heights as (
        select distinct chain_id, height, native from seen
      ), lines as (
        select w.chain_id, w.currency, 'wallet' as line, w.amount from wallet_books w join heights using (chain_id)
        union all
        ${WALLET_LINES_SQL}
      ), books as (
        select chain_id, currency, coalesce(sum(amount) filter (where line = 'wallet'), 0) as booked,
          coalesce(sum(amount) filter (where line = 'early-wallet'), 0) as early,
          coalesce(sum(amount) filter (where line in ('flying-out', 'flying-gas')), 0) as leaving,
          coalesce(sum(amount) filter (where line = 'flying-in'), 0) as coming
        from lines group by chain_id, currency
      ), compared as (
        select s.*, s.balance - coalesce(b.booked - b.early, 0) as apart, coalesce(b.leaving, 0) as leaving,
          coalesce(b.coming, 0) as coming,
          case when s.currency = s.native then div(greatest(coalesce(b.booked, 0), 0), ${TOLERATED}) else 0 end as tolerance
        from seen s left join books b using (chain_id, currency)
      )`

/** A height that nothing has reached again for so long was invented, or left the chain. */
const HEIGHT_SECONDS = 30

/** A balance that stays as it is, is stored this often: it was true at the height that is stored with it. */
const UNCHANGED_SECONDS = 3

/**
 * Stores what the solver owns, and how far that is from what the books say (F128). An observation at a lower height than the stored
 * one is ignored: it is of a node that is behind. Unless the stored one is old: a height that a node once invented may not keep all
 * that is true out.
 */
export const saveInventory = async (
  pool: Pool,
  balances: readonly ObservedBalance[],
  { signer, native }: ObservedWallet,
  now: number,
): Promise<void> => {
  const rows = balances.map((item) => ({
    chain_id: item.chainId,
    currency: item.currency,
    balance: item.balance.toString(),
    reserved: (item.reserved ?? 0n).toString(),
    height: item.height.toString(),
  }))
  await pool.query({
    name: 'inventory_save',
    text: `with seen as (
        select i.*, $3::text as signer, $4::text as native
        from jsonb_to_recordset($1::jsonb) as i(chain_id bigint, currency text, balance numeric, reserved numeric, height bigint)
      ), ${COMPARED}, fresh as (
        select chain_id, currency, balance, reserved, height, to_timestamp($2 / 1000.0) as observed_at, signer,
          least(apart + leaving, 0) + greatest(apart - coming, 0) as difference,
          case when apart between -leaving and coming then null else to_timestamp($2 / 1000.0) end as difference_since, tolerance
        from compared
      )
      insert into inventory as i (chain_id, currency, balance, reserved, height, observed_at, signer, difference, difference_since,
        tolerance)
      select * from fresh f where not exists (
        select from inventory k where k.chain_id = f.chain_id and k.currency = f.currency
          and k.observed_at <= f.observed_at and k.observed_at > f.observed_at - interval '${UNCHANGED_SECONDS} seconds'
          and (k.balance, k.reserved, k.signer, k.difference, k.tolerance)
            is not distinct from (f.balance, f.reserved, f.signer, f.difference, f.tolerance))
      on conflict (chain_id, currency) do update set balance = excluded.balance, reserved = excluded.reserved, height = excluded.height,
        observed_at = excluded.observed_at, signer = excluded.signer, difference = excluded.difference, tolerance = excluded.tolerance,
        difference_since = case when sign(i.difference) = sign(excluded.difference) then i.difference_since
          else excluded.difference_since end
      where i.height <= excluded.height or i.observed_at <= excluded.observed_at - interval '${HEIGHT_SECONDS} seconds'`,
    values: [JSON.stringify(rows), now, signer, native],
  })
}

/** A difference that was seen once may be a block that came while balances were read; this long, it is one. */
export const DIFFERENCE_SECONDS = 5

/** The difference of a row `i` of the inventory that lasts, else 0; and what of it is missing beyond gas not booked yet. */
export const LASTING_DIFFERENCE_SQL = `case when i.observed_at - i.difference_since >= interval '${DIFFERENCE_SECONDS} seconds' then i.difference else 0 end`
export const LASTING_MISSING_SQL = `case when ${LASTING_DIFFERENCE_SQL} < -i.tolerance then -(${LASTING_DIFFERENCE_SQL}) else 0 end`

/** What may still be promised, what the chain keeps, commitments and unpaid payouts taken off; null when never observed. */
export const readSpendable = async (pool: Pool, chainId: number, currency: string): Promise<bigint | null> => {
  const { rows } = await pool.query<{ free: string | null }>({
    name: 'inventory_spendable',
    text: 'select spendable($1, $2)::text as free',
    values: [chainId, currency],
  })
  const free = rows[0]?.free
  return free === null || free === undefined ? null : BigInt(free)
}
