import type { Json } from '@causeway/core'
import type { Payout, PreparedAttempt } from '@causeway/core/chain'
import type { EvmLane } from './lane.js'

/** Prepares payouts none of which may be left out. @throws Error where one is */
export const prepareAll = async (
  lane: EvmLane,
  payouts: readonly { readonly payout: Payout; readonly gas: bigint | null }[],
  position: Json,
): Promise<{ readonly prepared: readonly PreparedAttempt[]; readonly position: Json }> => {
  const made = await lane.prepare(payouts, position)
  const prepared = made.prepared.filter((item) => item !== null)
  if (prepared.length !== payouts.length) throw new Error('A payout was not prepared')
  return { ...made, prepared }
}
