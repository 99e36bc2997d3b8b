import type { FailReason } from '../../errors/failReason.js'
import { isStorableText } from '../../http/request/storableText.js'
import type { RecordCondition, RecordField, RecordQuery, RecordRange } from './recordQuery.js'
import { searchTerm } from './searchTerm.js'
import type { SqlWriter } from './sqlWriter.js'

const ID = /^0x[0-9a-f]{64}$/i
/** Ids of chains as they are written. */
export const CHAIN_ID = /^(?:0|[1-9][0-9]{0,15})$/

const NOTHING = 'false'

/** Words that no stored text can equal are left out before the database sees them. */
const words = (values: readonly string[], fold: (word: string) => string = searchTerm): string[] =>
  values.filter(isStorableText).map(fold)

/** Values of an id field as bytes; malformed ones match nothing. */
export const bytesOf = (values: readonly string[]): Buffer[] =>
  values.filter((value) => ID.test(value)).map((value) => Buffer.from(value.slice(2), 'hex'))

const isOneOf =
  (column: string, fold?: (word: string) => string) =>
  (sql: SqlWriter, values: readonly string[]): string =>
    sql.isOneOf(column, words(values, fold), 'text')

const isChain =
  (column: string) =>
  (sql: SqlWriter, values: readonly string[]): string =>
    sql.isOneOf(
      column,
      values.filter((value) => CHAIN_ID.test(value)),
      'bigint',
    )

const isId =
  (column: string) =>
  (sql: SqlWriter, values: readonly string[]): string =>
    sql.isOneOf(column, bytesOf(values), 'bytea')

const hasTx =
  (where: string) =>
  (sql: SqlWriter, values: readonly string[]): string =>
    `exists (select from request_txs t where t.request_id = r.id and ${where} and ${sql.isOneOf('t.tx_id', words(values), 'text')})`

/** With the time, which never changes, it is one step down the index, however many requests have the word. */
const hasTerm = (sql: SqlWriter, values: readonly string[]): string =>
  `exists (select from request_terms t where t.created_at = r.created_at and t.seq = r.seq and ${sql.isOneOf('t.term', words(values), 'text')})`

const either =
  (...parts: readonly ((sql: SqlWriter, values: readonly string[]) => string)[]) =>
  (sql: SqlWriter, values: readonly string[]): string =>
    `(${parts.map((part) => `coalesce(${part(sql, values)}, false)`).join(' or ')})`

interface FieldSql {
  equals(sql: SqlWriter, values: readonly string[]): string
  /** SQL of "is empty". */
  readonly empty: string
}

const column = (name: string, fold?: (word: string) => string, match = name): FieldSql => ({
  equals: isOneOf(match, fold),
  empty: `coalesce(${name}, '') = ''`,
})
/** Stored in lower case as the database understands it, so it folds what is asked for, too. */
const symbol = (name: string): FieldSql => ({
  equals: (sql, values) =>
    `${name} in (select lower(w) from unnest(${sql.bind(
      words(values, (word) => word),
      'text[]',
    )}) w)`,
  empty: `coalesce(${name}, '') = ''`,
})
const txField = (where: string): FieldSql => ({
  equals: hasTx(where),
  empty: `not exists (select from request_txs t where t.request_id = r.id and ${where})`,
})
/** With the user's transfer into a deposit address. */
const depositTxField = (where: string): FieldSql => {
  const { equals, empty } = txField(where)
  return { equals: either(equals, isOneOf('r.transfer_tx')), empty: `${empty} and r.transfer_tx is null` }
}

const FIELDS: Readonly<Record<RecordField, FieldSql>> = {
  id: { equals: isId('r.id'), empty: NOTHING },
  orderId: { equals: isId('r.order_id'), empty: 'r.order_id is null' },
  depositTxHash: depositTxField(`t.purpose = 'deposit'`),
  fillTxHash: txField(`t.purpose = 'fill'`),
  refundTxHash: txField(`t.purpose = 'refund'`),
  hash: depositTxField('true'),
  term: { equals: hasTerm, empty: NOTHING },
  user: {
    equals: either(isOneOf('r.user_address'), isOneOf('r.depositor')),
    empty: `coalesce(r.user_address, '') = '' and coalesce(r.depositor, '') = ''`,
  },
  wallet: {
    equals: either(isOneOf('r.user_address'), isOneOf('r.recipient')),
    empty: `coalesce(r.user_address, '') = '' and coalesce(r.recipient, '') = ''`,
  },
  recipient: column('r.recipient'),
  depositAddress: column('r.deposit_address'),
  originChainId: { equals: isChain('r.origin_chain_id'), empty: NOTHING },
  destinationChainId: { equals: isChain('r.destination_chain_id'), empty: NOTHING },
  chainId: { equals: either(isChain('r.origin_chain_id'), isChain('r.destination_chain_id')), empty: NOTHING },
  currencyInChainId: { equals: isChain('r.origin_chain_id'), empty: NOTHING },
  currencyOutChainId: { equals: isChain('r.destination_chain_id'), empty: NOTHING },
  currencyInAddress: column('r.currency_in'),
  currencyOutAddress: column('r.currency_out'),
  currencyInSymbol: symbol('r.symbol_in'),
  currencyOutSymbol: symbol('r.symbol_out'),
  status: column('r.status', (word) => word),
  failReason: column('r.fail_reason', (word) => word),
  refundFailReason: column('r.refund_fail_reason', (word) => word),
  requestType: column('r.request_type', (word) => word.toLowerCase(), 'lower(r.request_type)'),
  apiKey: column('r.api_key_id', (word) => word),
  referrer: column('r.referrer', (word) => word),
}

/** One condition over the request `r`. Never null: an empty field does not equal anything, so its negation holds. */
export const conditionSql = (sql: SqlWriter, { field, not, values }: RecordCondition): string => {
  const { equals, empty } = FIELDS[field]
  const test = values === null ? `(${empty})` : `coalesce(${equals(sql, values)}, false)`
  return not ? `not ${test}` : test
}

const bounds = (sql: SqlWriter, what: string, range: RecordRange | undefined, type: string): string[] => [
  ...(range?.from === undefined ? [] : [`${what} >= ${sql.bind(range.from, type)}`]),
  ...(range?.to === undefined ? [] : [`${what} <= ${sql.bind(range.to, type)}`]),
]

/** Bounds on a time column, from whole Unix seconds, both seconds included to their end. */
export const timeBounds = (sql: SqlWriter, what: string, range: RecordRange | undefined): string[] => [
  ...(range?.from === undefined ? [] : [`${what} >= to_timestamp(${sql.bind(range.from, 'bigint')})`]),
  ...(range?.to === undefined ? [] : [`${what} < to_timestamp(${sql.bind(range.to + 1, 'bigint')})`]),
]

const blockBounds = (sql: SqlWriter, { ranges }: RecordQuery): string[] => {
  const inside = bounds(sql, 't.block_height', ranges.block, 'bigint')
  if (inside.length === 0) return []
  const side = ranges.originBlocks === true ? [`t.chain_id = r.origin_chain_id`, `t.direction = 'in'`] : []
  return [`exists (select from request_txs t where t.request_id = r.id and ${[...side, ...inside].join(' and ')})`]
}

const visible = (sql: SqlWriter, hidden: readonly number[]): string[] => {
  if (hidden.length === 0) return []
  const chains = sql.bind(hidden, 'bigint[]')
  return [`r.origin_chain_id <> all(${chains})`, `r.destination_chain_id <> all(${chains})`]
}

const groupsSql = (sql: SqlWriter, { groups }: RecordQuery): string[] => {
  if (groups.length === 0) return []
  const each = groups.map((group) => `(${['true', ...group.map((one) => conditionSql(sql, one))].join(' and ')})`)
  return [`(${each.join(' or ')})`]
}

/** What anybody sends under an order's id and that could never pay it is no part of the order's family (faults.md F135). */
const UNFIT: readonly FailReason[] = [
  'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
  'DEPOSIT_CHAIN_MISMATCH',
  'INCORRECT_DEPOSIT_CURRENCY',
  'ORPHANED_DEPOSIT_REFUND',
]

/** Of a child: its deposit might have paid the order, or is of the quote's own user. */
export const isFamily = (child: string): string =>
  `(${child}.told_as is not null or coalesce(${child}.refund_reason, '') not in (${UNFIT.map((reason) => `'${reason}'`).join(', ')}))`

const IDENTITY: ReadonlySet<RecordField> = new Set(['id', 'depositAddress'])

/** With children an id or deposit address names its request and whatever came of it; without, refunds of others stay out. */
const familySql = (
  sql: SqlWriter,
  query: RecordQuery,
): { readonly rest: readonly RecordCondition[]; readonly sql: string[] } => {
  const named = query.conditions.filter(({ field, not, values }) => IDENTITY.has(field) && !not && values !== null)
  if (named.length === 0) return { rest: query.conditions, sql: [] }
  if (!query.children) {
    const byAddress = named.some(({ field }) => field === 'depositAddress')
    return {
      rest: query.conditions,
      sql: byAddress ? ['(r.parent_request_id is null or r.refund_reason is null)'] : [],
    }
  }
  const self = named.map((one) => conditionSql(sql, one)).join(' and ')
  const byId = named.every(({ field }) => field === 'id')
  // A quote that nobody paid has children and no request. Inside the parentheses r is the parent.
  const isChild = byId
    ? named.map(({ values }) => sql.isOneOf('r.parent_request_id', bytesOf(values ?? []), 'bytea')).join(' and ')
    : `r.parent_request_id in (select r.id from requests r where ${self})`
  return {
    rest: query.conditions.filter((one) => !named.includes(one)),
    sql: [`((${self}) or (${isChild} and ${isFamily('r')}))`],
  }
}

/** Everything a request must fulfil, over the request `r`; the time range is on the column given. */
export const predicateSql = (sql: SqlWriter, query: RecordQuery, timeColumn: string): string[] => {
  const family = familySql(sql, query)
  const { ranges } = query
  return [
    ...visible(sql, query.hiddenChains),
    ...(query.integratorId === undefined ? [] : [`r.integrator_id = ${sql.bind(query.integratorId, 'text')}`]),
    ...family.sql,
    ...family.rest.map((one) => conditionSql(sql, one)),
    ...groupsSql(sql, query),
    ...(query.features === undefined ? [] : [`r.features && ${sql.bind(query.features, 'text[]')}`]),
    ...timeBounds(sql, timeColumn, ranges.time),
    ...blockBounds(sql, query),
    ...bounds(sql, 'r.amount_usd', ranges.amountUsd, 'numeric'),
    ...bounds(sql, 'r.app_fees_usd', ranges.appFeesUsd, 'numeric'),
    ...bounds(sql, 'r.fill_seconds', ranges.fillTime, 'numeric'),
  ]
}
