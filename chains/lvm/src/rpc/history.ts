import { askBlock, askHead } from './blocks.js'
import type { Asked } from './lighterNode.js'

/** Oldest height from which the node has all blocks, as far as `first` is concerned: `first` itself, or the height above the head. */
export const knownSince = async (asked: Asked, first: bigint): Promise<bigint> => {
  if ((await askBlock(asked, first)) !== null) return first
  return (await askHead(asked)).height + 1n
}

/** Whether a node has a block that is not newer than a time in seconds: blocks are pruned from the oldest on. */
export const remembersSince = async (asked: Asked, seconds: bigint): Promise<boolean> => {
  if ((await askBlock(asked, 1n)) !== null) return true
  const head = await askHead(asked)
  for (let back = 1n; back <= head.height; back *= 2n) {
    const block = await askBlock(asked, head.height - back)
    if (block === null) return false
    if (BigInt(block.time) <= seconds) return true
  }
  return false
}
