import type { PoolClient } from 'pg'
import { lockDeposits } from '../../deposit/depositPresence.js'
import { postLedger } from '../../ledger/ledger.js'
import { parkExcessPosting } from '../../ledger/postings.js'
import { createPayouts, type NewPayout } from '../createPayouts.js'
import { movePayout } from '../movePayout.js'
import { depositOf, type StoredPayout } from '../payoutRecord.js'
import { bookedBy } from './payoutPostings.js'

/**
 * Beyond any reorg. A fill whose deposit was larger than needed now returns the excess, once; not while the deposit is away from its
 * chain: should it come back, the fill is finished again (`reopenExcess`).
 */
export const recordFinal = async (
  client: PoolClient,
  payouts: readonly StoredPayout[],
  excess: readonly NewPayout[],
  now: number,
): Promise<void> => {
  const withdrawn = payouts.filter(({ purpose }) => purpose === 'withdraw').map((payout) => depositOf(payout).id)
  await Promise.all([
    markPaid(client, payouts, now),
    client.query({
      name: 'payouts_final',
      text: `update payouts set state = 'final', next_action = null, next_action_at = null,
        updated_at = to_timestamp($2 / 1000.0), attempts = 0, trouble = null, trouble_since = null where id = any($1::bigint[]) and state = 'included'`,
      values: [payouts.map(({ id }) => id), now],
    }),
    createPayouts(client, excess, now),
    markWithdrawn(client, withdrawn, now),
  ])
}

/** Fast fills among them wait for their deposits from now on. */
const markPaid = async (client: PoolClient, payouts: readonly StoredPayout[], now: number): Promise<void> => {
  const ids = payouts.filter(({ data }) => data.fastFill !== undefined).map(({ id }) => id)
  if (ids.length === 0) return
  await client.query({
    name: 'fast_fills_paid',
    text: `update fast_fills f set state = 'paid', next_action = 'await-deposit', next_action_at = f.deadline, updated_at = to_timestamp($2 / 1000.0)
      from payouts p where f.payout_id = any($1::bigint[]) and f.state = 'filling' and p.id = f.payout_id and p.state = 'included'`,
    values: [ids, now],
  })
}

/** What fills did not need and is not worth its gas is parked, but for deposits that are away from their chain now. */
export const parkExcess = async (client: PoolClient, fills: readonly StoredPayout[], now: number): Promise<void> => {
  if (fills.length === 0) return
  const presence = await lockDeposits(
    client,
    fills.map((fill) => depositOf(fill).id),
  )
  const postings = fills
    .map((fill) => ({ fill, deposit: depositOf(fill) }))
    .filter(({ deposit }) => presence.get(deposit.id)?.onChain === true)
    .map(({ fill: { id: payoutId, data }, deposit }) =>
      parkExcessPosting({ ...deposit, depositId: deposit.id, payoutId, amount: BigInt(data.excess ?? '0') }),
    )
  await postLedger(client, postings, now)
}

const markWithdrawn = async (client: PoolClient, depositIds: readonly string[], now: number): Promise<void> => {
  if (depositIds.length === 0) return
  await client.query({
    name: 'deposits_withdrawn',
    text: 'update deposits set withdrawn_at = to_timestamp($2 / 1000.0) where id = any($1::bigint[])',
    values: [depositIds, now],
  })
}

/** A withdrawal whose request somebody else submitted: booked without a transaction of ours. */
export const recordWithdrawnByOthers = async (client: PoolClient, payout: StoredPayout, now: number): Promise<void> => {
  // Before the payout's row, as the watcher locks them.
  const { id: depositId } = depositOf(payout)
  await lockDeposits(client, [depositId])
  const moved = await movePayout(client, payout.id, ['ready'], 'final', null, now)
  if (moved.rowCount === 0) return
  await postLedger(client, bookedBy(payout, payout.inclusions + 1), now)
  await markWithdrawn(client, [depositId], now)
}
