import type { PreparedAttempt, SignedAttempt } from '@causeway/core/chain'
import type { LaneContext } from '../laneContext.js'

/**
 * Signs with the lane's key; null, and a warning, when the signer is away, too slow, or signs something else (F113): the
 * payout waits and nothing of it is stored or sent. Null too for a key of before, which is not here.
 */
export const trySign = async (lane: LaneContext, prepared: PreparedAttempt): Promise<SignedAttempt | null> => {
  const { chain, signer, allocator, seed, address, log } = lane
  if (signer === null) return null
  try {
    return await chain.adapter.lane.sign(prepared, signer, allocator ?? undefined, seed ?? undefined)
  } catch (error) {
    log.warn({ chainId: chain.config.id, signer: address, err: error }, 'A signature could not be had')
    return null
  }
}
