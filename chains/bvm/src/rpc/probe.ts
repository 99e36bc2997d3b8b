import { type EndpointProbe, otherChain } from '@causeway/core/chain-kit'
import type { BitcoinSource } from './bitcoinSource.js'

/** Blocks an endpoint may be behind the others. */
const LAG_BLOCKS = 2n
/** Blocks that no honest node is ahead of most others: a day's. */
const AHEAD_BLOCKS = 144n

/** Nodes are of the same chain by its first block, and must agree on a block `settle` blocks deep. */
export const sourceProbe = (genesisHash: string, settle: bigint): EndpointProbe<BitcoinSource> => ({
  unit: 'block',
  head: async (source) => {
    if ((await source.genesisHash()) !== genesisHash) throw otherChain()
    const { height, time } = await source.tip()
    return { height, progress: height, comparable: height, time }
  },
  hashAt: async (source, height) => (await source.blockAt(height))?.hash ?? null,
  depth: settle,
  final: false,
  maxAhead: AHEAD_BLOCKS,
  lag: { limit: LAG_BLOCKS, reason: "Its newest block is behind the others'." },
})
