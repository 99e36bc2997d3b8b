import { type RecordCondition, type RecordField, type RecordQuery, rangeOf } from '@causeway/core/plugin'
import type { RequestsV2Query } from './requestsV2Query.js'

/** Where something besides the query string decides. */
export interface QueryFacts {
  /** Ids of the keys of `apiKey`; null when it was not given. */
  readonly apiKeyIds: readonly string[] | null
  readonly hiddenChains: readonly number[]
}

/** Statuses that show as `pending` (wire.md K.3 6). */
const PENDING = ['pending', 'depositing', 'submitted'] as const

const chainIdOf = ({ chainId, originChainId, destinationChainId }: RequestsV2Query): string | undefined =>
  originChainId === undefined && destinationChainId === undefined ? chainId : undefined

const conditionsOf = (query: RequestsV2Query, { apiKeyIds }: QueryFacts): readonly RecordCondition[] => {
  const values: Partial<Record<RecordField, string | number | readonly string[] | null | undefined>> = {
    id: query.id,
    orderId: query.orderId,
    hash: query.hash,
    wallet: query.user,
    depositAddress: query.depositAddress,
    originChainId: query.originChainId,
    destinationChainId: query.destinationChainId,
    chainId: chainIdOf(query),
    referrer: query.referrer,
    status: query.status === 'pending' ? PENDING : query.status,
    apiKey: apiKeyIds,
  }
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : // CAST: the keys are those of the record above.
        [{ field: name as RecordField, not: false, values: [value].flat().map(String) }],
  )
}

/** The search that the parameters ask for, from its beginning. Throws `INVALID_REQUEST` for bounds the wrong way round. */
export const toRecordQuery = (query: RequestsV2Query, facts: QueryFacts): RecordQuery => {
  const time = rangeOf(query, ['startTimestamp', 'endTimestamp'])
  const block = rangeOf(query, ['startBlock', 'endBlock'])
  return {
    conditions: conditionsOf(query, facts),
    groups: [],
    ranges: {
      ...(time === undefined ? {} : { time }),
      ...(block === undefined ? {} : { block, originBlocks: true }),
    },
    hiddenChains: facts.hiddenChains,
    children: query.includeChildRequests === true && (query.id !== undefined || query.depositAddress !== undefined),
    sort: query.sortBy === 'updatedAt' ? 'updatedAt' : 'createdAt',
    descending: query.sortDirection !== 'asc',
    limit: query.limit ?? 20,
    after: null,
  }
}
