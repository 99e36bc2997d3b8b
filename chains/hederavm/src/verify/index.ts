import type { VerifiableVm } from '@causeway/core/verify'
import { checkHederaDeposit } from './checkHederaDeposit.js'

/** Quotes whose deposit is on a Hedera network: one of the `vms` of `verifyQuote` (`@causeway/core/verify`). Loads no chain SDK. */
export const hederavm: VerifiableVm = {
  vmType: 'hederavm',
  protocolVmType: 'hedera-vm',
  checkDeposit: checkHederaDeposit,
}
