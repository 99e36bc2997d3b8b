import type { PoolClient } from 'pg'
import type { RefundFailReason } from '../../errors/failReason.js'
import { parkMoney } from '../../ledger/parkMoney.js'
import type { Hex } from '../../money/hex.js'
import { changeStatuses } from '../../request/changeStatus.js'

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
