import type { PoolClient } from 'pg'
import { lockDeposits } from '../../deposit/depositPresence.js'
import type { FailReason, RefundFailReason } from '../../errors/failReason.js'
import { parkMoney } from '../../ledger/parkMoney.js'
import type { Hex } from '../../money/hex.js'
import { changeStatuses } from '../../request/changeStatus.js'
import { createPayouts, type NewPayout } from '../createPayouts.js'
import { settleDeadWithoutDeposit } from '../ground/deadWithoutDeposit.js'
import { depositOf, type StoredPayout } from '../payoutRecord.js'
import { WATCHDOG_MS } from '../watchdog.js'
import { type FailedCall, keepFailedCalls } from './failedCalls.js'

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
  const deposit = depositOf(fill)
  const presence = (await lockDeposits(client, [deposit.id])).get(deposit.id)
  if (presence?.onChain === false) {
    const { reason: refundReason } = turn
    return settleDeadWithoutDeposit(client, fill, { inclusion: presence.inclusion, refundReason }, now)
  }
  await client.query({
    name: 'outcome_refund',
    text: `update deposits set outcome = 'refund', outcome_reason = $2, outcome_at = to_timestamp($3 / 1000.0) where id = $1`,
    values: [deposit.id, turn.reason, now],
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
    const { id: depositId, chainId, currency, amount } = deposit
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
