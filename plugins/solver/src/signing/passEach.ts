import type { StoredPayout } from '@causeway/core/money-path'
import { failpoint } from '@causeway/core/plugin'

/** Passes the failpoint of each purpose among the payouts. */
export const passEach = async (payouts: readonly StoredPayout[], place: string): Promise<void> => {
  for (const purpose of new Set(payouts.map((payout) => payout.purpose))) await failpoint(`${purpose}.${place}`)
}
