import type { BitcoinSource, BlockHeader } from '../../rpc/bitcoinSource.js'
import type { ReadBlock } from './cursor.js'

/** The block before the first one to read: before `startHeight`, or, without one, the tip. */
export const firstBlock = async (source: BitcoinSource, startHeight: bigint | null): Promise<ReadBlock> => {
  const tip = await source.tip()
  const height = startHeight === null ? tip.height : startHeight > 0n ? startHeight - 1n : 0n
  const first = height >= tip.height ? tip : ((await source.blockAt(height)) ?? tip)
  return { height: first.height, hash: first.hash }
}

/** Newest height that was read and is still in the chain; null when the node has not come so far. */
export const commonHeight = async (
  source: BitcoinSource,
  blocks: readonly ReadBlock[],
  tip: BlockHeader,
): Promise<bigint | null> => {
  let behind = false
  for (const { height, hash } of blocks.toReversed()) {
    if (height > tip.height) {
      behind = true
      continue
    }
    const block = height === tip.height ? tip : await source.blockAt(height)
    if (block === null) return null
    // A node that only lags shows nothing else than was read before; it is left to catch up.
    if (block.hash === hash) return behind ? null : height
    behind = false
  }
  const oldest = blocks[0]?.height ?? 0n
  return oldest > 0n ? oldest - 1n : 0n
}
