import type { SignedAttempt } from '@causeway/core/chain'
import { type CancelReason, rememberWhy, type StoredAttempt, type StoredPayout } from '@causeway/core/money-path'
import type { LaneContext } from '../laneContext.js'
import { trySign } from './trySign.js'

/**
 * Gives up on a payout that does not land: the signed transaction that has its guard spent for nothing, to be stored and sent, once the
 * reason is remembered. Null where none is to be sent: the signer gave no signature, or nothing can be cancelled on this chain and the
 * transaction expires by itself; once that is proven, no other follows it.
 */
export const signCancel = async (
  lane: LaneContext,
  payout: StoredPayout,
  last: StoredAttempt,
  why: CancelReason,
): Promise<SignedAttempt | null> => {
  const { pool, chain } = lane
  const calls = chain.adapter.lane
  const prepared =
    last.raw === '0x' ? await calls.cancelFound?.(last) : await calls.cancel(last, { version: last.version + 1 })
  if (prepared === null || prepared === undefined) {
    if (payout.data.cancelled === undefined) await rememberWhy(pool, payout.id, why)
    return null
  }
  const signed = await trySign(lane, prepared)
  if (signed !== null) await rememberWhy(pool, payout.id, why)
  return signed
}
