import type { Pool, PoolClient } from 'pg'
import type { Chain } from '../chain/chainRegistry.js'
import { sameDestination } from '../chain/destination.js'
import type { DirectExecution, DirectFailure } from '../chain/swaps.js'
import { locatorMember } from '../chain/txLocator.js'
import { toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import { parseTerms, type QuoteTerms } from '../quote/quoteTerms.js'
import { type BalanceMove, moveOf } from './balanceMoves.js'
import { changeStatuses } from './changeStatus.js'
import { insertRequests } from './insertRequests.js'
import { type MovedAmounts, saveMoved } from './movedAmounts.js'
import { type RequestTx, saveRequestTxs } from './requestTxs.js'

/** Terms of quotes that a user executes alone, or has sent for it, and that nobody executed yet, but perhaps in vain; one statement. */
export const findDirectTerms = async (
  db: Pool | PoolClient,
  requestIds: readonly Hex[],
): Promise<Map<Hex, QuoteTerms>> => {
  if (requestIds.length === 0) return new Map()
  const { rows } = await db.query<{ terms: string }>({
    name: 'direct_terms',
    text: `select q.terms from quotes q where q.id = any($1) and not exists (
      select from requests r where r.id = q.id and r.status not in ('waiting', 'depositing') and (r.status, r.fail_reason) is distinct from ('failure', 'TRANSACTION_REVERTED'))`,
    values: [requestIds.map(toBytea)],
  })
  const terms = rows
    .map((row) => parseTerms(row.terms))
    .filter(({ direct }) => direct !== undefined && direct.kind !== 'call')
  return new Map(terms.map((each) => [each.requestId, each]))
}

/** Whether an execution is what its quote promised: anybody may name any request's id. */
const fits = ({ adapter, config }: Chain, terms: QuoteTerms, execution: DirectExecution): boolean =>
  terms.origin.chainId === config.id &&
  terms.origin.currency === execution.currencyIn &&
  terms.destination.currency === execution.currencyOut &&
  execution.amountOut >= terms.minimumPayout &&
  sameDestination(adapter, { address: execution.recipient }, terms.recipient)

type Mined = Pick<DirectExecution, 'requestId' | 'tx' | 'block' | 'fee' | 'txData'>

/** What the user gave and the recipient got; both stand beside either side of the record, as it is one transaction. */
export const executionMoves = (execution: DirectExecution): readonly BalanceMove[] => [
  ...moveOf(execution.txData.from, null, { currency: execution.currencyIn, amount: execution.amountIn }),
  ...moveOf(null, execution.recipient, { currency: execution.currencyOut, amount: execution.amountOut }),
]

/** Amounts of an execution for the record: a swap may take and give other amounts than the quote says. */
export const executedAmounts = ({ requestId, amountIn, amountOut }: DirectExecution): MovedAmounts => ({
  requestId,
  amountIn,
  amountOut,
})

const txsOf = (
  chainId: number,
  execution: Mined,
  status: 'success' | 'failure',
  moves: readonly BalanceMove[] = [],
): RequestTx[] =>
  (['in', 'out'] as const).map((direction) => ({
    requestId: execution.requestId,
    direction,
    purpose: direction === 'in' ? 'deposit' : 'fill',
    chainId,
    txId: execution.tx.id,
    ...locatorMember(execution.tx),
    position: 0,
    block: execution.block,
    fee: execution.fee,
    status,
    data: execution.txData,
    moves,
    reorg: null,
  }))

const insertAlone = (client: PoolClient, terms: readonly QuoteTerms[], now: number): Promise<void> =>
  insertRequests(
    client,
    terms.map((each) => ({ terms: each, parent: null, refundReason: null })),
    now,
  )

/**
 * Makes a request of a quote whose user's own transaction failed, as one that failed, in the caller's transaction. A request that
 * another transaction carried out stays as it is; one that failed may still be carried out.
 */
export const recordDirectFailure = async (
  client: PoolClient,
  chain: Chain,
  failure: DirectFailure,
  now: number,
): Promise<void> => {
  const { requestId, reason } = failure
  const terms = (await findDirectTerms(client, [requestId])).get(requestId)
  if (terms?.origin.chainId !== chain.config.id) return
  await insertAlone(client, [terms], now)
  await saveRequestTxs(client, txsOf(chain.config.id, failure, 'failure'), now)
  const details = `Transaction failed: ${reason ?? 'it reverted on the chain'}`.slice(0, 500)
  await changeStatuses(
    client,
    [{ requestId, to: 'failure', failReason: 'TRANSACTION_REVERTED', details, alone: true }],
    now,
  )
}

/**
 * Makes requests of the quotes that users executed alone, as finished ones, in the caller's transaction. An execution that
 * is not what its quote promised, or of a quote executed before, changes nothing; one that only failed before is carried out now. Returns the requests that are new.
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
  await insertAlone(client, requests, now)
  await saveRequestTxs(
    client,
    [...done.values()].flatMap((execution) => txsOf(chain.config.id, execution, 'success', executionMoves(execution))),
    now,
  )
  await saveMoved(client, [...done.values()].map(executedAmounts))
  // An earlier transaction may have failed.
  await client.query({
    name: 'direct_no_failure',
    text: 'update requests set fail_reason = null, details = null where id = any($1) and fail_reason is not null',
    values: [requests.map(({ requestId }) => toBytea(requestId))],
  })
  const changes = requests.map(({ requestId }) => ({ requestId, to: 'success', alone: true }) as const)
  return [...(await changeStatuses(client, changes, now))]
}
