import {
  type Caller,
  type ChainRegistry,
  type DatabasePool,
  defineRoute,
  hiddenChains,
  type KeyOwnership,
  MessageSchema,
  PreparedJson,
  type RecordCursor,
  type RecordQuery,
  type RecordSearch,
  type Route,
} from '@causeway/core'
import { badQuery } from './query/conditionValues.js'
import { RequestsQuery } from './query/requestsQuery.js'
import { asksReferrer, listOf, toRecordQuery } from './query/toRecordQuery.js'
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

const MAX_API_KEYS = 50

const requireReferrerPairing = (query: RecordQuery, apiKey: string | undefined): void => {
  if (apiKey === undefined && asksReferrer(query)) {
    throw badQuery('referrer', 'is only searched for together with apiKey: name the keys whose requests are meant')
  }
}

/** The search of a call; keys that are not the caller's are refused (wire.md K.3 3). */
const searchOf = async (deps: RequestsRouteDeps, query: RequestsQuery, caller: Caller): Promise<RecordQuery> => {
  const hidden = hiddenChains(deps.chains, query.privateChainsToInclude)
  // What is wrong with the query itself is told first, also without any key.
  const asked = toRecordQuery(query, { apiKeyIds: null, hiddenChains: hidden })
  requireReferrerPairing(asked, query.apiKey)
  if (query.apiKey === undefined) return asked
  const apiKeyIds = await deps.ownership.ownedKeyIds(caller, listOf(query.apiKey, 'apiKey', MAX_API_KEYS))
  return toRecordQuery(query, { apiKeyIds, hiddenChains: hidden })
}

/** What a continuation belongs to: the search without its place, its size, and who asks. */
const questionOf = ({ limit: _limit, after: _after, ...search }: RecordQuery, caller: Caller): object => ({
  search,
  integrator: caller.kind === 'integrator' ? caller.integratorId : null,
})

/** The answer put together from finished texts. */
const pageText = (
  records: readonly RecordOnPage[],
  more: { readonly continuation?: string; readonly total?: number },
) =>
  `{"requests":[${records.map(({ text }) => text).join(',')}]${Object.entries(more)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')}}`

/** `GET /requests/v3`: the history of requests (specification; wire.md 3.1, K.3). */
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
      const question = questionOf(asked, caller)
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
