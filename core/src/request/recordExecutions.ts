import type { Pool, PoolClient } from 'pg'
import type { Chain } from '../chain/chainRegistry.js'
import type { DirectExecution } from '../chain/swaps.js'
import { toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import { parseTerms, type QuoteTerms } from '../quote/quoteTerms.js'
import { changeStatuses } from './changeStatus.js'
import { insertRequests } from './insertRequests.js'
import { type RequestTx, saveRequestTxs } from './requestTxs.js'

/** Terms of quotes that a user executes alone and that nobody executed yet; one statement. */
export const findDirectTerms = async (
  db: Pool | PoolClient,
  requestIds: readonly Hex[],
): Promise<Map<Hex, QuoteTerms>> => {
  if (requestIds.length === 0) return new Map()
  const { rows } = await db.query<{ terms: string }>({
    name: 'direct_terms',
    text: `select q.terms from quotes q where q.id = any($1) and not exists (select from requests r where r.id = q.id)`,
    values: [requestIds.map(toBytea)],
  })
  const terms = rows.map((row) => parseTerms(row.terms)).filter(({ direct }) => direct !== undefined)
  return new Map(terms.map((each) => [each.requestId, each]))
}

/** Whether an execution is what its quote promised: anybody may name any request's id. */
const fits = ({ adapter, config }: Chain, terms: QuoteTerms, execution: DirectExecution): boolean =>
  terms.origin.chainId === config.id &&
  terms.origin.currency === execution.currencyIn &&
  terms.destination.currency === execution.currencyOut &&
  execution.amountOut >= terms.minimumOut &&
  adapter.sameAddress(execution.recipient, terms.recipient)

const txsOf = (chainId: number, execution: DirectExecution): RequestTx[] =>
  (['in', 'out'] as const).map((direction) => ({
    requestId: execution.requestId,
    direction,
    purpose: direction === 'in' ? 'deposit' : 'fill',
    chainId,
    txId: execution.tx.id,
    position: 0,
    block: execution.block,
    fee: execution.fee,
    status: 'success',
    data: execution.txData,
    reorg: null,
  }))

/** What really moved, for the record: a swap may give another amount than was quoted. */
const saveActual = async (client: PoolClient, executions: readonly DirectExecution[]): Promise<void> => {
  if (executions.length === 0) return
  await client.query({
    name: 'direct_actual',
    text: `update request_facts f set actual = a.actual
      from jsonb_to_recordset($1::jsonb) as a(request_id text, actual text) where f.request_id = decode(a.request_id, 'hex')`,
    values: [
      JSON.stringify(
        executions.map(({ requestId, amountOut }) => ({
          request_id: requestId.slice(2),
          actual: JSON.stringify({ amountOut: amountOut.toString() }),
        })),
      ),
    ],
  })
}

/**
 * Makes requests of the quotes that users executed alone, as finished ones, in the caller's transaction. An execution that
 * is not what its quote promised, or of a quote executed before, changes nothing. Returns the requests that are new.
 */
export const recordExecutions = async (
  client: PoolClient,
  chain: Chain,
  executions: readonly DirectExecution[],
  now: number,
): Promise<readonly Hex[]> => {
  if (executions.length === 0) return []
  const known = await findDirectTerms(client, [...new Set(executions.map(({ requestId }) => requestId))])
  const done = new Map<Hex, DirectExecution>()
  for (const execution of executions) {
    const terms = known.get(execution.requestId)
    if (terms === undefined || done.has(execution.requestId) || !fits(chain, terms, execution)) continue
    done.set(execution.requestId, execution)
  }
  const requests = [...done.keys()].flatMap((id) => known.get(id) ?? [])
  await insertRequests(
    client,
    requests.map((terms) => ({ terms, parent: null, refundReason: null })),
    now,
  )
  await saveRequestTxs(
    client,
    [...done.values()].flatMap((execution) => txsOf(chain.config.id, execution)),
    now,
  )
  await saveActual(client, [...done.values()])
  const changes = requests.map(({ requestId }) => ({ requestId, to: 'success' as const }))
  return [...(await changeStatuses(client, changes, now))]
}
