import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import type { DraftedPayment } from '@causeway/core/chain-kit'
import { draftedOf, type LaneSlot, refused } from '../../lane/laneTransaction.js'
import { unitLimit } from '../../payout/budget.js'
import type { FeeSource } from '../../payout/fees/feeSource.js'
import { pricedAccounts } from '../../payout/payoutFees.js'
import type { SweepForms } from './sweepForm.js'
import { noSweeps, openingCost } from './sweepSimulator.js'

export interface SweepDraftDeps {
  /** Null where the configuration has no deposit addresses. */
  readonly sweeps: SweepForms | null
  readonly fees: FeeSource
}

/**
 * A sweep of what lies at the address now. One that would move nothing is drafted without bytes: signing refuses it alone, and the
 * other payouts of the lane go on.
 */
export const draftSweep = async (
  payout: Payout,
  gas: bigint | null,
  slot: LaneSlot,
  { sweeps, fees }: SweepDraftDeps,
): Promise<DraftedPayment> => {
  const form = await (sweeps?.build(payout, slot.sequence) ?? Promise.reject(noSweeps())).catch((error: unknown) => {
    if (ServiceError.is(error)) return { refused: error.message }
    throw error
  })
  if ('refused' in form) return refused(form.refused)
  const { instructions, child } = form
  const [price, rent] = await Promise.all([fees.price(pricedAccounts(payout)), openingCost(form, fees)])
  return draftedOf(payout, slot, { instructions, child, units: unitLimit(payout, gas, false), price, rent })
}
