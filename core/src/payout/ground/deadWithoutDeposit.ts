import type { PoolClient } from 'pg'
import { undecideDeposit } from '../../deposit/parked/undecideDeposit.js'
import type { FailReason } from '../../errors/failReason.js'
import { postLedger } from '../../ledger/ledger.js'
import { savedPosting } from '../../ledger/postings.js'
import type { StoredPayout } from '../payoutRecord.js'

type Consuming = Pick<StoredPayout, 'purpose' | 'amount' | 'fees' | 'data' | 'deposit'>

/** What a payout takes of its deposit, in the deposit's currency. */
const consumedBy = ({ purpose, amount, fees, data, deposit }: Consuming): bigint => {
  if (purpose === 'withdraw') return 0n
  return purpose === 'fill' ? deposit.amount - BigInt(data.excess ?? '0') : amount + fees
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
  const { id: payoutId, generation, deposit, requestId, purpose } = payout
  const { id: depositId, chainId, currency } = deposit
  const saved = { depositId, chainId, currency, inclusion, payoutId, generation, amount: consumedBy(payout) }
  await postLedger(client, [savedPosting(saved)], now)
  if (purpose !== 'fill' && purpose !== 'refund') return
  await undecideDeposit(client, { depositId, requestId, refundReason, signed: true }, now)
}
