import { askBlock, askHead } from './blocks.js'
import type { Asked } from './lighterNode.js'

/** Oldest height from which the node has all blocks, as far as `first` is concerned: `first` itself, or the height above the head. */
export const knownSince = async (asked: Asked, first: bigint): Promise<bigint> => {
  if ((await askBlock(asked, first)) !== null) return first
  return (await askHead(asked)).height + 1n
}

/** Whether a node surely has every block: it never pruned any. */
export const hasAll = async (asked: Asked): Promise<boolean> => (await askBlock(asked, 1n)) !== null
