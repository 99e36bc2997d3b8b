import type { Pool } from 'pg'
import { HELD_SQL } from '../../address/addressBooks.js'
import { parseDestination } from '../../chain/destination.js'
import type { PayoutAddress } from '../payoutRecord.js'

/** An address on a chain that is to be looked at. */
export interface DuePlace {
  readonly address: PayoutAddress
  readonly chainId: number
  /** Something arrived, or somebody asked. */
  readonly expected: boolean
  /** Times it was looked at in vain since then. */
  readonly looks: number
  /** How often something had arrived when this was read. */
  readonly called: string
  /** What it finds is swept whatever it is worth. */
  readonly forced: boolean
  /** Sweeps that ended for nothing since the last that did not. */
  readonly failed: number
  /** How many addresses its holder was given within a day, if it is not favoured; else 1. */
  readonly crowd: number
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly liveUntil: number
  /** What lies there by the books, by currency, smallest unit. */
  readonly booked: ReadonlyMap<string, bigint>
  /** Unix milliseconds since which nothing came and no sweep went, where the books have something there; else null. */
  readonly quietSince: number | null
}

interface Row {
  id: string
  address: string
  order_id: `0x${string}`
  depositor: string
  derivation: string
  expected: boolean
  looks: number
  called: string
  forced: boolean
  failed: number
  crowd: number
  created_at: Date
  live_until: Date
  booked: { currency: string; amount: string }[] | null
  quiet_since: Date | null
}

/** Addresses of one holder that count as a crowd at most, so that counting them stays cheap. */
const MOST_COUNTED = 10_000

/**
 * Addresses of a chain whose time has come, those where something is expected, or those of the usual round; none that is being swept. Half
 * of them are of favoured addresses and half of others, the longest due first; what one half leaves is the other's. So however many
 * addresses anonymous callers have, a favoured one waits for no more than the favoured ones that are due before it (faults.md F155).
 */
export const findDuePlaces = async (
  pool: Pool,
  { chainId, expected, limit }: { readonly chainId: number; readonly expected: boolean; readonly limit: number },
  now: number,
): Promise<readonly DuePlace[]> => {
  const { rows } = await pool.query<Row>({
    name: 'places_due',
    text: `with due as (
        select d.*, row_number() over (partition by d.favoured order by d.next_look_at) as turn
        from (values (true), (false)) c(favoured) cross join lateral (
          select p.* from deposit_address_places p
          where p.chain_id = $1 and p.expected = $2 and p.favoured = c.favoured and p.next_look_at <= to_timestamp($3 / 1000.0)
            and not exists (select from payouts s where s.chain_id = p.chain_id and s.address_id = p.address_id and s.purpose = 'sweep'
              and s.state in ('ready', 'signed'))
          order by p.next_look_at limit $4) d
      ), shared as materialized (
        select d.*, a.holder from (select * from due order by turn > $4 / 2, next_look_at limit $4) d join deposit_addresses a on a.id = d.address_id
      ), crowds as materialized (
        select h.holder, (select count(*)::int from (select from deposit_addresses o where o.holder = h.holder
          and o.created_at > to_timestamp($3 / 1000.0) - interval '1 day' limit ${MOST_COUNTED}) c) as crowd
        from (select distinct holder from shared where holder is not null and not favoured) h
      )
      select a.id::text as id, a.address, '0x' || encode(a.order_id, 'hex') as order_id, a.depositor, a.derivation, p.expected, p.looks, p.called::text as called, p.forced,
        a.created_at, a.live_until, coalesce((select crowd from crowds c where c.holder = p.holder and not p.favoured), 1) as crowd,
        (select count(*)::int from payouts s where s.chain_id = p.chain_id and s.address_id = p.address_id and s.purpose = 'sweep' and s.state = 'dead'
          and s.id > coalesce((select max(o.id) from payouts o where o.chain_id = p.chain_id and o.address_id = p.address_id and o.purpose = 'sweep'
            and o.state in ('included', 'final')), 0)) as failed,
        (select json_agg(json_build_object('currency', b.currency, 'amount', ${HELD_SQL}::text)) from deposit_address_books b
          where b.address_id = p.address_id and b.chain_id = p.chain_id) as booked,
        (select greatest((select max(greatest(v.created_at, v.block_time)) from deposit_arrivals v
              where v.address_id = p.address_id and v.chain_id = p.chain_id),
            (select max(s.updated_at) from payouts s where s.chain_id = p.chain_id and s.address_id = p.address_id and s.purpose = 'sweep'))
          where exists (select from deposit_address_books b where b.address_id = p.address_id and b.chain_id = p.chain_id and ${HELD_SQL} > 0)
        ) as quiet_since
      from shared p join deposit_addresses a on a.id = p.address_id order by p.favoured desc, p.next_look_at`,
    values: [chainId, expected, now, limit],
  })
  return rows.map((row) => ({
    address: {
      id: row.id,
      destination: parseDestination(row.address),
      orderId: row.order_id,
      depositor: row.depositor,
      derivation: JSON.parse(row.derivation),
    },
    chainId,
    expected: row.expected,
    looks: row.looks,
    called: row.called,
    forced: row.forced,
    failed: row.failed,
    crowd: row.crowd,
    createdAt: row.created_at.getTime(),
    liveUntil: row.live_until.getTime(),
    quietSince: row.quiet_since?.getTime() ?? null,
    booked: new Map((row.booked ?? []).map(({ currency, amount }) => [currency, BigInt(amount)])),
  }))
}
