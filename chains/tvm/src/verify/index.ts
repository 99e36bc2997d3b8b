import type { VerifiableVm } from '@causeway/core/verify'
import { checkTronDeposit } from './checkTronDeposit.js'

/** Quotes whose deposit is on a Tron network: one of the `vms` of `verifyQuote` (`@causeway/core/verify`). Loads no chain SDK. */
export const tvm: VerifiableVm = {
  vmType: 'tvm',
  protocolVmType: 'tron-vm',
  checkDeposit: checkTronDeposit,
}
