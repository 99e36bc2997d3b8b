import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import type { AddressPool, PooledAddress } from '../chain/address/depositAddresses.js'
import { destinationText, parseDestination } from '../chain/destination.js'
import { ServiceError } from '../errors/serviceError.js'
import type { Hex } from '../money/hex.js'
import { bytesToHex } from '../order/hexBytes.js'

/** Made at once; a statement of its own each time. */
const BATCH = 64
const HOUR_MS = 3_600_000

interface PooledRow {
  address: string
  derivation: string
  signature: Hex
}

/** Addresses of a chain that are left to give, in the present history of the data. */
export const pooledCount = async (pool: Pool, chainId: number): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from deposit_address_pool where chain_id = $1 and taken_at is null and history = server_history()`,
    [chainId],
  )
  return rows[0]?.count ?? 0
}

/** Fills the pool of a chain up to `target`, by the holder of the seed; returns how many were made. */
export const stockPool = async (
  pool: Pool,
  {
    chainId,
    addresses,
    seed,
  }: { readonly chainId: number; readonly addresses: AddressPool; readonly seed: Uint8Array },
  target: number,
  now: number,
): Promise<number> => {
  const missing = target - (await pooledCount(pool, chainId))
  let made = 0
  while (made < missing) {
    const batch = Array.from({ length: Math.min(BATCH, missing - made) }, () =>
      addresses.make(seed, bytesToHex(randomBytes(32))),
    )
    const rows = batch.map(({ destination, derivation, signature }) => ({
      address: destinationText(destination),
      derivation: JSON.stringify(derivation),
      signature,
    }))
    await pool.query(
      `insert into deposit_address_pool (chain_id, address, derivation, signature, made_at)
       select $1, p.address, p.derivation, p.signature, to_timestamp($3 / 1000.0)
       from jsonb_to_recordset($2::jsonb) as p(address text, derivation text, signature text)`,
      [chainId, JSON.stringify(rows), now],
    )
    made += batch.length
  }
  return made
}

/**
 * Takes the oldest address of the pool, for ever. `holder`: of whose callers' hourly share (`most`) it is; null for one whom an operator
 * vouches for. What nobody with the seed signed is left out, however it came into the table.
 * @throws ServiceError SERVICE_UNAVAILABLE when none is left, ROUTE_TEMPORARILY_RESTRICTED when the caller took its share
 */
export const takePooled = async (
  pool: Pool,
  { chainId, addresses }: { readonly chainId: number; readonly addresses: AddressPool },
  { holder, most }: { readonly holder: bigint | null; readonly most: number },
  now: number,
): Promise<PooledAddress> => {
  for (;;) {
    const { rows } = await pool.query<PooledRow & { over: boolean }>({
      name: 'pooled_take',
      text: `with share as (
          select $2::bigint is not null and (select count(*) from deposit_address_pool t where t.chain_id = $1 and t.taken_by = $2
            and t.taken_at > to_timestamp(($4::bigint - ${HOUR_MS}) / 1000.0)) >= $3 as over
        ), free as (
          select p.address from deposit_address_pool p where p.chain_id = $1 and p.taken_at is null and p.history = server_history()
            and not (select over from share) order by p.made_at, p.address limit 1 for update skip locked
        ), taken as (
          update deposit_address_pool p set taken_at = to_timestamp($4::bigint / 1000.0), taken_by = $2 from free
          where p.chain_id = $1 and p.address = free.address returning p.address, p.derivation, p.signature
        )
        select over, t.address, t.derivation, t.signature from share left join taken t on true`,
      values: [chainId, holder, most, now],
    })
    const [row] = rows
    if (row?.over === true) {
      throw new ServiceError(
        'ROUTE_TEMPORARILY_RESTRICTED',
        'You were given as many addresses to pay to as one caller gets in an hour. Use those, or come with an API key.',
      )
    }
    if (row === undefined || row.address === null) {
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'No address to pay to is ready on this chain now. Try again shortly.',
      )
    }
    const pooled = {
      destination: parseDestination(row.address),
      derivation: JSON.parse(row.derivation),
      signature: row.signature,
    }
    if (addresses.isGenuine(pooled)) return pooled
  }
}
