import type { VerifiableVm } from '@causeway/core/verify'
import { checkHyperliquidDeposit } from './checkHyperliquidDeposit.js'

/** Quotes whose deposit is on Hyperliquid: one of the `vms` of `verifyQuote` (`@causeway/core/verify`). Loads no chain SDK. */
export const hypevm: VerifiableVm = {
  vmType: 'hypevm',
  protocolVmType: 'hyperliquid-vm',
  mapsDeposits: true,
  checkDeposit: checkHyperliquidDeposit,
}
