import type { Hex } from '@causeway/core'
import type { Pool } from 'pg'

/** What an id leads to. */
export interface Subjects {
  /** What the id is, in words. */
  readonly meanings: readonly string[]
  /** Newest first. */
  readonly requestIds: readonly Hex[]
  /** Deposits without a request, newest first. */
  readonly depositIds: readonly string[]
  /** Quotes nobody has paid. */
  readonly quoteIds: readonly Hex[]
  /** Numbers of addresses to pay to, newest first. */
  readonly addressIds: readonly string[]
  /** Transactions of our keys that were found on a chain. */
  readonly imported: boolean
  readonly more: boolean
}

interface HitRow {
  kind: 'request' | 'deposit' | 'quote' | 'address' | 'imported'
  id: string
  meanings: string[]
}

/** By hash or id: every branch goes by an index. */
const BY_ID = `
  select 'request id' as meaning, id as request_id, null::bigint as deposit_id, null::bytea as quote_id, null::bigint as address_id,
      created_at as at
    from requests where id = $2
  union all select 'order id', id, null, null, null, created_at from requests where order_id = $2
  union all select 'deposit transaction', request_id, id, null, null, created_at from deposits where chain_id = any($3) and tx_id = $1
  union all select p.purpose || ' transaction', p.request_id, p.deposit_id, null, p.address_id, p.created_at
    from payout_attempts a join payouts p on p.id = a.payout_id where a.chain_id = any($3) and a.tx_id = $1
  union all select 'payment to an address', null, null, null, v.address_id, v.created_at
    from deposit_arrivals v where v.chain_id = any($3) and v.tx_id = $1
  union all select 'payment to an address', d.request_id, d.id, null, null, v.created_at
    from deposit_arrivals v join deposits d on d.id = v.taken_by where v.chain_id = any($3) and v.tx_id = $1
  union all select 'transaction of a request', t.request_id, null, null, null, t.created_at from request_txs t where t.tx_id = $1
  union all select 'id of an unpaid quote', null, null, q.id, null, q.created_at from quote_rows q
    where q.id = $2 and not exists (select 1 from requests r where r.id = q.id)
  union all select 'order id of an unpaid quote', null, null, q.id, null, q.created_at from quote_rows q
    where q.order_id = $2 and not exists (select 1 from requests r where r.id = q.id)
  union all select 'id of the quote of an address', null, null, null, a.id, a.created_at from deposit_addresses a
    where a.request_id = $2 or a.order_id = $2
  union all select 'transaction found on the chain', null, null, null, null, i.created_at from imported_transactions i
    where i.chain_id = any($3) and i.tx_id = $1 or i.order_id = $2`

/** By what the command line itself prints: `deposit:12`, `payout:34`. */
const BY_NUMBER = `
  select 'deposit number' as meaning, request_id, id as deposit_id, null::bytea as quote_id, null::bigint as address_id, created_at as at
    from deposits where $1 = 'deposit:' || id and id = $2::bigint
  union all select 'payout number', p.request_id, p.deposit_id, null, p.address_id, p.created_at
    from payouts p where $1 = 'payout:' || p.id and p.id = $2::bigint and $3::bigint[] is not null`

/** Each branch is bounded: an address may stand in any number of requests. */
const BY_ADDRESS = `
  select * from (select 'user' as meaning, id as request_id, null::bigint as deposit_id, null::bytea as quote_id, null::bigint as address_id,
      created_at as at
    from requests where user_address = $1 order by seq desc limit $4 + 1) a
  union all select * from (select 'recipient', id, null::bigint, null::bytea, null::bigint, created_at
    from requests where recipient = $1 order by seq desc limit $4 + 1) b
  union all select * from (select 'refund address', id, null::bigint, null::bytea, null::bigint, created_at
    from requests where refund_to = $1 order by seq desc limit $4 + 1) c
  union all select * from (select 'depositor', request_id, id, null::bytea, null::bigint, created_at
    from deposits where depositor = $1 and $2::bytea is null and $3::bigint[] is not null order by id desc limit $4 + 1) d
  union all select * from (select 'address to pay to', null::bytea, null::bigint, null::bytea, id, created_at
    from deposit_addresses where search_term(address) = search_term($1) order by id desc limit $4 + 1) e`

/** One row per thing an id leads to, newest first of each kind. */
const grouped = (branches: string): string => `
  with hits as (${branches})
  select kind, id, meanings from (
    select case when request_id is not null then 'request' when deposit_id is not null then 'deposit'
        when quote_id is not null then 'quote' when address_id is not null then 'address' else 'imported' end as kind,
      coalesce('0x' || encode(request_id, 'hex'), deposit_id::text, '0x' || encode(quote_id, 'hex'), address_id::text, '') as id,
      array_agg(distinct meaning) as meanings, max(at) as at
    from hits group by 1, 2
  ) things order by at desc, id desc limit 5 * ($4 + 1)`

const HEX_32 = /^0x[0-9a-f]{64}$/
const NUMBER = /^(?:deposit|payout):([1-9][0-9]{0,17})$/

/** Hex in lower case, as it is stored; anything else as it was given. */
export const normaliseId = (text: string): string =>
  /^0x[0-9a-f]+$/i.test(text.trim()) ? text.trim().toLowerCase() : text.trim()

/** Finds what an id means: a request or order id, a transaction, a number of ours, else an address. One or two statements. */
export const findSubjects = async (
  pool: Pool,
  id: string,
  chainIds: readonly number[],
  limit: number,
): Promise<Subjects> => {
  const number = NUMBER.exec(id)?.[1]
  if (number !== undefined) return toSubjects(await ask(pool, BY_NUMBER, [id, number, chainIds, limit]), limit)
  const bytes = HEX_32.test(id) ? Buffer.from(id.slice(2), 'hex') : null
  const hits = await ask(pool, BY_ID, [id, bytes, chainIds, limit])
  if (hits.length > 0 || bytes !== null) return toSubjects(hits, limit)
  return toSubjects(await ask(pool, BY_ADDRESS, [id, null, chainIds, limit]), limit)
}

/** The same for what names single requests only: their ids, and the hashes of their transactions. One statement. */
export const findByIdentity = async (
  pool: Pool,
  id: string,
  chainIds: readonly number[],
  limit: number,
): Promise<Subjects> => {
  const bytes = HEX_32.test(id) ? Buffer.from(id.slice(2), 'hex') : null
  return toSubjects(await ask(pool, BY_ID, [id, bytes, chainIds, limit]), limit)
}

const ask = async (pool: Pool, branches: string, values: readonly unknown[]): Promise<HitRow[]> =>
  (await pool.query<HitRow>(grouped(branches), [...values])).rows

const toSubjects = (hits: readonly HitRow[], limit: number): Subjects => {
  const idsOf = (kind: HitRow['kind']) => hits.filter((hit) => hit.kind === kind).map(({ id }) => id)
  const [requests, deposits, quotes] = [idsOf('request'), idsOf('deposit'), idsOf('quote')]
  const addresses = idsOf('address')
  return {
    meanings: [...new Set(hits.flatMap(({ meanings }) => meanings))].sort(),
    // CAST: encoded with their prefix in SQL above.
    requestIds: requests.slice(0, limit) as Hex[],
    depositIds: deposits.slice(0, limit),
    quoteIds: quotes.slice(0, limit) as Hex[],
    addressIds: addresses.slice(0, limit),
    imported: idsOf('imported').length > 0,
    more: [requests, deposits, quotes, addresses].some((ids) => ids.length > limit),
  }
}
