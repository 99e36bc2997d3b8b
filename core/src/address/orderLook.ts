import type { PoolClient } from 'pg'
import { wakeLane } from '../database/notifier.js'

/** An address that whoever sweeps is to look at now, on a chain where money may have come to it. */
export interface LookOrder {
  readonly addressId: string
  readonly chainId: number
  /** Without tag or memo. */
  readonly account: string
  /** What is found is swept, whatever it is worth. */
  readonly forced: boolean
}

/**
 * Orders a look at an address, in the caller's transaction, and wakes the lane of its chain. A chain on which it was not looked at before
 * becomes one of its places: who calls has made sure that it is the same address there.
 */
export const orderLook = async (
  client: PoolClient,
  { addressId, chainId, account, forced }: LookOrder,
  now: number,
): Promise<void> => {
  await client.query({
    name: 'place_order_look',
    text: `insert into deposit_address_places as p (address_id, chain_id, account, next_look_at, expected, called, forced, favoured)
      values ($1, $2, $3, to_timestamp($5 / 1000.0), true, 1, $4, true)
      on conflict (address_id, chain_id) do update set next_look_at = excluded.next_look_at, expected = true, looks = 0, called = p.called + 1,
        forced = p.forced or excluded.forced, favoured = true`,
    values: [addressId, chainId, account, forced, now],
  })
  await wakeLane(client, chainId)
}
