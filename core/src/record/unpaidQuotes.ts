import { ORDERS, orderSql } from './recordDriver.js'
import { predicateSql } from './search/recordConditions.js'
import type { RecordColumns, RecordField, RecordQuery } from './search/recordQuery.js'
import type { SqlWriter } from './search/sqlWriter.js'

const NAMING: readonly RecordField[] = ['id', 'orderId', 'term']
const HASH = /^0x[0-9a-f]{64}$/i

/** A quote with the columns of a request, as if it had been used just when it was made. */
const AS_REQUEST = `select 0::bigint as seq, q.id, null::bytea as parent_request_id, null::bytea as superseded_by,
    case when t ? 'direct' then null else q.order_id end as order_id, 'waiting' as status,
    (t->'origin'->>'chainId')::bigint as origin_chain_id, (t->'destination'->>'chainId')::bigint as destination_chain_id,
    t->>'user' as user_address, t->>'recipient' as recipient, null::text as refund_reason, null::text as fail_reason,
    null::text as refund_fail_reason, q.integrator_id, q.api_key_id, q.referrer, q.created_at, q.created_at as updated_at,
    null::text as deposit_address, null::text as depositor, null::integer as fill_seconds,
    s.currency_in, s.currency_out, s.symbol_in, s.symbol_out, s.request_type, s.features, s.amount_usd, s.app_fees_usd
  from quotes q, lateral (select q.terms::jsonb as t) j, lateral search_columns(q.quoted::jsonb, t, false) s`

/**
 * The statement that looks for quotes nobody has paid; null when the search names none. They are found by what names one
 * quote, never listed: most quotes are never used.
 */
export const unpaidSql = (sql: SqlWriter, query: RecordQuery, columns: RecordColumns): string | null => {
  const naming = query.conditions.find(({ field, not, values }) => NAMING.includes(field) && !not && values !== null)
  const ids = (naming?.values ?? []).filter((value) => HASH.test(value))
  if (naming === undefined || ids.length === 0) return null
  const bytes = ids.map((value) => Buffer.from(value.slice(2), 'hex'))
  const columnsOf = { id: ['q.id'], orderId: ['q.order_id'], term: ['q.id', 'q.order_id'] }
  const named = columnsOf[naming.field === 'id' || naming.field === 'orderId' ? naming.field : 'term']
  const where = `(${named.map((column) => sql.isOneOf(column, bytes, 'bytea')).join(' or ')})`
  // The term of a quote is no row of the term table.
  const rest = { ...query, children: false, conditions: query.conditions.filter((one) => one !== naming) }
  const predicates = predicateSql(sql, rest, query.sort === 'updatedAt' ? 'r.updated_at' : 'r.created_at')
  const { column } = ORDERS[query.sort]
  return `select r.id, r.integrator_id, r.api_key_id, r.referrer, r.${column}::text as page_key, '0' as page_tie${columns.select}
    from (${AS_REQUEST} where ${where} and not exists (select from requests x where x.id = q.id)) r ${columns.join}
    where ${['true', ...predicates].join(' and ')} order by ${orderSql(query, 'r')} limit ${sql.bind(query.limit, 'int')}`
}
