import {
  type Caller,
  type ChainRegistry,
  cursorQuestion,
  type DatabasePool,
  defineRoute,
  hiddenChains,
  type KeyOwnership,
  listOf,
  MAX_API_KEYS,
  MessageSchema,
  PreparedJson,
  type RecordCursor,
  type RecordQuery,
  type RecordSearch,
  type Route,
  referrerAlone,
} from '@causeway/core/plugin'
import { RequestsQuery } from './query/requestsQuery.js'
import { asksReferrer, toRecordQuery } from './query/toRecordQuery.js'
import { requestsPageSchema } from './recordSchema.js'
import { withOwnerFields } from './records/ownerFields.js'
import type { RecordOnPage, RecordTexts } from './records/recordTexts.js'

export interface RequestsRouteDeps {
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
const searchOf = async (deps: RequestsRouteDeps, query: RequestsQuery, caller: Caller): Promise<RecordQuery> => {
  const hidden = hiddenChains(deps.chains, query.privateChainsToInclude)
  // What is wrong with the query itself is told first, also without any key.
  const asked = toRecordQuery(query, { apiKeyIds: null, hiddenChains: hidden })
  if (query.apiKey === undefined) {
    if (asksReferrer(asked)) throw referrerAlone()
    return asked
  }
  const apiKeyIds = await deps.ownership.ownedKeyIds(caller, listOf(query.apiKey, 'apiKey', MAX_API_KEYS))
  return toRecordQuery(query, { apiKeyIds, hiddenChains: hidden })
}

/** The answer put together from finished texts. */
const pageText = (
  records: readonly RecordOnPage[],
  more: { readonly continuation?: string; readonly total?: number },
) =>
  `{"requests":[${records.map(({ text }) => text).join(',')}]${Object.entries(more)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')}}`

/** `GET /requests/v3`: the history of requests (wire.md 3.1, K.3). */
export const requestsRoute = (deps: RequestsRouteDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/requests/v3',
    summary: 'History of requests',
    description: 'Finds transfers by any fact, of everyone; owner fields are told to their owner alone.',
    tags: ['requests'],
    bucket: 'requests/v3',
    auth: 'required',
    query: RequestsQuery,
    responses: {
      200: requestsPageSchema(deps.partnerKey),
      400: MessageSchema,
      401: MessageSchema,
      403: MessageSchema,
      503: MessageSchema,
    },
    handler: async ({ query, caller }) => {
      const asked = await searchOf(deps, query, caller)
      const question = cursorQuestion(asked, caller)
      const after = query.continuation === undefined ? null : deps.cursor().read(query.continuation, question)
      const [page, total] = await Promise.all([
        deps.search.page({ ...asked, after }, deps.texts.columns),
        query.includeTotal === true ? deps.search.total(asked) : undefined,
      ])
      const records = await deps.texts.ofPage(deps.pool, page.rows)
      const shown = query.includeAuthenticatedData === true ? await withOwnerFields(deps, caller, records) : records
      return new PreparedJson(
        pageText(shown, {
          ...(page.next === null ? {} : { continuation: deps.cursor().write(page.next, question) }),
          ...(total === undefined ? {} : { total }),
        }),
      )
    },
  })
