import type { Pool, PoolClient } from 'pg'
import type { FailReason, RefundFailReason } from '../errors/failReason.js'
import { parkMoney } from '../ledger/parkMoney.js'
import type { Hex } from '../money/hex.js'
import { parseTerms, type QuoteTerms } from '../quote/quoteTerms.js'
import { changeStatuses } from '../request/changeStatus.js'
import { createPayouts, type NewPayout } from './createPayouts.js'

/** A request whose deposit is in and whose outcome is open. */
export interface OpenDecision {
  readonly requestId: Hex
  readonly terms: QuoteTerms
  /** Known from the start: it can only be refunded. */
  readonly refundReason: FailReason | null
  readonly committed: boolean
  /** Times it was put off. */
  readonly attempts: number
  readonly deposit: {
    readonly id: string
    readonly txId: string
    readonly position: number
    readonly chainId: number
    readonly currency: string
    readonly amount: bigint
    readonly height: bigint
    /** The order id that its transaction carries: another one, or none, where an operator gave it to the request. */
    readonly orderId: Hex | null
    /** Unix milliseconds of its block. */
    readonly includedAt: number
  }
}

interface DecisionRow {
  request_id: string
  terms: string
  refund_reason: FailReason | null
  committed: boolean
  attempts: number
  deposit_id: string
  tx_id: string
  position: number
  chain_id: string
  currency: string
  amount: string
  height: string
  included_ms: string
  given: boolean
  shown_order_id: string | null
}

/** Requests paying out on a chain that wait for a decision and are due, oldest first; one statement. */
export const findOpenDecisions = async (
  db: Pool | PoolClient,
  destinationChainId: number,
  now: number,
  limit: number,
): Promise<OpenDecision[]> => {
  const { rows } = await db.query<DecisionRow>({
    name: 'decisions_open',
    text: `select encode(r.id, 'hex') as request_id, r.terms, r.refund_reason, r.committed, r.attempts, d.id::text as deposit_id, d.tx_id,
        d.position, d.chain_id::text as chain_id, d.currency, d.amount::text as amount, d.block_height::text as height,
        (extract(epoch from d.block_time) * 1000)::bigint::text as included_ms, d.given, encode(d.shown_order_id, 'hex') as shown_order_id
      from requests r join deposits d on d.request_id = r.id and d.state = 'included' and d.outcome is null
      where r.destination_chain_id = $1 and r.next_action = 'decide' and r.next_action_at <= to_timestamp($2 / 1000.0)
      order by r.next_action_at, r.seq limit $3`,
    values: [destinationChainId, now, limit],
  })
  return rows.map(toOpenDecision)
}

const toOpenDecision = (row: DecisionRow): OpenDecision => {
  const terms = parseTerms(row.terms)
  return {
    requestId: `0x${row.request_id}`,
    terms,
    refundReason: row.refund_reason,
    committed: row.committed,
    attempts: row.attempts,
    deposit: {
      id: row.deposit_id,
      txId: row.tx_id,
      position: row.position,
      chainId: Number(row.chain_id),
      currency: row.currency,
      amount: BigInt(row.amount),
      height: BigInt(row.height),
      orderId: row.given ? (row.shown_order_id === null ? null : `0x${row.shown_order_id}`) : terms.orderId,
      includedAt: Number(row.included_ms),
    },
  }
}

export type Decision =
  | { readonly kind: 'fill'; readonly open: OpenDecision; readonly payout: NewPayout }
  | {
      readonly kind: 'refund'
      readonly open: OpenDecision
      readonly reason: FailReason
      readonly details: string | null
      readonly payout: NewPayout
    }
  | {
      readonly kind: 'failure'
      readonly open: OpenDecision
      readonly reason: FailReason
      readonly refundFailReason: RefundFailReason
      readonly details: string | null
    }
  | { readonly kind: 'later'; readonly open: OpenDecision; readonly at: number }

/** While a payout works, the request's own next action is to look whether it still does. */
const WATCHDOG_MS = 600_000

/** Writes decisions in the caller's transaction. An outcome is set once, by compare-and-set: who comes second changes nothing. */
export const recordDecisions = async (
  client: PoolClient,
  decisions: readonly Decision[],
  now: number,
): Promise<void> => {
  const outcomes = decisions.flatMap((decision) =>
    decision.kind === 'fill' || decision.kind === 'refund' ? [decision] : [],
  )
  const [set] = await Promise.all([setOutcomes(client, outcomes, now), putOff(client, decisions)])
  const won = outcomes.filter(({ open }) => set.has(open.deposit.id))
  await createPayouts(
    client,
    won.map(({ payout }) => payout),
    now,
  )
  for (const decision of decisions) if (decision.kind === 'failure') await fail(client, decision, now)
}

const setOutcomes = async (
  client: PoolClient,
  decisions: readonly Extract<Decision, { kind: 'fill' | 'refund' }>[],
  now: number,
): Promise<Set<string>> => {
  if (decisions.length === 0) return new Set()
  const rows = decisions.map((decision) => ({
    deposit_id: decision.open.deposit.id,
    request_id: decision.open.requestId.slice(2),
    outcome: decision.kind,
    reason: decision.kind === 'refund' ? decision.reason : null,
    details: decision.kind === 'refund' ? decision.details : null,
  }))
  const { rows: set } = await client.query<{ id: string }>({
    name: 'outcomes_set',
    text: `with o as (
        select * from jsonb_to_recordset($1::jsonb) as o(deposit_id bigint, request_id text, outcome text, reason text, details text)
      ), d as (
        update deposits d set outcome = o.outcome, outcome_reason = o.reason, outcome_at = to_timestamp($2 / 1000.0)
        from o where d.id = o.deposit_id and d.outcome is null and d.state = 'included' returning d.id
      ), r as (
        update requests r set committed = false, fail_reason = o.reason, details = o.details, attempts = 0,
          next_action = 'await-payout', next_action_at = to_timestamp(($2 + ${WATCHDOG_MS}) / 1000.0)
        from o join d on d.id = o.deposit_id where r.id = decode(o.request_id, 'hex') and r.status = 'pending'
      )
      select id::text as id from d`,
    values: [JSON.stringify(rows), now],
  })
  return new Set(set.map(({ id }) => id))
}

const putOff = async (client: PoolClient, decisions: readonly Decision[]): Promise<void> => {
  const rows = decisions.flatMap((decision) =>
    decision.kind === 'later' ? [{ id: decision.open.requestId.slice(2), at: decision.at }] : [],
  )
  if (rows.length === 0) return
  await client.query({
    name: 'decisions_later',
    text: `update requests r set next_action_at = to_timestamp(l.at / 1000.0), attempts = r.attempts + 1
      from jsonb_to_recordset($1::jsonb) as l(id text, at bigint) where r.id = decode(l.id, 'hex') and r.next_action = 'decide'`,
    values: [JSON.stringify(rows)],
  })
}

/** No automatic refund will follow (K.2 4): the money stays visible as parked. */
const fail = async (
  client: PoolClient,
  decision: Extract<Decision, { kind: 'failure' }>,
  now: number,
): Promise<void> => {
  const { open, reason, refundFailReason, details } = decision
  const moved = await changeStatuses(
    client,
    [{ requestId: open.requestId, to: 'failure', failReason: reason, refundFailReason, details }],
    now,
  )
  if (!moved.has(open.requestId)) return
  await client.query('update requests set committed = false where id = $1', [
    Buffer.from(open.requestId.slice(2), 'hex'),
  ])
  const { id, chainId, currency, amount } = open.deposit
  await parkMoney(client, { depositId: id, chainId, currency, amount }, now)
}

/** A dead fill's deposit is refunded instead; call after `recordFillDead` in the same transaction, the database checks it. */
export const turnIntoRefund = async (
  client: PoolClient,
  turn: {
    readonly depositId: string
    readonly requestId: Hex
    readonly reason: FailReason
    readonly details: string | null
    readonly payout: NewPayout | null
    readonly refundFailReason: RefundFailReason | null
    readonly parked: { readonly chainId: number; readonly currency: string; readonly amount: bigint }
  },
  now: number,
): Promise<void> => {
  await client.query({
    name: 'outcome_refund',
    text: `update deposits set outcome = 'refund', outcome_reason = $2, outcome_at = to_timestamp($3 / 1000.0) where id = $1`,
    values: [turn.depositId, turn.reason, now],
  })
  if (turn.payout === null) {
    await changeStatuses(
      client,
      [
        {
          requestId: turn.requestId,
          to: 'failure',
          failReason: turn.reason,
          refundFailReason: turn.refundFailReason ?? 'MANUAL_REFUND_REQUIRED',
          details: turn.details,
        },
      ],
      now,
    )
    await parkMoney(client, { depositId: turn.depositId, ...turn.parked }, now)
    return
  }
  await createPayouts(client, [turn.payout], now)
  const next = { action: 'await-payout', at: now + WATCHDOG_MS }
  const { requestId, reason, details } = turn
  await changeStatuses(client, [{ requestId, to: 'pending', failReason: reason, details, next }], now)
  // One that is pending still, because its fill was never sent, does not move; the reason is kept all the same.
  await client.query({
    name: 'refund_reason',
    text: `update requests set fail_reason = $2, details = coalesce($3, details) where id = $1 and status = 'pending'`,
    values: [Buffer.from(requestId.slice(2), 'hex'), reason, details],
  })
}

/** A payout that cannot be made by itself (its recipient is blocked): the request fails and the money is parked. */
export const abandonPayout = async (
  client: PoolClient,
  payout: {
    readonly id: string
    readonly requestId: Hex | null
    readonly depositId: string
    readonly chainId: number
    readonly currency: string
    readonly amount: bigint
  },
  why: { readonly refundFailReason: RefundFailReason; readonly details: string },
  now: number,
): Promise<void> => {
  const { rowCount } = await client.query(
    `update payouts set state = 'abandoned', details = $2, next_action = null, next_action_at = null,
       updated_at = to_timestamp($3 / 1000.0) where id = $1 and state = 'ready'`,
    [payout.id, why.details.slice(0, 500), now],
  )
  if (rowCount === 0) return
  await parkMoney(client, payout, now)
  if (payout.requestId === null) return
  await changeStatuses(
    client,
    [{ requestId: payout.requestId, to: 'failure', refundFailReason: why.refundFailReason }],
    now,
  )
}
