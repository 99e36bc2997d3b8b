import { originTransactionOf, type StoredPayout } from '@causeway/core/money-path'
import type { FailReason } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'

/** Why the chain refuses what a user signed, in the words of wire.md C.2. */
export const originFailReason = async ({ chain, clock }: LaneContext, payout: StoredPayout): Promise<FailReason> => {
  const origin = originTransactionOf(payout)
  if (origin.kind === 'call') return 'TRANSACTION_REVERTED'
  const { owner, expiresAt } = origin.permit.terms
  if (clock.now() > expiresAt * 1000) return 'SIGNATURE_EXPIRED'
  const { amounts } = await chain.adapter.getBalances([{ address: owner, currency: payout.currency }])
  const [balance] = amounts
  return balance !== undefined && balance !== null && balance < payout.amount
    ? 'GASLESS_PERMIT_BALANCE_TOO_LOW'
    : 'TRANSACTION_REVERTED'
}
