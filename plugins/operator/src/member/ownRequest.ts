import type { Hex } from '@causeway/core'
import { type ExplainDeps, explainRequests, readQuotes } from '../explain/explain.js'
import type { QuoteExplanation, RequestExplanation } from '../explain/explanation.js'
import { findByIdentity, normaliseId } from '../explain/findSubjects.js'

/** Most requests that one transaction is looked through for. */
const MOST = 50

const bytes = (ids: readonly Hex[]): Buffer[] => ids.map((id) => Buffer.from(id.slice(2), 'hex'))

/** What an id leads to: a request, or a quote nobody has paid yet. */
export type OwnRequest =
  | { readonly request: RequestExplanation; readonly quote: QuoteExplanation; readonly integratorId: string | null }
  | { readonly request: null; readonly quote: QuoteExplanation; readonly integratorId: string | null }

/**
 * Which of the requests and quotes found belong to the integrator (null: to anybody), the order's own request before what came of it. It
 * is asked whatever was found, so that an id of somebody else costs what an unknown one does.
 */
const ownIds = async (
  { pool }: ExplainDeps,
  found: { readonly requestIds: readonly Hex[]; readonly quoteIds: readonly Hex[] },
  integratorId: string | null,
) => {
  const { rows } = await pool.query<{ id: Hex; paid: boolean; integrator_id: string | null }>({
    name: 'own_requests',
    text: `select '0x' || encode(id, 'hex') as id, paid, integrator_id from (
        select id, true as paid, integrator_id, parent_request_id is not null as later, created_at from requests where id = any($1)
        union all select id, false, integrator_id, true, created_at from quote_rows where id = any($2)
      ) found where $3::text is null or integrator_id = $3 order by paid desc, later, created_at limit 1`,
    values: [bytes(found.requestIds), bytes(found.quoteIds), integratorId],
  })
  return rows[0] ?? null
}

/** Finds a request by its id, its order's or a transaction of it; null: there is none, or it is somebody else's. */
export const findOwnRequest = async (
  deps: ExplainDeps,
  given: string,
  integratorId: string | null,
): Promise<OwnRequest | null> => {
  const chainIds = deps.chains.all().map(({ config }) => config.id)
  const found = await findByIdentity(deps.pool, normaliseId(given), chainIds, MOST)
  const own = await ownIds(deps, found, integratorId)
  if (own === null) return null
  if (own.paid) {
    const [request] = await explainRequests(deps, [own.id])
    return request === undefined ? null : { request, quote: request.quote, integratorId: own.integrator_id }
  }
  const [quote] = await readQuotes(deps, { quoteIds: [own.id] })
  return quote === undefined ? null : { request: null, quote, integratorId: own.integrator_id }
}
