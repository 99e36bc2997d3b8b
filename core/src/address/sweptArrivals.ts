import type { PoolClient } from 'pg'
import { fromBytea, toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'

/** Payments to an address that no deposit was made of yet: the first one of each currency, however many there are. */
export interface WaitingArrivals {
  readonly addressId: string
  readonly arrivals: readonly {
    readonly currency: string
    readonly txId: string
    readonly height: bigint
  }[]
}

/** First arrival of each currency at the addresses of these orders that no sweep has moved yet, oldest first. */
export const findWaitingArrivals = async (
  client: PoolClient,
  chainId: number,
  orderIds: readonly Hex[],
): Promise<ReadonlyMap<Hex, WaitingArrivals>> => {
  if (orderIds.length === 0) return new Map()
  const { rows } = await client.query<{
    order_id: Buffer
    id: string
    arrivals: { currency: string; tx_id: string; height: string }[] | null
  }>({
    name: 'arrivals_waiting',
    text: `select a.order_id, a.id::text as id, (select json_agg(json_build_object('currency', d.currency, 'tx_id', d.tx_id,
        'height', d.block_height::text) order by d.block_height, d.id) from (
          select distinct on (w.currency) w.currency, w.tx_id, w.block_height, w.id from deposit_arrivals w
          where w.address_id = a.id and w.chain_id = $1 and w.state = 'included' and w.taken_by is null
          order by w.currency, w.block_height, w.id
        ) d) as arrivals
      from deposit_addresses a where a.order_id = any($2::bytea[])`,
    values: [chainId, orderIds.map((id) => toBytea(id))],
  })
  return new Map(
    rows.map((row) => [
      fromBytea(row.order_id),
      {
        addressId: row.id,
        arrivals: (row.arrivals ?? []).map((arrival) => ({
          currency: arrival.currency,
          txId: arrival.tx_id,
          height: BigInt(arrival.height),
        })),
      },
    ]),
  )
}

/** A deposit that a sweep made, of what had come to its address until then. */
export interface SweptDeposit {
  readonly depositId: string
  readonly addressId: string
  readonly currency: string
  readonly height: bigint
}

/**
 * Notes which payments are in a deposit now: of its sweep, or, of those that a node told so late that an earlier sweep had taken them, of that
 * one, so that nobody is taken for a sender of what others sent.
 */
export const takeArrivals = async (client: PoolClient, swept: readonly SweptDeposit[]): Promise<void> => {
  if (swept.length === 0) return
  const rows = swept.map(({ depositId, addressId, currency, height }) => ({
    deposit_id: depositId,
    address_id: addressId,
    currency,
    height: height.toString(),
  }))
  await client.query({
    name: 'arrivals_take',
    text: `update deposit_arrivals d set taken_by = coalesce((
        select e.id from deposits e
        where e.chain_id = d.chain_id and e.currency = d.currency and e.state = 'included' and e.block_height >= d.block_height
          and e.block_height < s.height and (e.order_id = a.order_id and not e.given or e.shown_order_id = a.order_id and e.given)
        order by e.block_height, e.id limit 1), s.deposit_id)
      from jsonb_to_recordset($1::jsonb) as s(deposit_id bigint, address_id bigint, currency text, height bigint), deposits o, deposit_addresses a
      where o.id = s.deposit_id and a.id = s.address_id and d.address_id = s.address_id and d.chain_id = o.chain_id and d.currency = s.currency
        and d.state = 'included' and d.taken_by is null and d.block_height <= s.height`,
    values: [JSON.stringify(rows)],
  })
}

/** The address that a stored deposit came from, by the order id that the chain shows with it; null for any other deposit. */
export const addressOfDeposit = async (client: PoolClient, depositId: string): Promise<string | null> => {
  const { rows } = await client.query<{ id: string }>(
    `select a.id::text as id from deposits d join deposit_addresses a
       on a.order_id = case when d.given then d.shown_order_id else d.order_id end where d.id = $1`,
    [depositId],
  )
  return rows[0]?.id ?? null
}

/** The payments of a deposit that left its chain lie at their address again. */
export const giveArrivalsBack = async (client: PoolClient, depositId: string): Promise<void> => {
  await client.query('update deposit_arrivals set taken_by = null where taken_by = $1', [depositId])
}

/** Those of a stored deposit that is on its chain again. */
export const takeArrivalsOf = async (client: PoolClient, depositId: string, addressId: string): Promise<void> => {
  const { rows } = await client.query<{ currency: string; height: string }>(
    'select currency, block_height::text as height from deposits where id = $1 and block_height is not null',
    [depositId],
  )
  await takeArrivals(
    client,
    rows.map(({ currency, height }) => ({ depositId, addressId, currency, height: BigInt(height) })),
  )
}
