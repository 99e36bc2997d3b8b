import type { Hex } from '@causeway/core'
import type { FeeLevel } from '../payout/fees/feeSource.js'

/** What the steps of one answer share. */
export interface StepContext {
  readonly chainId: number
  readonly fees: FeeLevel
  readonly legacy: boolean
}

export interface StepCall {
  readonly from: string
  readonly to: string
  readonly data: Hex
  readonly value?: bigint
}

/**
 * Transaction data of a step item (wire.md 1.4, A.5 evm). Amounts are decimal text, the chain id a number. It has no gas: some networks
 * (zkSync, rollups that charge for data as gas) take several times the usual gas, and the wallet estimates it when it sends.
 */
export const stepItem = (call: StepCall, { chainId, fees, legacy }: StepContext) => ({
  from: call.from,
  to: call.to,
  data: call.data,
  value: (call.value ?? 0n).toString(),
  chainId,
  maxFeePerGas: fees.maxFeePerGas.toString(),
  maxPriorityFeePerGas: (legacy ? fees.maxFeePerGas : fees.maxPriorityFeePerGas).toString(),
})
