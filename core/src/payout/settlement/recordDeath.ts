import type { PoolClient } from 'pg'
import { lockDeposits } from '../../deposit/depositPresence.js'
import { adoptForOpenPayouts } from '../createPayouts.js'
import { settleDeadWithoutDeposit } from '../ground/deadWithoutDeposit.js'
import { DEPOSIT_LEFT } from '../ground/unsignedPayouts.js'
import { depositOf, type StoredPayout } from '../payoutRecord.js'
import { type LeftAttempts, recordLeft } from './recordReorg.js'

/** The proof that a generation can never land: everything a successor needs (architecture.md 3). */
export interface DeathProof {
  readonly payout: StoredPayout
  readonly proof: string
  /** Of its transactions those that were in a block, and are in none any more. */
  readonly left?: LeftAttempts
}

/** A version that the proof of death says nothing of: found on the chain, and given to the payout, since it was judged. */
export class GenerationChangedError extends Error {
  override readonly name = 'GenerationChangedError'
  constructor({ id, generation }: StoredPayout) {
    super(`Generation ${generation} of payout ${id} has another transaction than those that were proven dead.`)
  }
}

/** The generation is dead, as far as its proof says. @throws GenerationChangedError */
export const killGeneration = async (
  client: PoolClient,
  { payout, proof, left }: DeathProof,
  now: number,
): Promise<void> => {
  const { rowCount } = await client.query({
    name: 'generation_dead',
    text: `update payout_generations g set state = 'dead', proof = $3
      where g.payout_id = $1 and g.generation = $2 and g.state = 'live' and not exists (
        select from payout_attempts a where a.payout_id = $1 and a.generation = $2 and a.tx_id <> all($4::text[]))`,
    values: [payout.id, payout.generation, proof, payout.live.map(({ txId }) => txId)],
  })
  if (rowCount === 0 && payout.live.length > 0) throw new GenerationChangedError(payout)
  if (left !== undefined) await recordLeft(client, { payout, ...left }, now)
}

/**
 * The generation is dead and the payment is tried again under new guards; the time it is given begins with its next broadcast. While
 * its deposit is away from its chain nothing follows (faults.md F125).
 */
export const recordNewGeneration = async (client: PoolClient, death: DeathProof, now: number): Promise<void> => {
  const { payout } = death
  const presence = await presenceOf(client, payout)
  await killGeneration(client, death, now)
  if (presence?.onChain === false) {
    if (await markDead(client, payout, DEPOSIT_LEFT, now)) {
      await settleDeadWithoutDeposit(client, payout, { inclusion: presence.inclusion, refundReason: null }, now)
    }
    return
  }
  await client.query({
    name: 'payout_retry',
    text: `update payouts set state = 'ready', attempts = attempts + 1, next_action = 'sign', next_action_at = to_timestamp($2 / 1000.0),
      first_broadcast_at = null, trouble = null, trouble_since = null,
      data = (coalesce(data, '{}')::jsonb - 'cancelled' - 'revert')::text, updated_at = to_timestamp($2 / 1000.0) where id = $1 and state = 'signed'`,
    values: [payout.id, now],
  })
  // What was found on the chain, and was not its own while it could land, is.
  await adoptForOpenPayouts(client, payout, now)
}

/** Whether its deposit is on its chain, held until the commit; nothing for what has none. */
const presenceOf = async (client: PoolClient, { deposit }: StoredPayout) =>
  deposit === null ? undefined : (await lockDeposits(client, [deposit.id])).get(deposit.id)

/** One that is ended unsent must be unsent still: what was found on its chain since may have become its attempt. */
export const markDead = async (
  client: PoolClient,
  { id, live }: StoredPayout,
  reason: string | null,
  now: number,
): Promise<boolean> => {
  const { rowCount } = await client.query({
    name: 'payout_dead',
    text: `update payouts set state = 'dead', fail_reason = $2, next_action = null, next_action_at = null, attempts = 0,
      updated_at = to_timestamp($3 / 1000.0) where id = $1 and state = any($4)`,
    values: [id, reason, now, live.length > 0 ? ['signed', 'ready'] : ['ready']],
  })
  return rowCount === 1
}

/**
 * The fill is dead for good: its payout ends, and only in this same transaction may the outcome turn into a refund. `burnt`: it
 * reverted by the doing of its own order, which is remembered of the recipient (faults.md F124). False when it had ended before,
 * because its deposit left the chain, or was paid after all: then nothing is to follow.
 */
export const recordFillDead = async (
  client: PoolClient,
  death: DeathProof,
  now: number,
  burnt: boolean,
): Promise<boolean> => {
  await lockDeposits(client, [depositOf(death.payout).id])
  await killGeneration(client, death, now)
  if (burnt) await markBurnt(client, death.payout.id, now)
  return markDead(client, death.payout, null, now)
}

/** Its recipient is remembered for a while (faults.md F124). */
export const markBurnt = async (client: PoolClient, payoutId: string, now: number): Promise<void> => {
  await client.query({
    name: 'payout_burnt',
    text: 'update payouts set burnt_at = to_timestamp($2 / 1000.0) where id = $1',
    values: [payoutId, now],
  })
}
