import type { Pool, PoolClient } from 'pg'
import type { Simulation } from '../chain/chainAdapter.js'
import type { Json } from '../chain/json.js'
import { locatorOf } from '../chain/txLocator.js'
import { toBytea } from '../database/hexBytea.js'
import { lockDeposits } from '../deposit/depositPresence.js'
import type { FailReason, RefundFailReason } from '../errors/failReason.js'
import { parkAll, parkMoney } from '../ledger/parkMoney.js'
import type { Hex } from '../money/hex.js'
import { parseTerms, type QuoteTerms } from '../quote/quoteTerms.js'
import { changeStatuses } from '../request/changeStatus.js'
import { createPayouts, type NewPayout } from './createPayouts.js'
import { settleDeadWithoutDeposit } from './deadWithoutDeposit.js'
import { isPaid, type PaidOrder, type PaidOrderJson, paidJson, toPaidOrders } from './paidOrders.js'
import { isFirm } from './payoutGround.js'
import type { StoredPayout } from './payoutRecord.js'

/** A request whose deposit is in and whose outcome is open. */
export interface OpenDecision {
  readonly requestId: Hex
  readonly terms: QuoteTerms
  /** Known from the start: it can only be refunded. */
  readonly refundReason: FailReason | null
  readonly committed: boolean
  /** A fill for the same recipient reverted on the chain a short while ago, by the doing of its own order. */
  readonly burnt: boolean
  /** Times it was put off. */
  readonly attempts: number
  /** The deposit's chain is halted: nothing may be decided before an operator has looked. */
  readonly halted: boolean
  /** What paid its order in a time that this database forgot. */
  readonly paid: readonly PaidOrder[]
  readonly deposit: {
    readonly id: string
    readonly txId: string
    readonly locator?: Json
    readonly position: number
    readonly chainId: number
    readonly currency: string
    readonly amount: bigint
    readonly height: bigint
    /** The order id that its transaction carries: another one, or none, where an operator gave it to the request. */
    readonly orderId: Hex | null
    /** Unix milliseconds of its block. */
    readonly includedAt: number
    /** Unix milliseconds at which the watcher stored it. */
    readonly seenAt: number
  }
}

interface DecisionRow {
  request_id: string
  terms: string
  refund_reason: FailReason | null
  committed: boolean
  burnt: boolean
  attempts: number
  deposit_id: string
  tx_id: string
  locator: string | null
  position: number
  chain_id: string
  currency: string
  amount: string
  height: string
  included_ms: string
  seen_ms: string
  given: boolean
  shown_order_id: string | null
  halted: boolean
  paid: PaidOrderJson[] | null
}

/** What a request waits for whose deposit is in and undecided. */
const UNDECIDED = `'decide', 'await-settle', 'await-release'`

/**
 * Whether the recipient of a request had a fill revert in the last $4 milliseconds. Orders with calls say nothing of those
 * without, since anyone may have calls revert that pay somebody else; among themselves only those of one depositor count.
 */
const BURNT = `exists (
          select from payouts b join deposits bd on bd.id = b.deposit_id
          where b.chain_id = r.destination_chain_id and b.recipient = r.recipient and b.burnt_at > to_timestamp(($2::bigint - $4::bigint) / 1000.0)
            and (b.data::jsonb ? 'calls') = (r.terms::jsonb ? 'calls')
            and (bd.depositor = d.depositor or not b.data::jsonb ? 'calls'))`

/** Of so many decisions one at least is for a deposit that consumed no order, where some wait. */
const SHARE_OF_UNFIT = 4

/** Due requests that consumed their order, or whose deposit never may, oldest first. */
const dueRequests = (turn: number, isChild: string, limit: string): string =>
  `(select r.id, ${turn} as turn, r.next_action_at, r.seq from requests r
        where r.destination_chain_id = $1 and r.next_action in (${UNDECIDED}) and r.next_action_at <= to_timestamp($2 / 1000.0)
          and r.id <> all($5::bytea[]) and r.parent_request_id is ${isChild}
          and exists (select from deposits d where d.request_id = r.id and d.state = 'included' and d.outcome is null)
        order by r.next_action_at, r.seq limit ${limit})`

/**
 * Requests paying out on a chain that wait for a decision and are due, oldest first; one statement. Those of deposits that may not
 * consume an order, which anyone can make by the thousand, stand behind the others and have a share of their own (faults.md F132).
 */
export const findOpenDecisions = async (
  db: Pool | PoolClient,
  destinationChainId: number,
  now: number,
  {
    batch,
    burnPauseMs,
    except = [],
  }: {
    readonly batch: number
    readonly burnPauseMs: number
    /** Requests that are left out: somebody works on them. */
    readonly except?: readonly Hex[]
  },
): Promise<OpenDecision[]> => {
  const { rows } = await db.query<DecisionRow>({
    name: 'decisions_open',
    text: `with due as (
        ${dueRequests(0, 'null', '$3')} union all ${dueRequests(1, 'not null', '$6')}
      )
      select encode(r.id, 'hex') as request_id, r.terms, r.refund_reason, r.committed, r.attempts, d.id::text as deposit_id, d.tx_id, d.locator,
        d.position, d.chain_id::text as chain_id, d.currency, d.amount::text as amount, d.block_height::text as height,
        (extract(epoch from d.block_time) * 1000)::bigint::text as included_ms,
        (extract(epoch from d.created_at) * 1000)::bigint::text as seen_ms, d.given, encode(d.shown_order_id, 'hex') as shown_order_id,
        exists (select from chain_halts h where h.chain_id = d.chain_id) as halted, ${paidJson('r.order_id')} as paid,
        ${BURNT} as burnt
      from due join requests r on r.id = due.id join deposits d on d.request_id = r.id and d.state = 'included' and d.outcome is null
      order by due.turn, due.next_action_at, due.seq`,
    values: [
      destinationChainId,
      now,
      batch,
      burnPauseMs,
      except.map((id) => toBytea(id)),
      Math.ceil(batch / SHARE_OF_UNFIT),
    ],
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
    burnt: row.burnt,
    attempts: row.attempts,
    halted: row.halted,
    paid: toPaidOrders(row.paid),
    deposit: {
      id: row.deposit_id,
      txId: row.tx_id,
      ...locatorOf(row.locator),
      position: row.position,
      chainId: Number(row.chain_id),
      currency: row.currency,
      amount: BigInt(row.amount),
      height: BigInt(row.height),
      orderId: row.given ? (row.shown_order_id === null ? null : `0x${row.shown_order_id}`) : terms.orderId,
      includedAt: Number(row.included_ms),
      seenAt: Number(row.seen_ms),
    },
  }
}

/** A fill that was refused before it was sent, as the record shows it (wire.md 3.1 failedCallData). */
export type FailedCall = NonNullable<Extract<Simulation, { ok: false }>['call']>

export type Decision =
  | { readonly kind: 'fill'; readonly open: OpenDecision; readonly payout: NewPayout; readonly recognised?: PaidOrder }
  | {
      readonly kind: 'refund'
      readonly open: OpenDecision
      readonly reason: FailReason
      readonly details: string | null
      /** The call of the fill that the chain refuses; absent or null where none was tried. */
      readonly failedCall?: FailedCall | null
      readonly payout: NewPayout
      /** What made this payment already; it becomes its attempt. */
      readonly recognised?: PaidOrder
    }
  | {
      readonly kind: 'failure'
      readonly open: OpenDecision
      readonly reason: FailReason
      readonly refundFailReason: RefundFailReason
      readonly details: string | null
      readonly failedCall?: FailedCall | null
    }
  | {
      readonly kind: 'later'
      readonly open: OpenDecision
      readonly at: number
      /** What failed, for the operator; null where it merely waits. */
      readonly trouble: string | null
      /** What it waits for; absent: just to be looked at again. */
      readonly action?: 'await-settle' | 'await-release'
    }

/** While a payout works, the request's own next action is to look whether it still does. */
const WATCHDOG_MS = 600_000

/**
 * Writes decisions in the caller's transaction. An outcome is set once, by compare-and-set: who comes second changes nothing. No
 * outcome is set for an order that was paid otherwise, unless the decision is to recognise just that payment (F120).
 */
export const recordDecisions = async (
  client: PoolClient,
  decisions: readonly Decision[],
  now: number,
): Promise<void> => {
  const outcomes = decisions.flatMap((decision) =>
    decision.kind === 'fill' || decision.kind === 'refund' ? [decision] : [],
  )
  const [set] = await Promise.all([setOutcomes(client, outcomes, now), putOff(client, decisions, now)])
  const won = outcomes.filter(({ open }) => set.has(open.deposit.id))
  await createPayouts(
    client,
    won.map(({ payout }) => payout),
    now,
  )
  const failures = decisions.flatMap((decision) => (decision.kind === 'failure' ? [decision] : []))
  await fail(client, failures, now)
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
    failed_call: decision.kind === 'refund' ? callText(decision.failedCall) : null,
    recognised: decision.recognised !== undefined,
    amount: decision.open.deposit.amount.toString(),
  }))
  const { rows: set } = await client.query<{ id: string }>({
    name: 'outcomes_set',
    text: `with o as (
        select * from jsonb_to_recordset($1::jsonb) as o(deposit_id bigint, request_id text, outcome text, reason text, details text,
          failed_call text, recognised boolean, amount numeric)
      ), d as (
        update deposits d set outcome = o.outcome, outcome_reason = o.reason, outcome_at = to_timestamp($2 / 1000.0)
        -- Of another amount it was decided by what one provider said, and that was put right meanwhile.
        from o where d.id = o.deposit_id and d.outcome is null and d.amount = o.amount and ${isFirm('d')}
          and (o.recognised or not ${isPaid('d.order_id')})
        returning d.id
      ), r as (
        update requests r set committed = false, fail_reason = o.reason, details = o.details, attempts = 0, trouble = null, trouble_since = null,
          next_action = 'await-payout', next_action_at = to_timestamp(($2 + ${WATCHDOG_MS}) / 1000.0)
        from o join d on d.id = o.deposit_id where r.id = decode(o.request_id, 'hex') and r.status = 'pending'
      ), facts as (
        update request_facts f set failed_call = o.failed_call from o join d on d.id = o.deposit_id
        where f.request_id = decode(o.request_id, 'hex') and f.failed_call is distinct from o.failed_call
      )
      select id::text as id from d`,
    values: [JSON.stringify(rows), now],
  })
  return new Set(set.map(({ id }) => id))
}

const putOff = async (client: PoolClient, decisions: readonly Decision[], now: number): Promise<void> => {
  const rows = decisions.flatMap((decision) =>
    decision.kind === 'later'
      ? [
          {
            id: decision.open.requestId.slice(2),
            at: decision.at,
            action: decision.action ?? 'decide',
            trouble: decision.trouble,
          },
        ]
      : [],
  )
  if (rows.length === 0) return
  await client.query({
    name: 'decisions_later',
    text: `update requests r set next_action = l.action, next_action_at = to_timestamp(l.at / 1000.0), attempts = r.attempts + 1,
        trouble = l.trouble,
        trouble_since = case when l.trouble is null then null else coalesce(r.trouble_since, to_timestamp($2 / 1000.0)) end
      from jsonb_to_recordset($1::jsonb) as l(id text, at bigint, action text, trouble text)
      where r.id = decode(l.id, 'hex') and r.next_action in (${UNDECIDED})`,
    values: [JSON.stringify(rows), now],
  })
}

const callText = (call: FailedCall | null | undefined): string | null =>
  call === null || call === undefined ? null : JSON.stringify(call)

/** The calls that were refused, of those decisions that have one. */
const keepFailedCalls = async (
  client: PoolClient,
  refused: readonly { readonly requestId: Hex; readonly failedCall?: FailedCall | null | undefined }[],
): Promise<void> => {
  const calls = refused.flatMap(({ requestId, failedCall }) => {
    const text = callText(failedCall)
    return text === null ? [] : [{ requestId, text }]
  })
  if (calls.length === 0) return
  await client.query(
    `update request_facts f set failed_call = c.call from unnest($1::bytea[], $2::text[]) as c(id, call) where f.request_id = c.id`,
    [calls.map(({ requestId }) => toBytea(requestId)), calls.map(({ text }) => text)],
  )
}

/** No automatic refunds will follow (K.2 4): the money stays visible as parked. So many statements however many they are. */
const fail = async (
  client: PoolClient,
  failures: readonly Extract<Decision, { kind: 'failure' }>[],
  now: number,
): Promise<void> => {
  if (failures.length === 0) return
  const changes = failures.map(({ open, reason, refundFailReason, details }) => ({
    requestId: open.requestId,
    to: 'failure' as const,
    failReason: reason,
    refundFailReason,
    details,
  }))
  const moved = await changeStatuses(client, changes, now)
  const failed = failures.filter(({ open }) => moved.has(open.requestId))
  await client.query({
    name: 'requests_uncommit',
    text: 'update requests set committed = false where id = any($1::bytea[]) and committed',
    values: [failed.map(({ open }) => toBytea(open.requestId))],
  })
  await keepFailedCalls(
    client,
    failed.map(({ open: { requestId }, failedCall }) => ({ requestId, failedCall })),
  )
  const parked = failed.map(({ open: { deposit } }) => ({ ...deposit, depositId: deposit.id }))
  await parkAll(client, parked, now)
}

/**
 * A dead fill's deposit is refunded instead; call after `recordFillDead` in the same transaction, the database checks it. A deposit
 * that is not on its chain is refunded only if it comes back (faults.md F125).
 */
export const turnIntoRefund = async (
  client: PoolClient,
  turn: {
    readonly fill: StoredPayout
    readonly requestId: Hex
    readonly reason: FailReason
    readonly details: string | null
    /** Where the fill was refused before it was sent: what was refused. */
    readonly failedCall?: FailedCall | null
    readonly payout: NewPayout | null
    readonly refundFailReason: RefundFailReason | null
  },
  now: number,
): Promise<void> => {
  const { fill } = turn
  const presence = (await lockDeposits(client, [fill.deposit.id])).get(fill.deposit.id)
  if (presence?.onChain === false) {
    const { reason: refundReason } = turn
    return settleDeadWithoutDeposit(client, fill, { inclusion: presence.inclusion, refundReason }, now)
  }
  await client.query({
    name: 'outcome_refund',
    text: `update deposits set outcome = 'refund', outcome_reason = $2, outcome_at = to_timestamp($3 / 1000.0) where id = $1`,
    values: [fill.deposit.id, turn.reason, now],
  })
  await keepFailedCalls(client, [turn])
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
    const { id: depositId, chainId, currency, amount } = fill.deposit
    await parkMoney(client, { depositId, chainId, currency, amount }, now)
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
    `update payouts set state = 'abandoned', details = $2, next_action = null, next_action_at = null, trouble = null, trouble_since = null,
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
