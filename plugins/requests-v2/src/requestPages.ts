import {
  type Caller,
  type ChainRegistry,
  cursorQuestion,
  type DatabasePool,
  hiddenChains,
  type KeyOwnership,
  listOf,
  loadRecordFacts,
  MAX_API_KEYS,
  ownsAs,
  type RecordContext,
  type RecordCursor,
  type RecordFacts,
  type RecordSearch,
  referrerAlone,
} from '@causeway/core/plugin'
import type { RequestsV2Query } from './query/requestsV2Query.js'
import { toRecordQuery } from './query/toRecordQuery.js'
import { type CurrentPricesDeps, currentPricesOf } from './record/currentPrices.js'
import type { RecordView } from './record/recordView.js'

export interface RequestPagesDeps extends CurrentPricesDeps {
  readonly pool: DatabasePool
  readonly chains: ChainRegistry
  readonly ownership: KeyOwnership
  readonly search: RecordSearch
  readonly context: RecordContext
  /** Made when first needed: a process that serves nothing has no secret for it. */
  cursor(): RecordCursor
}

/** Makes a record of its facts. */
export type BuildRecord<T> = (facts: RecordFacts, context: RecordContext, view: RecordView) => T

/** Pages of the two older histories, each record built from its facts when it is read. */
export class RequestPages {
  readonly #deps: RequestPagesDeps

  constructor(deps: RequestPagesDeps) {
    this.#deps = deps
  }

  /** `route` keeps a continuation of one operation from being used at another. */
  async page<T>(
    route: string,
    query: RequestsV2Query,
    caller: Caller,
    build: BuildRecord<T>,
  ): Promise<{ readonly requests: readonly T[]; readonly continuation?: string }> {
    const { search, cursor } = this.#deps
    const asked = await this.#searchOf(query, caller)
    const question = { route, ...cursorQuestion(asked, caller) }
    const after = query.continuation === undefined ? null : cursor().read(query.continuation, question)
    const { rows, next } = await search.page({ ...asked, after })
    const requests = await this.#records(rows, query, caller, build)
    return { requests, ...(next === null ? {} : { continuation: cursor().write(next, question) }) }
  }

  /** Keys that are not the caller's are refused; referrers are searched for within own keys alone (wire.md K.3 6). */
  async #searchOf(query: RequestsV2Query, caller: Caller) {
    const { chains, ownership } = this.#deps
    const hidden = hiddenChains(chains, query.privateChainsToInclude)
    // What is wrong with the query itself is told first, also without any key.
    const asked = toRecordQuery(query, { apiKeyIds: null, hiddenChains: hidden })
    if (query.apiKey === undefined) {
      if (query.referrer !== undefined) throw referrerAlone()
      return asked
    }
    const apiKeyIds = await ownership.ownedKeyIds(caller, listOf(query.apiKey, 'apiKey', MAX_API_KEYS))
    return toRecordQuery(query, { apiKeyIds, hiddenChains: hidden })
  }

  async #records<T>(
    rows: Parameters<typeof loadRecordFacts>[1],
    query: RequestsV2Query,
    caller: Caller,
    build: BuildRecord<T>,
  ): Promise<readonly T[]> {
    const { pool, context } = this.#deps
    const found = await loadRecordFacts(pool, rows)
    const page = rows.flatMap(({ id }) => found.get(id) ?? [])
    const current = await currentPricesOf(this.#deps, page)
    return page.map((facts) =>
      build(facts, context, {
        current,
        owned: ownsAs(caller, facts.integratorId),
        authenticated: query.includeAuthenticatedData === true,
        orderData: query.includeOrderData === true,
      }),
    )
  }
}
