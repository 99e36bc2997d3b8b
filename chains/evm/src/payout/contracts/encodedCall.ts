import type { Hex } from '@causeway/core'

/** A call of a contract as a transaction carries it, before nonce, gas and fees. */
export interface EncodedCall {
  readonly to: string
  readonly data: Hex
  readonly value: bigint
}
