import { bytesOf, CHAIN_ID, isFamily } from './search/recordConditions.js'
import type { RecordCondition, RecordField, RecordPosition, RecordQuery } from './search/recordQuery.js'
import { searchTerm } from './search/searchTerm.js'
import type { SqlWriter } from './search/sqlWriter.js'

/** How pages are ordered: the column, the one that breaks ties, and their types (wire.md H.3: amounts tie by id). */
export const ORDERS = {
  createdAt: { column: 'created_at', type: 'timestamptz', tie: 'seq', tieType: 'bigint' },
  updatedAt: { column: 'updated_at', type: 'timestamptz', tie: 'seq', tieType: 'bigint' },
  amountUsd: { column: 'amount_usd', type: 'numeric', tie: 'id', tieType: 'bytea' },
} as const

/** Words of the term table by field: what a search may be driven by besides columns with an index. */
const TERM_KINDS: Partial<Record<RecordField, readonly string[]>> = {
  term: [],
  depositTxHash: ['deposit-tx'],
  fillTxHash: ['fill-tx'],
  refundTxHash: ['refund-tx'],
  hash: ['deposit-tx', 'fill-tx', 'refund-tx', 'other-tx'],
  depositAddress: ['deposit-address'],
  user: ['user', 'depositor'],
  wallet: ['user', 'recipient'],
  recipient: ['recipient'],
}

/** Fields that narrow most first. */
const BY_TERM: readonly RecordField[] = [
  'term',
  'depositTxHash',
  'fillTxHash',
  'refundTxHash',
  'hash',
  'depositAddress',
  'user',
  'wallet',
  'recipient',
]

/** Most values a search is driven by; with more it walks the order's own index. */
const MAX_BRANCHES = 20
/** Most requests of an id, an order or a deposit address that are shown, the last first. */
const MOST_OF_FAMILY = 10_000

/** A condition that names what to look for. */
interface Driver extends RecordCondition {
  readonly not: false
  readonly values: readonly string[]
}

const driver = (query: RecordQuery, field: RecordField): Driver | null =>
  query.conditions.find((one): one is Driver => one.field === field && !one.not && one.values !== null) ?? null

/** The part of an order that comes after a position. */
export const afterSql = (
  sql: SqlWriter,
  query: RecordQuery,
  position: RecordPosition | null,
  from: string,
): string[] => {
  if (position === null) return []
  const { column, type, tie, tieType } = ORDERS[query.sort]
  const key = `${sql.bind(position.key, 'text')}::${type}`
  const last =
    tieType === 'bytea' ? `decode(${sql.bind(position.tie, 'text')}, 'hex')` : sql.bind(position.tie, 'bigint')
  return [`(${from}.${column}, ${from}.${tie}) ${query.descending ? '<' : '>'} (${key}, ${last})`]
}

/**
 * The time range of a walk that is ordered by a time, in the form of its index. Row comparisons: the planner guesses little
 * from them, so a plan made without the values still follows the index. A position lies within the range, since a
 * continuation belongs to its query; it takes the place of the bound it has passed.
 */
const timeWalkSql = (sql: SqlWriter, query: RecordQuery, position: RecordPosition | null, from: string): string[] => {
  const { time } = query.ranges
  if (time === undefined || query.sort === 'amountUsd') return []
  const passed = position === null ? null : query.descending ? 'to' : 'from'
  const { column, tie } = ORDERS[query.sort]
  const bound = (sign: string, seconds: number) =>
    `(${from}.${column}, ${from}.${tie}) ${sign} (to_timestamp(${sql.bind(seconds, 'bigint')}), 0)`
  return [
    ...(time.from === undefined || passed === 'from' ? [] : [bound('>=', time.from)]),
    ...(time.to === undefined || passed === 'to' ? [] : [bound('<', time.to + 1)]),
  ]
}

export const orderSql = (query: RecordQuery, from: string): string => {
  const { column, tie } = ORDERS[query.sort]
  const direction = query.descending ? 'desc' : 'asc'
  return `${from}.${column} ${direction}, ${from}.${tie} ${direction}`
}

/** Walks along an index of `requests`: each a list of predicates on `s`; the conditions that all they visit fulfil. */
interface Branches {
  readonly count: number
  /** Binds their values, so it is called for the chosen ones alone: a value that the text does not name has no type. */
  readonly walks: () => readonly (readonly string[])[]
  readonly answered: readonly RecordCondition[]
}

const WHOLE_ORDER: Branches = { count: 1, walks: () => [[]], answered: [] }

const columnBranches = (sql: SqlWriter, query: RecordQuery): Branches => {
  const is = (column: string, value: string, type: string) => `s.${column} = ${sql.bind(value, type)}`
  const chain = (column: string, value: string) => is(column, CHAIN_ID.test(value) ? value : '-1', 'bigint')
  const along = (by: Driver, walk: (value: string) => string[]): Branches => ({
    count: by.values.length,
    walks: () => by.values.map(walk),
    answered: [by],
  })
  const [key, status, either] = [driver(query, 'apiKey'), driver(query, 'status'), driver(query, 'chainId')]
  const origin = driver(query, 'originChainId') ?? driver(query, 'currencyInChainId')
  const destination = driver(query, 'destinationChainId') ?? driver(query, 'currencyOutChainId')
  if (key !== null) return along(key, (id) => [is('api_key_id', id, 'text')])
  // Its own history is a small part of the whole, whatever else is asked; whoever asks beside it is left to the conditions.
  const { integratorId } = query
  if (integratorId !== undefined)
    return { count: 1, walks: () => [[is('integrator_id', integratorId, 'text')]], answered: [] }
  if (origin !== null && destination !== null) {
    const pair = (from: string) => (to: string) => [chain('origin_chain_id', from), chain('destination_chain_id', to)]
    return {
      count: origin.values.length * destination.values.length,
      walks: () => origin.values.flatMap((from) => destination.values.map(pair(from))),
      answered: [origin, destination],
    }
  }
  const byStatus = status === null ? null : along(status, (word) => [is('status', word, 'text')])
  if (byStatus !== null && status?.values.includes('success') === false) return byStatus
  if (origin !== null) return along(origin, (id) => [chain('origin_chain_id', id)])
  if (destination !== null) return along(destination, (id) => [chain('destination_chain_id', id)])
  if (byStatus !== null) return byStatus
  if (either === null) return WHOLE_ORDER
  return {
    count: 2 * either.values.length,
    walks: () => either.values.flatMap((id) => [[chain('origin_chain_id', id)], [chain('destination_chain_id', id)]]),
    answered: [either],
  }
}

export interface Walk {
  /** Requests looked at in this window, in order: at least `seq` and the order's two columns. */
  readonly sql: string
  /** How many requests it gives at most. */
  readonly size: number
  /** Whether `sql` gives all columns, so that nothing need be joined. */
  readonly complete: boolean
  /** Whether the walk has them all, however many. */
  readonly whole: boolean
  /** Whether it keeps to the time range. */
  readonly timed: boolean
  /** Conditions that all it visits fulfil, so that they need not be asked again. */
  readonly answered: readonly RecordCondition[]
}

export interface WalkOptions {
  readonly position: RecordPosition | null
  /** Most requests to look at. */
  readonly window: number
  /** The driving words are too common to sort by anything but creation. */
  readonly manyTerms: boolean
  /** Whole rows are wanted where they cost nothing more. */
  readonly complete: boolean
}

/** What a walk gives of a request: its number and the order's columns. */
const placeOf = ({ sort }: RecordQuery, from = ''): string => {
  const { column, tie } = ORDERS[sort]
  return `${from}seq, ${from}${column}${tie === 'seq' ? '' : `, ${from}${tie}`}`
}

const columnWalk = (sql: SqlWriter, query: RecordQuery, { position, window, ...options }: WalkOptions): Walk => {
  // Only orders by creation have an index for each driver.
  const found = query.sort === 'createdAt' ? columnBranches(sql, query) : WHOLE_ORDER
  const { walks: chosen, answered } = found.count > MAX_BRANCHES ? WHOLE_ORDER : found
  const branches = chosen()
  const time = timeWalkSql(sql, query, position, 's')
  const timed = query.sort !== 'amountUsd'
  // Several walks together look at no more than one does.
  const size = Math.ceil(window / branches.length)
  const complete = options.complete && branches.length === 1
  const walks = branches.map((branch) => {
    const where = ['true', ...branch, ...time, ...afterSql(sql, query, position, 's')]
    return `(select ${complete ? 's.*' : placeOf(query, 's.')} from requests s where ${where.join(' and ')} order by ${orderSql(query, 's')} limit ${size})`
  })
  const [only] = walks
  const together = `(select * from (${walks.join(' union ')}) u order by ${orderSql(query, 'u')} limit ${size})`
  return { sql: walks.length === 1 ? (only ?? '') : together, size, complete, whole: false, timed, answered }
}

interface DrivingTerms {
  readonly terms: readonly string[]
  readonly kinds: readonly string[]
  /** The conditions that these terms are the whole of. */
  readonly answered: readonly RecordCondition[]
}

/** The words that drive a search, with the kinds of terms they may be; null when none does. */
export const drivingTerms = (query: RecordQuery): DrivingTerms | null => {
  if (query.children) return null
  for (const field of BY_TERM) {
    const by = driver(query, field)
    if (by !== null && by.values.length <= MAX_BRANCHES) {
      const answered = field === 'term' ? [by] : []
      return { terms: [...new Set(by.values.map(searchTerm))], kinds: TERM_KINDS[field] ?? [], answered }
    }
  }
  return null
}

/** Requests of ids, orders or families: so few that they are simply all taken. */
const familyWalk = (sql: SqlWriter, query: RecordQuery): Walk | null => {
  const { column, tie } = ORDERS[query.sort]
  const ids = driver(query, 'id')
  const orders = driver(query, 'orderId')
  const address = query.children ? driver(query, 'depositAddress') : null
  const isOneOf = (what: string, { values }: Driver) => sql.isOneOf(what, bytesOf(values), 'bytea')
  const self =
    ids !== null
      ? isOneOf('s.id', ids)
      : orders !== null
        ? isOneOf('s.order_id', orders)
        : address !== null
          ? `s.seq in (select t.seq from request_terms t where t.kind = 'deposit-address' and ${sql.isOneOf('t.term', address.values.map(searchTerm), 'text')})`
          : null
  if (self === null) return null
  const own = `select ${placeOf(query, 's.')}, s.id as own from requests s where ${self}`
  const children = (): string => {
    const parents = ids === null ? 's.parent_request_id in (select own from self)' : isOneOf('s.parent_request_id', ids)
    return ` union select ${placeOf(query, 's.')} from requests s where ${parents} and ${isFamily('s')}`
  }
  const all = `select ${placeOf(query)} from self${query.children ? children() : ''}`
  const most = `order by ${column} desc, ${tie} desc limit ${MOST_OF_FAMILY}`
  return {
    sql: `(with self as (${own}) ${all} ${most})`,
    size: MOST_OF_FAMILY,
    complete: false,
    whole: true,
    timed: false,
    answered: [],
  }
}

const termWalk = (
  sql: SqlWriter,
  query: RecordQuery,
  { position, window }: WalkOptions,
  { terms, kinds, answered }: DrivingTerms,
): Walk => {
  const kind = kinds.length === 0 ? 'true' : sql.isOneOf('t.kind', kinds, 'text')
  if (query.sort !== 'createdAt') {
    const all = `select t.seq from request_terms t where ${sql.isOneOf('t.term', terms, 'text')} and ${kind}`
    return {
      sql: `(select ${placeOf(query, 's.')} from requests s where s.seq in (${all}))`,
      size: window,
      complete: false,
      whole: true,
      timed: false,
      answered,
    }
  }
  const size = Math.ceil(window / terms.length)
  // A request may have a word in several places: it counts once, before the window is cut.
  const once = (inner: string, from: string) =>
    `(select distinct on (${from}.created_at, ${from}.seq) ${from}.seq, ${from}.created_at from ${inner} order by ${orderSql(query, from)} limit ${size})`
  const where = [kind, ...timeWalkSql(sql, query, position, 't'), ...afterSql(sql, query, position, 't')].join(' and ')
  const walks = terms.map((term) => once(`request_terms t where t.term = ${sql.bind(term, 'text')} and ${where}`, 't'))
  const [only] = walks
  const all = walks.length === 1 && only !== undefined ? only : once(`(${walks.join(' union all ')}) u`, 'u')
  return { sql: all, size, complete: false, whole: false, timed: true, answered }
}

/**
 * Chooses the index a search walks along: few requests named outright, else the term table, else the column that narrows
 * most, else the order itself.
 */
export const walkOf = (sql: SqlWriter, query: RecordQuery, options: WalkOptions): Walk => {
  const family = familyWalk(sql, query)
  if (family !== null) return family
  const terms = drivingTerms(query)
  if (terms !== null && (query.sort === 'createdAt' || !options.manyTerms)) return termWalk(sql, query, options, terms)
  return columnWalk(sql, query, options)
}
