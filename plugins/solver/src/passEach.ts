import { failpoint, type StoredPayout } from '@causeway/core'

/** Passes the failpoint of each purpose among the payouts. */
export const passEach = async (payouts: readonly StoredPayout[], place: string): Promise<void> => {
  for (const purpose of new Set(payouts.map((payout) => payout.purpose))) await failpoint(`${purpose}.${place}`)
}
