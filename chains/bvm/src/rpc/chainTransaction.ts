import type { BlockRef } from '@causeway/core/chain'
import type { Outpoint } from '../payout/coins/coin.js'

/** What an input spends. */
export interface PreviousOutput {
  readonly script: Uint8Array
  /** Satoshis. */
  readonly value: bigint
}

export interface ChainInput {
  /** Null in a coinbase, which spends nothing. */
  readonly outpoint: Outpoint | null
  /** Null in a coinbase only: a node that cannot tell it of another one gives no answer that is used. */
  readonly previous: PreviousOutput | null
  readonly sequence: number
}

export interface ChainOutput {
  readonly script: Uint8Array
  /** Satoshis. */
  readonly value: bigint
}

/** A transaction as nodes show it, whichever they are. */
export interface ChainTransaction {
  readonly id: string
  readonly inputs: readonly ChainInput[]
  readonly outputs: readonly ChainOutput[]
  /** Null while it waits in the mempool. */
  readonly block: BlockRef | null
}

/** Satoshis that the network took; null when the node did not tell what the inputs were worth. */
export const feePaid = ({ inputs, outputs }: ChainTransaction): bigint | null => {
  let fee = 0n
  for (const { outpoint, previous } of inputs) {
    if (outpoint === null) return 0n
    if (previous === null) return null
    fee += previous.value
  }
  return outputs.reduce((rest, { value }) => rest - value, fee)
}

/** True for a transaction that may be replaced by its own word (BIP-125 rule 1). */
export const signalsReplacement = ({ inputs }: Pick<ChainTransaction, 'inputs'>): boolean =>
  inputs.some(({ sequence }) => sequence < 0xffff_fffe)
