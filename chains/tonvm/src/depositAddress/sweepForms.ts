import type { DepositAddress, Payout, Signer, SimulationFailure } from '@causeway/core/chain'
import type { PayingAccountsDeps, SequenceSlot } from '@causeway/core/chain-kit'
import type { PaymentForm } from '../payout/paymentForm.js'

/** Sweeps of deposit addresses: of wallets with a key each, whose requests the solver carries, or of comments of one wallet. */
export interface SweepForms {
  /** Returns the payment that a sweep would make now, or why it would move no money. */
  plan(payout: Payout): Promise<{ readonly ok: true; readonly payment: PaymentForm } | SimulationFailure>
  /** A sweep got its number; absent where balances alone tell what an address holds. */
  readonly begun?: (payout: Payout, slot: SequenceSlot) => void
  /** The one wallet that all addresses share; null: each has its own. */
  readonly shared: PayingAccountsDeps['deposits']
  /** Key of an address of its own. @throws ServiceError without the seed, or if the seed does not give the address */
  signer(address: DepositAddress, seed: Uint8Array | undefined): Signer
}
