import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import type { DraftedPayment } from '@causeway/core/chain-kit'
import { unitLimit } from '../payout/budget.js'
import type { FeeSource } from '../payout/fees/feeSource.js'
import { pricedAccounts } from '../payout/payoutFees.js'
import type { SwapPayments } from '../payout/swapPayments.js'
import { draftedOf, type LaneSlot, refused } from './laneTransaction.js'

export interface SwapDraftDeps {
  readonly swaps: SwapPayments | null
  readonly fees: FeeSource
}

/**
 * A payment through a swap, tried on the node with the very instructions it then holds. One that cannot be proven harmless is
 * drafted without bytes: signing refuses it alone, and the other payouts of the lane go on.
 */
export const draftSwap = async (
  payout: Payout,
  slot: LaneSlot,
  { swaps, fees }: SwapDraftDeps,
): Promise<DraftedPayment> => {
  const attempt = await swaps?.attempt(payout, slot.sequence).catch(failed)
  const { form, outcome } = attempt ?? NO_SWAPS
  if (form === null || !outcome.ok) return refused(outcome.ok ? NOT_PREPARED : outcome.message)
  const { instructions, tables, escrow } = form
  const [units, price] = [unitLimit(payout, outcome.gas, false), await fees.price(pricedAccounts(payout))]
  return draftedOf(payout, slot, { instructions, tables, escrow, units, price, rent: outcome.accountCreation ?? 0n })
}

const NOT_PREPARED = 'The swap of this payment could not be prepared.'
const NO_SWAPS = { form: null, outcome: { ok: false, kind: 'revert', message: 'This chain has no swaps.' } } as const

/** A swap that cannot be drafted, for any reason, must not hold up the lane. */
const failed = (error: unknown) => {
  const message = ServiceError.is(error) ? error.message : NOT_PREPARED
  return { form: null, outcome: { ok: false, kind: 'transient', message } } as const
}
