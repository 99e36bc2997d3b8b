import type { PoolClient } from 'pg'
import { toBytea } from '../database/hexBytea.js'
import { wakeLane } from '../database/notifier.js'
import { collateralPosting } from '../ledger/fastFillPostings.js'
import { postLedger } from '../ledger/ledger.js'
import { UNDECIDED } from '../payout/decision/openDecisions.js'
import type { QuoteTerms } from '../quote/quoteTerms.js'
import { changeStatuses } from '../request/changeStatus.js'
import { insertRequests } from '../request/insertRequests.js'
import type { RequestStatus } from '../request/requestStatus.js'
import type { FastFillCover, FastFillState } from './fastFill.js'

/** A fast fill that is asked for. */
export interface NewFastFill {
  readonly terms: QuoteTerms
  readonly integratorId: string
  /** Whose balance covers it, in lower case. */
  readonly wallet: string
  /** What the deposit is taken to bring, origin currency. */
  readonly amount: bigint
  readonly cover: FastFillCover
  /** Unix milliseconds; without a deposit by then its collateral pays, though the order may stand longer. */
  readonly deadline: number
}

/** What became of the call: `known` where the request has one already, `filled` where its deposit was filled or is being filled. */
export type FastFillAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'known'; readonly state: FastFillState; readonly reason: string | null }
  | { readonly kind: 'filled' }
  | { readonly kind: 'over'; readonly status: RequestStatus }
  /** Something else is being done about it just now. */
  | { readonly kind: 'busy' }

/** What of a pending request may be taken over: nothing is decided for it. */
const OPEN_ACTIONS = new Set([...UNDECIDED.replaceAll("'", '').split(', '), 'await-block', 'await-deposit'])

interface Standing {
  readonly status: RequestStatus
  readonly next_action: string | null
  /** Its deposit can only be refunded. */
  readonly refund_only: boolean
  readonly fast_state: FastFillState | null
  readonly fast_reason: string | null
  readonly deposits: number
  readonly outcomes: readonly (string | null)[]
}

/**
 * Stores a fast fill in the caller's transaction: the quote becomes a request, its collateral is set aside, and the solver is woken. Of two
 * that ask at once the second finds the first; who decides its deposit meanwhile comes before this, or is refused by the database.
 * Throws what `isBalanceTooLow` knows where the balance does not cover it; nothing is to be kept of the transaction then.
 */
export const acceptFastFill = async (client: PoolClient, fill: NewFastFill, now: number): Promise<FastFillAnswer> => {
  const { terms } = fill
  const held = await client.query('select from deposits where order_id = $1 order by id for no key update', [
    toBytea(terms.orderId),
  ])
  await insertRequests(client, [{ terms, parent: null, refundReason: null }], now)
  await client.query('select from requests where id = $1 for update', [toBytea(terms.requestId)])
  // Of its own snapshot: what was committed before the locks were had counts.
  const { rows } = await client.query<Standing>(
    `select r.status, r.next_action, r.refund_reason is not null as refund_only, f.state as fast_state, f.reason as fast_reason,
       (select count(*)::int from deposits d where d.order_id = $2) as deposits,
       coalesce((select json_agg(d.outcome) from deposits d where d.request_id = r.id and d.state = 'included'), '[]') as outcomes
     from requests r left join fast_fills f on f.request_id = r.id where r.id = $1 and r.parent_request_id is null`,
    [toBytea(terms.requestId), toBytea(terms.orderId)],
  )
  const [standing] = rows
  const answer = standing === undefined ? null : judge(standing, held.rowCount ?? 0)
  if (answer?.kind !== 'accepted') return answer ?? { kind: 'busy' }
  await store(client, fill, now)
  return answer
}

const judge = (standing: Standing, held: number): FastFillAnswer => {
  const { status, next_action, fast_state, fast_reason, outcomes } = standing
  if (fast_state !== null) return { kind: 'known', state: fast_state, reason: fast_reason }
  if (status === 'success' || status === 'submitted' || outcomes.includes('fill')) return { kind: 'filled' }
  if (status === 'failure' || status === 'refund') return { kind: 'over', status }
  if (standing.refund_only || outcomes.includes('refund')) return { kind: 'over', status: 'refund' }
  const isOpen = status === 'waiting' || (status === 'pending' && OPEN_ACTIONS.has(next_action ?? ''))
  return isOpen && standing.deposits === held ? { kind: 'accepted' } : { kind: 'busy' }
}

const store = async (client: PoolClient, fill: NewFastFill, now: number): Promise<void> => {
  const { terms, wallet, cover } = fill
  const deadline = Math.min(terms.orderDeadline * 1000, fill.deadline)
  const collateral = { chainId: cover.chainId, currency: cover.currency, amount: cover.collateral }
  await postLedger(client, [collateralPosting({ requestId: terms.requestId, wallet, collateral })], now)
  await client.query(
    `insert into fast_fills (request_id, order_id, integrator_id, wallet, origin_chain_id, origin_currency, destination_chain_id, amount,
       balance_chain_id, balance_currency, worth, collateral, state, deadline, created_at, updated_at, next_action, next_action_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'queued', to_timestamp($13 / 1000.0), to_timestamp($14 / 1000.0),
       to_timestamp($14 / 1000.0), 'fill', to_timestamp($14 / 1000.0))`,
    [
      toBytea(terms.requestId),
      toBytea(terms.orderId),
      fill.integratorId,
      wallet,
      terms.origin.chainId,
      terms.origin.currency,
      terms.destination.chainId,
      fill.amount.toString(),
      cover.chainId,
      cover.currency,
      cover.worth.toString(),
      cover.collateral.toString(),
      deadline,
      now,
    ],
  )
  const next = { action: 'await-payout', at: Math.max(deadline, now) }
  await changeStatuses(client, [{ requestId: terms.requestId, to: 'pending', next }], now)
  // One that waited as pending for its deposit, or for a decision, waits for its fill now.
  await client.query(
    `update requests set next_action = 'await-payout', next_action_at = to_timestamp($2 / 1000.0), attempts = 0, trouble = null,
       trouble_since = null, features = case when 'fast_fill' = any(features) then features else features || 'fast_fill'::text end
     where id = $1`,
    [toBytea(terms.requestId), next.at],
  )
  await wakeLane(client, terms.destination.chainId)
}
