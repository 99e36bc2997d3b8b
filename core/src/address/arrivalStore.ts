import type { PoolClient } from 'pg'
import type { Arrival } from '../chain/address/depositAddresses.js'
import { destinationText } from '../chain/destination.js'
import { locatorText } from '../chain/txLocator.js'
import { fromBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'

/** An arrival that was stored now, or whose state changed. */
export interface ChangedArrival {
  readonly addressId: string
  readonly orderId: Hex
  readonly txId: string
  readonly currency: string
  readonly amount: bigint
  readonly sender: string | null
  readonly state: 'seen' | 'included' | 'dropped' | 'reorged'
  /** Null: it is new. */
  readonly before: string | null
}

interface ChangedRow {
  address_id: string
  order_id: Buffer
  tx_id: string
  currency: string
  amount: string
  sender: string | null
  state: ChangedArrival['state']
  before: string | null
}

const toChanged = (row: ChangedRow): ChangedArrival => ({
  addressId: row.address_id,
  orderId: fromBytea(row.order_id),
  txId: row.tx_id,
  currency: row.currency,
  amount: BigInt(row.amount),
  sender: row.sender,
  state: row.state,
  before: row.before,
})

const SAVE = {
  name: 'arrivals_save',
  text: `with e as (
      select a.address_id, e.*, a.order_id from jsonb_to_recordset($2::jsonb) as e(address text, tx_id text, locator text, position int, currency text,
        amount numeric, sender text, state text, height bigint, hash text, time bigint)
      -- Looked up one by one: a page is a few arrivals, and the addresses are many.
      cross join lateral (select a.id as address_id, a.order_id from deposit_addresses a where a.address = e.address
        and exists (select from deposit_address_places p where p.address_id = a.id and p.chain_id = $1) offset 0) a
    ), before as materialized (
      select d.tx_id, d.address_id, d.currency, d.position, d.state, d.block_hash from deposit_arrivals d
      where d.chain_id = $1 and (d.tx_id, d.address_id, d.currency, d.position) in (select tx_id, address_id, currency, position from e) for update
    ), saved as (
      insert into deposit_arrivals as d (address_id, chain_id, tx_id, locator, position, currency, amount, sender, state, inclusions, block_height,
        block_hash, block_time, created_at)
      select e.address_id, $1, e.tx_id, e.locator, e.position, e.currency, e.amount, e.sender, e.state, (e.state = 'included')::int, e.height, e.hash,
        to_timestamp(e.time), to_timestamp($3 / 1000.0)
      from e where (select count(*) from before) >= 0 order by e.address_id, e.tx_id, e.currency, e.position
      on conflict (chain_id, tx_id, address_id, currency, position) do update set state = excluded.state, block_height = excluded.block_height,
        block_hash = excluded.block_hash, block_time = excluded.block_time, sender = coalesce(excluded.sender, d.sender),
        locator = coalesce(excluded.locator, d.locator), inclusions = d.inclusions + (excluded.state = 'included' and d.state <> 'included')::int
      -- What stands in a block is neither waiting nor dropped: only a rewind takes it out.
      where d.state is distinct from excluded.state and not (d.state = 'included' and excluded.state <> 'included')
        or excluded.state = 'included' and d.block_hash is distinct from excluded.block_hash
      returning d.*
    )
    select s.address_id::text as address_id, e.order_id, s.tx_id, s.currency, s.amount::text as amount, s.sender, s.state, b.state as before
    from saved s join e using (address_id, tx_id, currency, position) left join before b using (address_id, tx_id, currency, position)
    order by s.id`,
}

/** Stores arrivals at addresses of a chain; those that changed are returned, in order. What came to nobody's address is left out. */
export const saveArrivals = async (
  client: PoolClient,
  chainId: number,
  arrivals: readonly Arrival[],
  now: number,
): Promise<readonly ChangedArrival[]> => {
  if (arrivals.length === 0) return []
  const rows = arrivals.map(({ tx, position, to, money, sender, state, block }) => ({
    address: destinationText(to),
    tx_id: tx.id,
    locator: locatorText(tx.locator),
    position,
    currency: money.currency,
    amount: money.amount.toString(),
    sender,
    state,
    height: block?.height.toString() ?? null,
    hash: block?.hash ?? null,
    time: block?.time ?? null,
  }))
  const { rows: changed } = await client.query<ChangedRow>({ ...SAVE, values: [chainId, JSON.stringify(rows), now] })
  return changed.map(toChanged)
}

/**
 * Takes arrivals above a height out of their blocks: those that stand elsewhere are told again. Returned are those of one address and currency
 * together: one with the sum of all.
 */
export const rewindArrivals = async (
  client: PoolClient,
  chainId: number,
  height: bigint,
): Promise<readonly ChangedArrival[]> => {
  const { rows } = await client.query<ChangedRow>({
    name: 'arrivals_rewind',
    text: `with gone as (
        update deposit_arrivals d set state = 'reorged', block_height = null, block_hash = null, block_time = null
        where d.chain_id = $1 and d.block_height > $2 and d.state = 'included' returning d.address_id, d.tx_id, d.currency, d.amount
      )
      select a.id::text as address_id, a.order_id, min(g.tx_id) as tx_id, g.currency, sum(g.amount)::text as amount, null as sender,
        'reorged' as state, 'included' as before
      from gone g join deposit_addresses a on a.id = g.address_id group by a.id, g.currency`,
    values: [chainId, height.toString()],
  })
  return rows.map(toChanged)
}

/**
 * Something came to these addresses: whoever sweeps looks at them at once, and first at those in `paid`, to which about what their
 * quotes asked for came.
 */
export const expectAt = async (
  client: PoolClient,
  chainId: number,
  { addressIds, paid }: { readonly addressIds: readonly string[]; readonly paid: ReadonlySet<string> },
  now: number,
): Promise<void> => {
  if (addressIds.length === 0) return
  await client.query({
    name: 'places_expect',
    text: `update deposit_address_places set expected = true, looks = 0, called = called + 1, next_look_at = to_timestamp($3 / 1000.0),
        favoured = favoured or address_id = any($4::bigint[])
      where chain_id = $1 and address_id = any($2::bigint[])`,
    values: [chainId, addressIds, now, [...paid]],
  })
}
