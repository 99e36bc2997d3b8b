import {
  type ChainRegistry,
  cursorQuestion,
  type DatabasePool,
  hiddenChains,
  type KeyOwnership,
  listOf,
  MAX_API_KEYS,
  PreparedJson,
  type RecordCondition,
  type RecordCursor,
  type RecordQuery,
  type RecordSearch,
  referrerAlone,
} from '@causeway/core/plugin'
import type { HistoryScope } from './historyScope.js'
import type { RequestsQuery } from './query/requestsQuery.js'
import { asksReferrer, toRecordQuery } from './query/toRecordQuery.js'
import { withOwnerFields } from './records/ownerFields.js'
import type { RecordOnPage, RecordTexts } from './records/recordTexts.js'

export interface HistoryDeps {
  readonly pool: DatabasePool
  readonly chains: ChainRegistry
  readonly ownership: KeyOwnership
  readonly search: RecordSearch
  readonly texts: RecordTexts
  readonly partnerKey: string
  /** Made when first needed: a process that serves nothing has no secret for it. */
  cursor(): RecordCursor
}

/** The search of a call; keys that are not the caller's are refused (wire.md K.3 3). */
export const searchOf = async (
  { chains }: Pick<HistoryDeps, 'chains'>,
  query: RequestsQuery,
  scope: HistoryScope,
): Promise<RecordQuery> => {
  const hidden = hiddenChains(chains, query.privateChainsToInclude)
  const { integratorId } = scope
  // What is wrong with the query itself is told first, also without any key.
  const asked = await withOwnKeys(toRecordQuery(query, { apiKeyIds: null, hiddenChains: hidden, integratorId }), scope)
  if (query.apiKey === undefined) {
    if (asksReferrer(asked) && !scope.seesReferrers) throw referrerAlone()
    return asked
  }
  const apiKeyIds = await scope.ownedKeyIds(listOf(query.apiKey, 'apiKey', MAX_API_KEYS))
  return { ...toRecordQuery(query, { apiKeyIds, hiddenChains: hidden, integratorId }), groups: asked.groups }
}

/** Keys in groups by their ids. Throws ServiceError FORBIDDEN for those of others, and for a caller without keys. */
const withOwnKeys = async (asked: RecordQuery, scope: HistoryScope): Promise<RecordQuery> => {
  const owned = async (one: RecordCondition): Promise<RecordCondition> => {
    if (one.field !== 'apiKey') return one
    const ids = await scope.ownedKeyIds(one.values ?? [])
    return one.values === null ? one : { ...one, values: ids }
  }
  return { ...asked, groups: await Promise.all(asked.groups.map((group) => Promise.all(group.map(owned)))) }
}

/** The answer put together from finished texts. */
const pageText = (
  records: readonly RecordOnPage[],
  more: { readonly continuation?: string; readonly total?: number },
) =>
  `{"requests":[${records.map(({ text }) => text).join(',')}]${Object.entries(more)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')}}`

/** A page of the history as a scope may see it (wire.md 3.1, K.3). */
export const historyPage = async (
  deps: HistoryDeps,
  query: RequestsQuery,
  scope: HistoryScope,
): Promise<PreparedJson> => {
  const asked = await searchOf(deps, query, scope)
  const question = cursorQuestion(asked, scope.reader)
  const after = query.continuation === undefined ? null : deps.cursor().read(query.continuation, question)
  const [page, total] = await Promise.all([
    deps.search.page({ ...asked, after }, deps.texts.columns),
    query.includeTotal === true ? deps.search.total(asked) : undefined,
  ])
  const records = await deps.texts.ofPage(deps.pool, page.rows)
  const shown = query.includeAuthenticatedData === true ? await withOwnerFields(deps, scope, records) : records
  return new PreparedJson(
    pageText(shown, {
      ...(page.next === null ? {} : { continuation: deps.cursor().write(page.next, question) }),
      ...(total === undefined ? {} : { total }),
    }),
  )
}
