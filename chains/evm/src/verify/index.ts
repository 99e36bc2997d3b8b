import type { VerifiableVm } from '@causeway/core/verify'
import { checkEvmDeposit } from './checkEvmDeposit.js'
import { checkEvmPermit } from './checkEvmPermit.js'

/** Quotes whose deposit is on an EVM chain: one of the `vms` of `verifyQuote` (`@causeway/core/verify`). Loads no chain SDK. */
export const evm: VerifiableVm = {
  vmType: 'evm',
  protocolVmType: 'ethereum-vm',
  checkDeposit: checkEvmDeposit,
  checkPermit: checkEvmPermit,
}
