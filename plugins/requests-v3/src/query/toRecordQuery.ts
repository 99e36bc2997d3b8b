import {
  badQuery,
  listOf,
  RECORD_FIELDS,
  type RecordCondition,
  type RecordField,
  type RecordQuery,
  type RecordSort,
  rangeOf,
} from '@causeway/core/plugin'
import { checkedValue } from './conditionValues.js'
import { parseFilters } from './parseFilters.js'
import type { RequestsQuery } from './requestsQuery.js'

const MAX_FEATURES = 20

/** Where something besides the query string decides. */
export interface QueryFacts {
  /** Ids of the keys of `apiKey`; null when it was not given. */
  readonly apiKeyIds: readonly string[] | null
  readonly hiddenChains: readonly number[]
  /** The only integrator whose requests are looked at; null: everybody's. */
  readonly integratorId: string | null
}

const PARAMETERS: ReadonlySet<RecordField> = new Set(
  RECORD_FIELDS.filter((field) => field !== 'hash' && field !== 'wallet' && field !== 'apiKey'),
)

type Parameter = Exclude<RecordField, 'hash' | 'wallet' | 'apiKey'>

const isParameter = (field: RecordField): field is Parameter => PARAMETERS.has(field)

const conditionsOf = (query: RequestsQuery, { apiKeyIds }: QueryFacts): readonly RecordCondition[] => [
  ...RECORD_FIELDS.flatMap((field) => {
    const value = isParameter(field) ? query[field] : undefined
    return value === undefined ? [] : [{ field, not: false, values: [checkedValue(field, String(value), field)] }]
  }),
  ...(apiKeyIds === null ? [] : [{ field: 'apiKey' as const, not: false, values: apiKeyIds }]),
]

const RANGES = {
  time: ['startTimestamp', 'endTimestamp'],
  block: ['startBlock', 'endBlock'],
  amountUsd: ['amountUsdMin', 'amountUsdMax'],
  appFeesUsd: ['appFeesAmountUsdMin', 'appFeesAmountUsdMax'],
  fillTime: ['fillTimeMin', 'fillTimeMax'],
} as const

const rangesOf = (query: RequestsQuery): RecordQuery['ranges'] => ({
  ...Object.fromEntries(
    Object.entries(RANGES).flatMap(([name, bounds]) => {
      const range = rangeOf(query, bounds)
      return range === undefined ? [] : [[name, range]]
    }),
  ),
  ...(query.originChainId === undefined ? {} : { originBlocks: true }),
})

/**
 * The search that the parameters ask for, from its beginning. Throws `INVALID_REQUEST` for a value that its parameter does
 * not allow.
 */
export const toRecordQuery = (query: RequestsQuery, facts: QueryFacts): RecordQuery => {
  if (query.hash !== undefined) {
    throw badQuery('hash', 'was removed: use term, or depositTxHash, fillTxHash or refundTxHash')
  }
  const sort: RecordSort = query.sortBy ?? 'createdAt'
  return {
    conditions: conditionsOf(query, facts),
    groups: query.filters === undefined ? [] : parseFilters(query.filters),
    ranges: rangesOf(query),
    ...(query.features === undefined ? {} : { features: listOf(query.features, 'features', MAX_FEATURES) }),
    hiddenChains: facts.hiddenChains,
    ...(facts.integratorId === null ? {} : { integratorId: facts.integratorId }),
    children: query.includeChildRequests === true && (query.id !== undefined || query.depositAddress !== undefined),
    sort,
    descending: (query.sortDirection ?? (sort === 'amountUsd' ? 'asc' : 'desc')) === 'desc',
    limit: query.limit ?? 20,
    after: null,
  }
}

/** Whether a search looks at referrers, which only the owner of the keys may (wire.md 3.1 3). */
export const asksReferrer = ({ conditions, groups }: RecordQuery): boolean =>
  [...conditions, ...groups.flat()].some(({ field }) => field === 'referrer')
