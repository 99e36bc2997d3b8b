import type { DepositAddress, Payout, Signer, SimulationFailure } from '@causeway/core/chain'
import type { SequenceSlot } from '@causeway/core/chain-kit'
import type { PaymentForm, PreparedMessage } from '../payout/paymentForm.js'

export type SweepPayment = { readonly ok: true; readonly payment: PaymentForm } | SimulationFailure

/** Sweeps of deposit addresses. */
export interface SweepForms {
  /** Returns the payment that a sweep would make now, or why it would move no money. */
  plan(payout: Payout): Promise<SweepPayment>
  /** Returns the message of a sweep, and the nanotons that go along beyond the amount; null: it would move no money now. */
  message(payout: Payout): Promise<{ readonly message: PreparedMessage; readonly attached: bigint } | null>
  /** A sweep got its number. Absent: sweeps of two addresses never take each other's money. */
  begun?(payout: Payout, slot: SequenceSlot): void
  /** Key of an address. @throws ServiceError without the seed, or if the seed does not give the address */
  signer(address: DepositAddress, seed: Uint8Array | undefined): Signer
  /** Key of the account that all addresses are comments of. @throws ServiceError without the seed, or where there is no such account */
  accountSigner(seed: Uint8Array | undefined): Signer
}
