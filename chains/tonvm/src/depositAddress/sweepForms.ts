import type { Payout, Signer, SimulationFailure } from '@causeway/core/chain'
import type { SequenceSlot } from '@causeway/core/chain-kit'
import type { PaymentForm } from '../payout/paymentForm.js'

/** Sweeps of deposit addresses, which are comments of one wallet that pays them. */
export interface SweepForms {
  /** Returns the payment that a sweep would make now, or why it would move no money. */
  plan(payout: Payout): Promise<{ readonly ok: true; readonly payment: PaymentForm } | SimulationFailure>
  /** Returns the payment of a sweep that gets a number now; null: it would move no money. */
  message(payout: Payout): Promise<PaymentForm | null>
  /** A sweep got its number. */
  begun(payout: Payout, slot: SequenceSlot): void
  /** Key of the wallet. @throws ServiceError without the seed, or if the seed does not give the wallet */
  accountSigner(seed: Uint8Array | undefined): Signer
}
