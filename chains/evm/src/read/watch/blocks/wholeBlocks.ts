import { type RpcCall, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { quantity, type RpcBlock } from '../../../rpc/wire.js'
import type { Mark } from '../cursor.js'

/** A block with its transactions. */
export const wholeBlockCall = (number: bigint): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [quantity(number), true],
})

/** Blocks that stand on each other; null where one is missing or stands on another. */
export const blocksOf = (outcomes: readonly RpcOutcome[]): readonly RpcBlock[] | null => {
  const blocks: RpcBlock[] = []
  for (const outcome of outcomes) {
    const block = resultOf<RpcBlock | null>(outcome, 'eth_getBlockByNumber')
    const before = blocks.at(-1)
    if (block === null || (before !== undefined && block.parentHash !== before.hash)) return null
    blocks.push(block)
  }
  return blocks
}

export const markOf = (block: RpcBlock): Mark => ({ number: BigInt(block.number), hash: block.hash.toLowerCase() })
