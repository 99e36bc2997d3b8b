import { answerOf, LIES_THERE, PAYMENT_AT_ADDRESS } from './answers.js'
import { ORDERS, orderSql } from './recordDriver.js'
import { predicateSql } from './search/recordConditions.js'
import type { RecordColumns, RecordField, RecordQuery } from './search/recordQuery.js'
import { searchTerm } from './search/searchTerm.js'
import type { SqlWriter } from './search/sqlWriter.js'

const NAMING: readonly RecordField[] = ['id', 'orderId', 'depositAddress', 'depositTxHash', 'term']
/** Named by words, not by ids of quotes alone. */
const BY_WORD: readonly RecordField[] = ['depositAddress', 'depositTxHash', 'term']
const HASH = /^0x[0-9a-f]{64}$/i

/** A quote with the columns of a request, as if it had been used just when it was made; what became of it is that of its child. */
const AS_REQUEST = `select 0::bigint as seq, q.id, null::bytea as parent_request_id, c.id as superseded_by,
    case when t ? 'direct' then null else q.order_id end as order_id, coalesce(c.status, 'waiting') as status,
    (t->'origin'->>'chainId')::bigint as origin_chain_id, (t->'destination'->>'chainId')::bigint as destination_chain_id,
    t->>'user' as user_address, t->>'recipient' as recipient, null::text as refund_reason, c.fail_reason, c.refund_fail_reason, q.integrator_id, q.api_key_id, q.referrer, q.created_at, q.created_at as updated_at,
    a.address as deposit_address, p.depositor, p.transfer_tx, null::integer as fill_seconds,
    s.currency_in, s.currency_out, s.symbol_in, s.symbol_out, s.request_type, s.features, s.amount_usd, s.app_fees_usd
  from quotes q left join deposit_addresses a on a.request_id = q.id left join ${PAYMENT_AT_ADDRESS} p on true
    left join ${answerOf('q.id')} c on true, lateral (select q.terms::jsonb as t) j, lateral search_columns(q.quoted::jsonb, t, false) s`

/**
 * The statement that looks for quotes nobody has paid; null when the search names none. They are found by what names one
 * quote, never listed: most quotes are never used.
 */
export const unpaidSql = (sql: SqlWriter, query: RecordQuery, columns: RecordColumns): string | null => {
  const naming = query.conditions.find(({ field, not, values }) => NAMING.includes(field) && !not && values !== null)
  if (naming === undefined || naming.values === null) return null
  const where = namedSql(sql, naming.field, naming.values)
  if (where === null) return null
  // The term of a quote is no row of the term table.
  const rest = { ...query, children: false, conditions: query.conditions.filter((one) => one !== naming) }
  const predicates = predicateSql(sql, rest, query.sort === 'updatedAt' ? 'r.updated_at' : 'r.created_at')
  const { column } = ORDERS[query.sort]
  return `select r.id, r.integrator_id, r.api_key_id, r.referrer, r.${column}::text as page_key, '0' as page_tie${columns.select}
    from (${AS_REQUEST} where ${where} and not exists (select from requests x where x.id = q.id)) r ${columns.join}
    where ${['true', ...predicates].join(' and ')} order by ${orderSql(query, 'r')} limit ${sql.bind(query.limit, 'int')}`
}

/** The quotes that values of a field name; null where they name none. */
const namedSql = (sql: SqlWriter, field: RecordField, values: readonly string[]): string | null => {
  const ids = field === 'depositAddress' || field === 'depositTxHash' ? [] : values.filter((value) => HASH.test(value))
  const bytes = ids.map((value) => Buffer.from(value.slice(2), 'hex'))
  const columns = field === 'id' ? ['q.id'] : field === 'orderId' ? ['q.order_id'] : ['q.id', 'q.order_id']
  const words = BY_WORD.includes(field) ? values.map(searchTerm) : []
  const named = [
    ...(bytes.length === 0 ? [] : columns.map((column) => sql.isOneOf(column, bytes, 'bytea'))),
    ...(words.length === 0 || field === 'depositTxHash'
      ? []
      : [
          `q.id in (select request_id from deposit_addresses where ${sql.isOneOf('search_term(address)', words, 'text')})`,
        ]),
    ...(words.length === 0 || field === 'depositAddress'
      ? []
      : [
          `q.id in (select a.request_id from deposit_arrivals d join deposit_addresses a on a.id = d.address_id
            where ${sql.isOneOf('d.tx_id', words, 'text')} and ${LIES_THERE})`,
        ]),
  ]
  return named.length === 0 ? null : `(${named.join(' or ')})`
}
