import type { PoolClient } from 'pg'
import { toBytea } from '../../database/hexBytea.js'
import type { FailReason } from '../../errors/failReason.js'
import { isFilledAhead } from '../../fastFill/holdFastFills.js'
import type { Hex } from '../../money/hex.js'
import { failedBy } from '../../payout/origin/endOrigin.js'
import { changeStatuses } from '../../request/changeStatus.js'

/** An order is open for about this long; after it the request is reported as overdue. */
const AWAIT_DEPOSIT_MS = 7 * 86_400_000

export interface Undecided {
  readonly depositId: string
  readonly requestId: Hex | null
  /** Set where its fill died for a reason of its own: should the deposit come back it is refunded, and the order stays taken. */
  readonly refundReason: FailReason | null
  /** Something was signed for it and is proven dead: the request ends, as its status told more than that it waits. */
  readonly signed: boolean
}

/**
 * Takes back what was decided for a deposit that left its chain and of which nothing can land any more, in the caller's
 * transaction, which holds the deposit's row (wire.md K.2 6): the order is free, and the request waits for a deposit or, where
 * something was signed, or what was sent for its user can never be sent, fails. If the deposit comes back, it is decided anew. The
 * database refuses it while something may land.
 */
export const undecideDeposit = async (
  client: PoolClient,
  { depositId, requestId, refundReason, signed }: Undecided,
  now: number,
): Promise<void> => {
  await client.query(
    'update deposits set outcome = null, outcome_reason = null, outcome_at = null where id = $1 and outcome is not null',
    [depositId],
  )
  if (refundReason === null) {
    await client.query(
      `update orders o set consumed_by = null from deposits d
       where d.id = $1 and o.order_id = d.order_id and o.consumed_by = d.id`,
      [depositId],
    )
  }
  if (requestId === null || (await isFilledAhead(client, requestId))) return
  await client.query(
    `update requests set committed = false, refund_reason = coalesce($2, refund_reason),
       fail_reason = case when status in ('pending', 'submitted') then null else fail_reason end,
       details = case when status in ('pending', 'submitted') then null else details end where id = $1`,
    [toBytea(requestId), refundReason],
  )
  const over = await forgetFill(client, requestId)
  const next = { action: 'await-deposit', at: now + AWAIT_DEPOSIT_MS }
  const waits = !signed && refundReason === null
  const change = over ?? { to: 'waiting' as const, next }
  const moved = waits ? await changeStatuses(client, [{ requestId, ...change }], now) : new Set<Hex>()
  if (!moved.has(requestId)) {
    await changeStatuses(client, [{ requestId, to: 'failure', failReason: 'DEPOSIT_REORGED' }], now)
  }
}

/**
 * Nothing is told of its fill any more. Gives, in the same round trip, as what a request fails that has nothing to wait for, since what
 * was sent for its user can never be sent; null: nothing was, or it can. The caller holds the request's row, as whoever ends such a
 * transaction does.
 */
const forgetFill = async (client: PoolClient, requestId: Hex) => {
  const { rows } = await client.query<{ reason: FailReason; details: string }>(
    `with told as (
      update request_facts set failed_call = null where request_id = $1 and failed_call is not null
    )
    select fail_reason as reason, coalesce(details, '') as details from payouts
    where request_id = $1 and purpose = 'origin' and state = 'dead' order by id limit 1`,
    [toBytea(requestId)],
  )
  return rows[0] === undefined ? null : failedBy(rows[0])
}
