import type { AttemptState, Payout } from '../../chain/laneAdapter.js'

/** How much of a payment reached its recipient. */
export type Arrival = 'whole' | 'part' | 'nothing'

/**
 * What a transaction that succeeded was worth (faults.md F123). A token may answer false and move nothing, or take a fee: success
 * is what arrived, wherever the chain shows it. Of a swap it is the least that the payment promises.
 */
export const arrivalOf = (
  { money, swap }: Pick<Payout, 'money' | 'swap'>,
  { paid }: Pick<AttemptState, 'paid'>,
): Arrival => {
  const due = swap?.minimumOut ?? money.amount
  if (paid === null || paid >= due) return 'whole'
  return paid > 0n ? 'part' : 'nothing'
}
