import type { StoredPayout } from '@causeway/core/money-path'
import { failpoint } from '@causeway/core/plugin'

/** Passes the failpoint of each purpose among the payouts, which are of one chain. */
export const passEach = async (payouts: readonly StoredPayout[], place: string): Promise<void> => {
  const purposes = new Set(payouts.map((payout) => payout.purpose))
  for (const purpose of purposes) await failpoint(`${purpose}.${place}`, payouts[0]?.chainId)
}
