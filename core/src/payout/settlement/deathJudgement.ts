import type { Pool, PoolClient } from 'pg'
import type { CancelReason, PayoutAction, StoredPayout } from '../payoutRecord.js'

/**
 * The live generation of a signed payout was called dead for the first time, when its chain had this height: it is judged once more
 * at `at`, Unix milliseconds, before anything follows (faults.md F122).
 */
export const recordSeemsDead = async (
  db: Pool | PoolClient,
  { id, generation }: Pick<StoredPayout, 'id' | 'generation'>,
  { height, at }: { readonly height: bigint; readonly at: number },
): Promise<void> => {
  await db.query(
    `update payouts set next_action = 'prove-dead', next_action_at = to_timestamp($2 / 1000.0),
        data = (coalesce(data, '{}')::jsonb || jsonb_build_object('seemsDead', $3::jsonb))::text
        where id = $1 and state = 'signed'`,
    [id, at, JSON.stringify({ generation, height: height.toString() })],
  )
}

/** The generation of a payout is not dead after all. */
export const forgetSeemsDead = async (db: Pool | PoolClient, payoutId: string): Promise<void> => {
  await db.query(`update payouts set data = (coalesce(data, '{}')::jsonb - 'seemsDead')::text where id = $1`, [
    payoutId,
  ])
}

/** A signed payout was judged and is not dead: what is done with it next, at `at`, Unix milliseconds. */
export const recordNotDead = async (
  db: Pool | PoolClient,
  payoutId: string,
  { action, at }: { readonly action: Extract<PayoutAction, 'track' | 'prove-dead'>; readonly at: number },
): Promise<void> => {
  await db.query(
    `update payouts set next_action = $2, next_action_at = to_timestamp($3 / 1000.0) where id = $1 and state = 'signed'`,
    [payoutId, action, at],
  )
}

/** Keeps why a generation is given up until its death is proven. */
export const rememberWhy = (db: Pool | PoolClient, payoutId: string, why: CancelReason): Promise<void> =>
  noteInData(db, payoutId, 'cancelled', why)

/** Keeps what became of the live generation until its death is proven. */
export const noteInData = async (
  db: Pool | PoolClient,
  payoutId: string,
  name: 'cancelled' | 'revert',
  text: string,
): Promise<void> => {
  await db.query(
    `update payouts set data = (coalesce(data, '{}')::jsonb || jsonb_build_object($2::text, $3::text))::text where id = $1`,
    [payoutId, name, text],
  )
}
