import type { VerifiableVm } from '@causeway/core/verify'
import { checkLighterDeposit } from './checkLighterDeposit.js'

/** Quotes whose deposit is on Lighter: one of the `vms` of `verifyQuote` (`@causeway/core/verify`). Loads no chain SDK. */
export const lvm: VerifiableVm = { vmType: 'lvm', protocolVmType: 'lighter-vm', checkDeposit: checkLighterDeposit }
