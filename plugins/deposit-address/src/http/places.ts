import type { DatabasePool } from '@causeway/core/plugin'
import { LANE_CHANNEL } from '@causeway/core/plugin'

/** Between two looks on one chain that callers ask for (wire.md H.1). */
export const COOL_DOWN_MS = 60_000

/** Where an address is looked at. */
export interface Place {
  readonly addressId: string
  readonly chainId: number
  readonly account: string
}

/** Later than any look that the watcher makes of itself soon; a look that finds something brings it forward. */
const UNASKED_MS = 86_400_000

/**
 * Takes the look of this minute, and notes the place where it is new; the milliseconds until the next one where it is taken. One
 * statement: of two callers at once one gets it.
 */
export const takeLook = async (
  pool: DatabasePool,
  { addressId, chainId, account }: Place,
  now: number,
): Promise<number | null> => {
  const { rowCount } = await pool.query({
    name: 'address_look_take',
    text: `insert into deposit_address_places as p (address_id, chain_id, account, next_look_at, reindexed_at)
      values ($1, $2, $3, to_timestamp(($4::bigint + ${UNASKED_MS}) / 1000.0), to_timestamp($4::bigint / 1000.0))
      on conflict (address_id, chain_id) do update set reindexed_at = excluded.reindexed_at
      where p.reindexed_at is null or p.reindexed_at <= to_timestamp(($4::bigint - ${COOL_DOWN_MS}) / 1000.0)`,
    values: [addressId, chainId, account, now],
  })
  if (rowCount === 1) return null
  const { rows } = await pool.query<{ since: number }>(
    `select ($3::bigint - extract(epoch from reindexed_at) * 1000)::float8 as since from deposit_address_places where address_id = $1 and chain_id = $2`,
    [addressId, chainId, now],
  )
  return Math.max(1, COOL_DOWN_MS - (rows[0]?.since ?? 0))
}

/** Gives the look back: nothing was learnt of the chain. */
export const returnLook = async (pool: DatabasePool, { addressId, chainId }: Place, taken: number): Promise<void> => {
  await pool.query(
    `update deposit_address_places set reindexed_at = null
     where address_id = $1 and chain_id = $2 and reindexed_at = to_timestamp($3 / 1000.0)`,
    [addressId, chainId, taken],
  )
}

/**
 * What lies there is swept next where it is worth that, and the lane of the chain is told. Anyone may ask, and the solver pays for sweeps: only an
 * operator orders one that costs more than it brings.
 */
export const callLook = async (pool: DatabasePool, { addressId, chainId }: Place, now: number): Promise<void> => {
  await pool.query(
    `with looked as (
       update deposit_address_places set next_look_at = least(next_look_at, to_timestamp($3 / 1000.0)), expected = true,
         looks = 0, called = called + 1
       where address_id = $1 and chain_id = $2
     )
     select pg_notify('${LANE_CHANNEL}', $2::bigint::text)`,
    [addressId, chainId, now],
  )
}

/** Keeps what a reindex found for the status of the request. */
export const noteFound = async (
  pool: DatabasePool,
  { addressId, chainId }: Place,
  found: readonly { readonly currency: string; readonly amount: bigint }[],
): Promise<void> => {
  const amounts = Object.fromEntries(found.map(({ currency, amount }) => [currency, amount.toString()]))
  await pool.query('update deposit_address_places set reindexed = $3::jsonb where address_id = $1 and chain_id = $2', [
    addressId,
    chainId,
    JSON.stringify(amounts),
  ])
}
