import type { DepositAddress, Payout, Signer, SimulationFailure } from '@causeway/core/chain'
import type { PaymentForm } from './paymentForm.js'

/** Sweeps of deposit addresses, each of which has a key of its own. */
export interface SweepForms {
  /** Returns the payment that a sweep would make now, or why it would move no money. */
  plan(payout: Payout): Promise<{ readonly ok: true; readonly payment: PaymentForm } | SimulationFailure>
  /** @throws ServiceError without the seed, or if the seed does not give the address */
  signer(address: DepositAddress, seed: Uint8Array | undefined): Signer
}
