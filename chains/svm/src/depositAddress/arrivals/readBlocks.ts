/** A block that was read. */
export interface ReadBlock {
  readonly slot: bigint
  readonly hash: string
}

/** Most blocks that are remembered while the chain calls nothing final. */
const MAX_BLOCKS = 512

/**
 * With blocks read on top of others: the newest, and below it those that were not final, down to one that was; oldest first. What lies below
 * cannot leave the chain and is forgotten.
 */
export const advanced = (
  blocks: readonly ReadBlock[],
  read: readonly ReadBlock[],
  finalized: bigint,
): readonly ReadBlock[] => {
  const all = [...blocks, ...read.map(({ slot, hash }) => ({ slot, hash }))]
  const final = all.findLastIndex(({ slot }) => slot <= finalized)
  return all.slice(Math.max(0, final, all.length - MAX_BLOCKS))
}
