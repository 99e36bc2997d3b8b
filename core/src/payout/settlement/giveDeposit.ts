import type { PoolClient } from 'pg'

/** The deposit of a fast fill is settled: its payout, which is final, rests on that from now on, and what follows is as of any other fill. */
export const giveDeposit = async (
  client: PoolClient,
  payoutId: string,
  depositId: string,
  now: number,
): Promise<void> => {
  await client.query({
    name: 'payout_deposit',
    text: `update payouts set deposit_id = $2, updated_at = to_timestamp($3 / 1000.0) where id = $1 and state = 'final' and deposit_id is null`,
    values: [payoutId, depositId, now],
  })
}
