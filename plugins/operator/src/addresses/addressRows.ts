import type { Hex } from '@causeway/core'
import { HELD_SQL } from '@causeway/core/money-path'
import type { Pool } from 'pg'

/** Arrivals, sweeps, deposits and requests of one address that are told; the newest. */
export const TOLD_OF_EACH = 100

const ms = (column: string, name: string): string => `(extract(epoch from ${column}) * 1000)::float8 as ${name}`
const msOf = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`
const hex = (column: string, name: string): string => `'0x' || encode(${column}, 'hex') as ${name}`

export interface AddressRow {
  id: string
  chain_id: string
  address: string
  type: 'open' | 'strict'
  order_id: Hex
  request_id: Hex
  depositor: string
  currency: string
  refund_to: string | null
  recovery_address: string | null
  created_at: number
  live_until: number
  /** Of the quote that gave it; null where that is not kept any more. */
  terms: string | null
  integrator_id: string | null
  places: PlaceRow[]
}

export interface PlaceRow {
  chain_id: string
  next_look_at: number
  expected: boolean
  forced: boolean
  looks: number
  trouble: string | null
  /** Amounts by currency. */
  found: { readonly [currency: string]: string } | null
  found_at: number | null
  books: { currency: string; arrived: string; swept: string; gone: string; held: string }[]
}

const PLACES = `(select json_agg(json_build_object('chain_id', p.chain_id::text, 'next_look_at', ${msOf('p.next_look_at')}, 'expected', p.expected,
    'forced', p.forced, 'looks', p.looks, 'trouble', p.trouble, 'found', p.found, 'found_at', ${msOf('p.found_at')},
    'books', coalesce((select json_agg(json_build_object('currency', b.currency, 'arrived', b.arrived::text, 'swept', b.swept::text,
        'gone', b.gone::text, 'held', ${HELD_SQL}::text) order by b.currency)
      from deposit_address_books b where b.address_id = p.address_id and b.chain_id = p.chain_id), '[]')) order by p.id)
  from deposit_address_places p where p.address_id = a.id)`

const COLUMNS = `a.id::text as id, a.chain_id::text as chain_id, a.address, a.type, ${hex('a.order_id', 'order_id')}, ${hex('a.request_id', 'request_id')},
  a.depositor, a.currency, a.refund_to, a.recovery_address, ${ms('a.created_at', 'created_at')}, ${ms('a.live_until', 'live_until')},
  coalesce((select r.terms from requests r where r.id = a.request_id), (select q.terms from quotes q where q.id = a.request_id limit 1)) as terms,
  coalesce((select r.integrator_id from requests r where r.id = a.request_id),
    (select q.integrator_id from quote_rows q where q.id = a.request_id limit 1)) as integrator_id,
  coalesce(${PLACES}, '[]') as places`

/** Whether something lies there by the books or lay there at the last look. */
const UNSWEPT = `(exists (select from deposit_address_books b where b.address_id = a.id and b.arrived > b.swept + b.gone
    and ($1::bigint is null or b.chain_id = $1))
  or exists (select from deposit_address_places p where p.address_id = a.id and p.found <> '{}' and ($1::bigint is null or p.chain_id = $1)))`

export interface AddressPage {
  /** On which they are looked at; null: any. */
  readonly chainId: number | null
  readonly unswept: boolean
  /** Only older than this number; null: from the newest on. */
  readonly before: string | null
  readonly limit: number
}

/** Addresses, newest first; one statement. */
export const listAddresses = async (
  pool: Pool,
  { chainId, unswept, before, limit }: AddressPage,
): Promise<readonly AddressRow[]> => {
  const { rows } = await pool.query<AddressRow>(
    `select ${COLUMNS} from deposit_addresses a
     where ($1::bigint is null or exists (select from deposit_address_places p where p.address_id = a.id and p.chain_id = $1))
       and ($2::bigint is null or a.id < $2) ${unswept ? `and ${UNSWEPT}` : ''}
     order by a.id desc limit $3`,
    [chainId, before, limit],
  )
  return rows
}

/** By their numbers. */
export const readAddresses = async (pool: Pool, ids: readonly string[]): Promise<readonly AddressRow[]> => {
  if (ids.length === 0) return []
  const { rows } = await pool.query<AddressRow>(
    `select ${COLUMNS} from deposit_addresses a where a.id = any($1::bigint[]) order by a.id desc`,
    [ids],
  )
  return rows
}

export interface ArrivalRow {
  address_id: string
  chain_id: string
  tx_id: string
  position: number
  currency: string
  amount: string
  sender: string | null
  state: string
  height: string | null
  created_at: number
  /** The deposit that a sweep made of it. */
  taken_by: string | null
}

export interface SweepRow {
  address_id: string
  id: string
  chain_id: string
  state: string
  currency: string
  amount: string
  currencies: string[]
  created_at: number
  height: string | null
  action: string | null
  trouble: string | null
  details: string | null
  attempts: { tx_id: string; kind: string; state: string }[]
}

export interface SweptDepositRow {
  address_id: string
  id: string
  chain_id: string
  tx_id: string
  currency: string
  amount: string
  state: string
  outcome: string | null
  parked_reason: string | null
  request_id: Hex | null
}

export interface AddressRequestRow {
  address_id: string
  id: Hex
  status: string
  fail_reason: string | null
  refund_fail_reason: string | null
  action: string | null
}

/** What came to addresses and what became of it, newest first of each. */
export interface AddressHistory {
  readonly arrivals: readonly ArrivalRow[]
  readonly sweeps: readonly SweepRow[]
  readonly deposits: readonly SweptDepositRow[]
  readonly requests: readonly AddressRequestRow[]
}

/** So many of each address. */
const ofEach = (columns: string): string =>
  `select x.* from unnest($1::bigint[]) with ordinality u(address_id, n), lateral (${columns} limit ${TOLD_OF_EACH + 1}) x order by u.n`

const ARRIVALS =
  ofEach(`select v.address_id::text as address_id, v.chain_id::text as chain_id, v.tx_id, v.position, v.currency,
    v.amount::text as amount, v.sender, v.state, v.block_height::text as height, ${ms('v.created_at', 'created_at')}, v.taken_by::text as taken_by
  from deposit_arrivals v where v.address_id = u.address_id order by v.id desc`)

const SWEEPS =
  ofEach(`select p.address_id::text as address_id, p.id::text as id, p.chain_id::text as chain_id, p.state, p.currency,
    p.amount::text as amount, coalesce(nullif(p.data, '')::json -> 'currencies', '[]') as currencies, ${ms('p.created_at', 'created_at')},
    p.included_height::text as height, p.next_action as action, p.trouble, p.details,
    coalesce((select json_agg(json_build_object('tx_id', t.tx_id, 'kind', t.kind, 'state', t.state) order by t.generation, t.version)
      from payout_attempts t where t.payout_id = p.id), '[]') as attempts
  from payouts p where p.address_id = u.address_id order by p.id desc`)

const DEPOSITS =
  ofEach(`select a.id::text as address_id, d.id::text as id, d.chain_id::text as chain_id, d.tx_id, d.currency, d.amount::text as amount,
    d.state, d.outcome, d.parked_reason, ${hex('d.request_id', 'request_id')}
  from deposit_addresses a, deposits d where a.id = u.address_id and d.id in (
    select o.id from deposits o where o.order_id = a.order_id
    union select v.taken_by from deposit_arrivals v where v.address_id = a.id and v.taken_by is not null
    union select c.id from requests r join deposits c on c.request_id = r.id where r.parent_request_id = a.request_id)
  order by d.id desc`)

const REQUESTS =
  ofEach(`select a.id::text as address_id, ${hex('r.id', 'id')}, r.status, r.fail_reason, r.refund_fail_reason, r.next_action as action
  from deposit_addresses a, requests r where a.id = u.address_id and (r.id = a.request_id or r.parent_request_id = a.request_id)
  order by r.seq desc`)

/** Four statements, whatever the number of addresses. */
export const readHistory = async (pool: Pool, ids: readonly string[]): Promise<AddressHistory> => {
  if (ids.length === 0) return { arrivals: [], sweeps: [], deposits: [], requests: [] }
  const [arrivals, sweeps, deposits, requests] = await Promise.all([
    pool.query<ArrivalRow>(ARRIVALS, [ids]),
    pool.query<SweepRow>(SWEEPS, [ids]),
    pool.query<SweptDepositRow>(DEPOSITS, [ids]),
    pool.query<AddressRequestRow>(REQUESTS, [ids]),
  ])
  return { arrivals: arrivals.rows, sweeps: sweeps.rows, deposits: deposits.rows, requests: requests.rows }
}
