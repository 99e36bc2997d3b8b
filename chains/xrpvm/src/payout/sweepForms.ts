import type { TaggedSweeps } from '@causeway/core/chain-kit'
import type { PaymentForm } from './paymentForm.js'

/** Sweeps of deposit addresses, which are tags of one account that pays them. */
export type SweepForms = TaggedSweeps<PaymentForm>
