import type { PoolClient } from 'pg'
import { toBytea } from '../../database/hexBytea.js'
import type { FailReason, RefundFailReason } from '../../errors/failReason.js'
import { parkAll } from '../../ledger/parkMoney.js'
import { changeStatuses } from '../../request/changeStatus.js'
import { createPayouts, type NewPayout } from '../createPayouts.js'
import { isFirm } from '../ground/payoutGround.js'
import { isPaid, type PaidOrder } from '../lane/paidOrders.js'
import { WATCHDOG_MS } from '../watchdog.js'
import { callText, type FailedCall, keepFailedCalls } from './failedCalls.js'
import { type OpenDecision, UNDECIDED } from './openDecisions.js'

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
  /** Its order was filled ahead of it, on a wallet's balance: whatever comes besides is the wallet's (wire.md G.3). */
  | { readonly kind: 'credit'; readonly open: OpenDecision; readonly reason: FailReason }
  | {
      readonly kind: 'later'
      readonly open: OpenDecision
      readonly at: number
      /** What failed, for the operator; null where it merely waits. */
      readonly trouble: string | null
      /** What it waits for; absent: just to be looked at again. */
      readonly action?: 'await-settle' | 'await-release'
    }

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
  const credits = decisions.flatMap((decision) => (decision.kind === 'credit' ? [decision] : []))
  await giveToWallets(client, credits, now)
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

const CREDITED = 'The order had been filled ahead of its deposit: what came is credited to the integrator.'

/** Deposits become balance once they are settled; their requests are over. One whose fast fill ended unpaid meanwhile is decided again. */
const giveToWallets = async (
  client: PoolClient,
  credits: readonly Extract<Decision, { kind: 'credit' }>[],
  now: number,
): Promise<void> => {
  if (credits.length === 0) return
  const { rows } = await client.query<{ id: string }>({
    name: 'deposits_given',
    text: `update deposits d set holder = f.wallet from fast_fills f
      where d.id = any($1::bigint[]) and f.order_id = d.order_id and f.state in ('paid', 'debited')
        and d.state = 'included' and d.outcome is null and (d.holder is null or d.holder = f.wallet)
      returning d.id::text as id`,
    values: [credits.map(({ open }) => open.deposit.id)],
  })
  const given = new Set(rows.map(({ id }) => id))
  const over = credits.filter(({ open }) => given.has(open.deposit.id))
  await changeStatuses(
    client,
    over.map(({ open, reason }) => ({
      requestId: open.requestId,
      to: 'failure',
      failReason: reason,
      details: CREDITED,
    })),
    now,
  )
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
