import type { Pool, PoolClient } from 'pg'
import { toBytea } from '../database/hexBytea.js'
import { collateralEndedPosting } from '../ledger/fastFillPostings.js'
import { postLedger } from '../ledger/ledger.js'
import { createPayouts, type NewPayout } from '../payout/createPayouts.js'
import { type PaidOrder, type PaidOrderJson, paidJson, toPaidOrders } from '../payout/lane/paidOrders.js'
import { type DeathProof, killGeneration, markBurnt, markDead } from '../payout/settlement/recordDeath.js'
import { parseTerms, type QuoteTerms } from '../quote/quoteTerms.js'
import { changeStatuses } from '../request/changeStatus.js'
import { coveredBy, FAST_FILL_COLUMNS, type FastFill, type FastFillRow, toFastFill } from './fastFill.js'
import { giveLateDeposits, lockFastFill } from './holdFastFills.js'

/** After this an order that waits for a deposit is reported as overdue. */
const AWAIT_DEPOSIT_MS = 7 * 86_400_000

/** A fast fill that waits for the solver's decision. */
export interface QueuedFastFill {
  readonly fill: FastFill
  readonly terms: QuoteTerms
  /** Inventory is kept for its request. */
  readonly committed: boolean
  /** What paid its order in a time that this database forgot. */
  readonly paid: readonly PaidOrder[]
}

/** Fast fills that pay out on a chain, wait for a decision and are due, oldest first. */
export const findQueuedFastFills = async (
  db: Pool | PoolClient,
  destinationChainId: number,
  now: number,
  { batch, except }: { readonly batch: number; readonly except: readonly string[] },
): Promise<readonly QueuedFastFill[]> => {
  const { rows } = await db.query<FastFillRow & { terms: string; committed: boolean; paid: PaidOrderJson[] | null }>({
    name: 'fast_fills_queued',
    text: `select ${FAST_FILL_COLUMNS}, r.terms, r.committed, ${paidJson('f.order_id')} as paid
      from fast_fills f join requests r on r.id = f.request_id
      where f.destination_chain_id = $1 and f.state = 'queued' and f.next_action_at <= to_timestamp($2 / 1000.0) and f.request_id <> all($4::bytea[])
      order by f.next_action_at, f.request_id limit $3`,
    // CAST: they are named by request ids alone.
    values: [destinationChainId, now, batch, except.map((id) => toBytea(id as FastFill['requestId']))],
  })
  return rows.map((row) => ({
    fill: toFastFill(row),
    terms: parseTerms(row.terms),
    committed: row.committed,
    paid: toPaidOrders(row.paid),
  }))
}

/** A queued fast fill is looked at again later; `trouble` says why where something is wrong. */
export const putOffFastFill = async (
  db: Pool | PoolClient,
  { requestId }: Pick<FastFill, 'requestId'>,
  { at, trouble }: { readonly at: number; readonly trouble: string | null },
): Promise<void> => {
  await db.query({
    name: 'fast_fill_later',
    text: `update fast_fills set next_action_at = to_timestamp($2 / 1000.0), attempts = attempts + 1, trouble = $3
      where request_id = $1 and state = 'queued'`,
    values: [toBytea(requestId), at, trouble],
  })
}

/**
 * A queued fast fill becomes a payout, in the caller's transaction; its cause is the request, and it rests on the collateral alone. False
 * where it is not queued any more.
 */
export const startFastFill = async (
  client: PoolClient,
  { requestId }: Pick<FastFill, 'requestId'>,
  payout: Omit<NewPayout, 'cause' | 'depositId' | 'purpose'>,
  now: number,
): Promise<boolean> => {
  const { rowCount } = await client.query(
    `select from fast_fills where request_id = $1 and state = 'queued' for update`,
    [toBytea(requestId)],
  )
  if (rowCount !== 1) return false
  const cause = `request:${requestId}`
  await createPayouts(client, [{ ...payout, purpose: 'fill', depositId: null, cause }], now)
  await client.query(
    `with f as (
       update fast_fills f set state = 'filling', payout_id = p.id, next_action = 'await-payout', next_action_at = f.deadline, trouble = null,
         updated_at = to_timestamp($3 / 1000.0)
       from payouts p where f.request_id = $1 and p.purpose = 'fill' and p.cause = $2 returning f.request_id
     )
     update requests r set committed = false from f where r.id = f.request_id and r.committed`,
    [toBytea(requestId), cause, now],
  )
  return true
}

/** Why nothing was paid, and gas that the order itself burnt, in the currency of balances: the collateral pays it. */
export interface FastFillEnd {
  readonly reason: string
  readonly charge?: bigint
}

/**
 * Ends a fast fill of which nothing was paid, in the caller's transaction, before or after its payout exists: its collateral is free
 * again, and its request goes on as if it had not been: its deposit is decided, or waited for. False where it is over, or paid.
 */
export const endFastFill = async (
  client: PoolClient,
  reference: Pick<FastFill, 'requestId' | 'orderId'>,
  end: FastFillEnd,
  now: number,
): Promise<boolean> => {
  const fill = await lockFastFill(client, reference, ['queued'])
  if (fill === null) return false
  await release(client, fill, end, now)
  return true
}

/**
 * The same of one whose payout is proven dead, or was never sent. `burnt`: it reverted by the doing of its own order (faults.md F124). False
 * where the payout had ended before, or was paid after all.
 */
export const recordFastFillDead = async (
  client: PoolClient,
  death: DeathProof,
  end: FastFillEnd & { readonly burnt: boolean },
  now: number,
): Promise<boolean> => {
  const { payout } = death
  const { requestId, orderId } = payout
  const fill = requestId === null ? null : await lockFastFill(client, { requestId, orderId }, ['filling'])
  await killGeneration(client, death, now)
  if (end.burnt) await markBurnt(client, payout.id, now)
  if (!(await markDead(client, payout, null, now)) || fill === null) return false
  await release(client, fill, end, now)
  return true
}

const release = async (
  client: PoolClient,
  fill: FastFill,
  { reason, charge = 0n }: FastFillEnd,
  now: number,
): Promise<void> => {
  const { requestId, cover } = fill
  const charged = charge < cover.collateral ? charge : cover.collateral
  await postLedger(client, [collateralEndedPosting({ ...coveredBy(fill), charge: charged })], now)
  await client.query(
    `update fast_fills set state = 'ended', reason = $2, next_action = null, next_action_at = null, updated_at = to_timestamp($3 / 1000.0)
     where request_id = $1`,
    [toBytea(requestId), reason, now],
  )
  await goOn(client, fill, now)
}

/** Its deposit is decided where it is in; else it is waited for. What was told as a success stays so: its deposit is the wallet's. */
const goOn = async (client: PoolClient, { requestId }: FastFill, now: number): Promise<void> => {
  const { rows } = await client.query<{ arrived: boolean }>(
    `select exists (select from deposits d where d.request_id = r.id and d.state = 'included' and d.outcome is null) as arrived
     from requests r where r.id = $1 for update of r`,
    [toBytea(requestId)],
  )
  const arrived = rows[0]?.arrived === true
  const next = arrived ? { action: 'decide', at: now } : { action: 'await-deposit', at: now + AWAIT_DEPOSIT_MS }
  // What was submitted is pending again, and only then may wait.
  await changeStatuses(client, [{ requestId, to: 'pending', next }], now)
  if (!arrived) await changeStatuses(client, [{ requestId, to: 'waiting', next }], now)
  await client.query(
    `update requests set next_action = $2, next_action_at = to_timestamp($3 / 1000.0), attempts = 0, committed = committed and $4,
       features = array_remove(features, 'fast_fill')
     where id = $1 and status in ('pending', 'waiting')`,
    [toBytea(requestId), next.action, next.at, arrived],
  )
  await giveLateDeposits(client, [requestId])
}
