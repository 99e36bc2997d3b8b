import type { VerifiableVm } from '@causeway/core/verify'
import { checkSvmDeposit } from './checkSvmDeposit.js'

/** Quotes whose deposit is on Solana: one of the `vms` of `verifyQuote` (`@causeway/core/verify`). Loads no chain SDK. */
export const svm: VerifiableVm = { vmType: 'svm', protocolVmType: 'solana-vm', checkDeposit: checkSvmDeposit }
