import type { Payout, Signer } from '@causeway/core/chain'
import type { SweepPlan } from '../depositAddress/sweep/sweepPlans.js'
import type { PaymentForm } from './paymentForm.js'

/** What the lane has to know of deposit addresses: all of them are tags of one account, which pays its sweeps itself. */
export interface SweepForms {
  readonly account: string
  /** What sweeps an address, or why nothing of it can be moved now. @throws ServiceError as `form` */
  plan(payout: Payout): Promise<SweepPlan>
  /**
   * What sweeps an address; null where nothing of it can be moved now.
   * @throws ServiceError for a payout that is no sweep of this chain
   */
  form(payout: Payout): Promise<PaymentForm | null>
  /** A sweep got its number, and may land up to a ledger. */
  begun(payout: Payout, slot: { readonly sequence: bigint; readonly until: bigint }): void
  /** The key of the account. @throws ServiceError without the seed, or where it gives another account */
  signer(seed: Uint8Array | undefined): Signer
}
