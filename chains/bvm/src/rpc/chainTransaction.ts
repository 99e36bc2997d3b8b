import type { BlockRef } from '@causeway/core/chain'
import { equalBytes } from '../address/scriptAddress.js'
import type { Outpoint } from '../payout/coins/coin.js'

export interface ChainInput {
  /** Null in a coinbase, which spends nothing. */
  readonly outpoint: Outpoint | null
  /** Null in a coinbase only: a node that cannot tell it of another one gives no answer that is used. */
  readonly previous: ChainOutput | null
  readonly sequence: number
}

export interface ChainOutput {
  readonly script: Uint8Array
  /** Satoshis. */
  readonly value: bigint
}

/** An output that an input spends. */
export interface SpentOutput extends Outpoint, ChainOutput {}

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

/** Outputs of a script that a transaction spends. */
export const spentFrom = ({ inputs }: Pick<ChainTransaction, 'inputs'>, script: Uint8Array): readonly SpentOutput[] =>
  inputs.flatMap(({ outpoint, previous }) =>
    outpoint !== null && previous !== null && equalBytes(previous.script, script) ? [{ ...outpoint, ...previous }] : [],
  )

/** Outpoints that a transaction spends. */
export const outpointsIn = ({
  inputs,
}: {
  readonly inputs: readonly Pick<ChainInput, 'outpoint'>[]
}): readonly Outpoint[] => inputs.flatMap(({ outpoint }) => outpoint ?? [])
