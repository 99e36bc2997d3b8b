import type { VerifiableVm } from '@causeway/core/verify'
import { checkXrpDeposit } from './checkXrpDeposit.js'

/** Quotes whose deposit is on an XRP Ledger: one of the `vms` of `verifyQuote` (`@causeway/core/verify`). Loads no chain SDK. */
export const xrpvm: VerifiableVm = { vmType: 'xrpvm', protocolVmType: 'xrp-vm', checkDeposit: checkXrpDeposit }
