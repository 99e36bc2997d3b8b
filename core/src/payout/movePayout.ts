import type { PoolClient } from 'pg'
import type { PayoutAction } from './payoutRecord.js'

/** Moves a payout that is in one of the states `from`; no row where it is in another by now. */
export const movePayout = (
  client: PoolClient,
  id: string,
  from: readonly string[],
  to: string,
  next: { readonly action: PayoutAction; readonly at: number } | null,
  now: number,
) =>
  client.query({
    name: 'payout_move',
    text: `update payouts set state = $3, next_action = $4, next_action_at = to_timestamp($5 / 1000.0),
      updated_at = to_timestamp($6 / 1000.0), attempts = 0, trouble = null, trouble_since = null where id = $1 and state = any($2)`,
    values: [id, from, to, next?.action ?? null, next?.at ?? null, now],
  })
