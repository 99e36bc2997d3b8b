import type { VerifiableVm } from '@causeway/core/verify'
import { checkBvmDeposit } from './checkBvmDeposit.js'

/** Quotes whose deposit is on Bitcoin: one of the `vms` of `verifyQuote` (`@causeway/core/verify`). Loads no chain SDK. */
export const bvm: VerifiableVm = { vmType: 'bvm', protocolVmType: 'bitcoin-vm', checkDeposit: checkBvmDeposit }
