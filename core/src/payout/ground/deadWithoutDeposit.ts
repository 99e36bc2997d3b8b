import type { PoolClient } from 'pg'
import { undecideDeposit } from '../../deposit/parked/undecideDeposit.js'
import type { FailReason } from '../../errors/failReason.js'
import { postLedger } from '../../ledger/ledger.js'
import { savedPosting } from '../../ledger/postings.js'
import { depositOf, type StoredPayout } from '../payoutRecord.js'

/** What a payout takes of its deposit, in the deposit's currency. */
const consumedBy = (payout: StoredPayout): bigint => {
  const { purpose, amount, fees, data } = payout
  if (purpose === 'withdraw') return 0n
  return purpose === 'fill' ? depositOf(payout).amount - BigInt(data.excess ?? '0') : amount + fees
}

/**
 * A payout whose deposit is not on its chain was proven dead: nothing follows it, and what was booked as lost by it is not. A fill
 * or a refund leaves its deposit undecided; with `refundReason` it is refunded, should it come back.
 */
export const settleDeadWithoutDeposit = async (
  client: PoolClient,
  payout: StoredPayout,
  { inclusion, refundReason }: { readonly inclusion: number; readonly refundReason: FailReason | null },
  now: number,
): Promise<void> => {
  const { id: payoutId, generation, requestId, purpose } = payout
  const { id: depositId, chainId, currency } = depositOf(payout)
  const saved = { depositId, chainId, currency, inclusion, payoutId, generation, amount: consumedBy(payout) }
  await postLedger(client, [savedPosting(saved)], now)
  if (purpose !== 'fill' && purpose !== 'refund') return
  await undecideDeposit(client, { depositId, requestId, refundReason, signed: true }, now)
}
