import type { VerifiableVm } from '@causeway/core/verify'
import { checkTonDeposit } from './checkTonDeposit.js'

/** Quotes whose deposit is on a TON network: one of the `vms` of `verifyQuote` (`@causeway/core/verify`). Loads no chain SDK. */
export const tonvm: VerifiableVm = {
  vmType: 'tonvm',
  protocolVmType: 'ton-vm',
  checkDeposit: checkTonDeposit,
}
