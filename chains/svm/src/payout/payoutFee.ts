import type { FeeQuote, Payout, Simulation } from '@causeway/core'
import { NATIVE } from '../address/addresses.js'
import type { FeeSource } from '../fees/feeSource.js'
import { priorityFee, SIGNATURE_LAMPORTS } from '../fees/networkFees.js'
import type { SvmSettings } from '../options.js'
import { unitLimit } from './budget.js'

const FEE_VALID_MS = 5000

export interface PayoutFeeDeps {
  readonly fees: FeeSource
  readonly settings: Pick<SvmSettings, 'depositoryProgram'>
}

/** Signatures of a payout, and those a program has checked: each costs the same. */
export const signaturesOf = ({ purpose }: Payout): bigint => (purpose === 'withdraw' ? 2n : 1n)

/** Accounts whose use decides what a place in a block costs. */
export const pricedAccounts = ({ from }: Payout): readonly string[] => [from]

/** What the solver's lamports lose beyond the payment: signatures, reserved computation, and rent of accounts created for it. */
export const estimatePayoutFee = async (
  payout: Payout,
  simulation: Simulation | undefined,
  { fees, settings }: PayoutFeeDeps,
): Promise<FeeQuote> => {
  const simulated = simulation?.ok ? simulation : null
  const units = unitLimit(payout, simulated?.gas ?? null, settings.depositoryProgram !== null)
  const price = await fees.price(pricedAccounts(payout))
  const network = SIGNATURE_LAMPORTS * signaturesOf(payout) + priorityFee(units, price)
  const amount = network + (simulated?.accountCreation ?? 0n)
  return { network: { currency: NATIVE, amount }, validForMs: FEE_VALID_MS }
}
