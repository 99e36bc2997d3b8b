import { type EndpointProbe, otherChain, type RestClient } from '@causeway/core/chain-kit'
import { askBlock, askNewest } from './blocks.js'
import { askedOf } from './mirrorNode.js'
import { isOfNetwork } from './mirrorPool.js'

/** How many blocks a mirror node may be behind the others: about 30 seconds. */
export const LAG_BLOCKS = 15n
/** How many blocks no honest node is ahead of most others. */
const AHEAD_BLOCKS = 1000n

/** Mirror nodes are of one network by the hash of block 0, and must agree on the block before their newest: no block ever changes. */
export const mirrorProbe = (genesisHash: string | null): EndpointProbe<RestClient> => ({
  unit: 'block',
  head: async (rest, signal) => {
    const asked = askedOf(rest, signal)
    const [network, { height, time }] = await Promise.all([isOfNetwork(asked, genesisHash), askNewest(asked)])
    if (network !== true) throw otherChain(network.serves)
    return { height, progress: height, comparable: height, time }
  },
  hashAt: async (rest, height, signal) => (await askBlock(askedOf(rest, signal), height))?.hash ?? null,
  depth: 1n,
  final: true,
  maxAhead: AHEAD_BLOCKS,
  lag: { limit: LAG_BLOCKS, reason: 'Its newest block is far behind that of the others.' },
})
