import { type EndpointProbe, otherChain } from '@causeway/core/chain-kit'
import type { TonApi } from './tonApi.js'
import { isOfNetwork } from './tonPool.js'

/** How many masterchain blocks a node may be behind the others. */
export const LAG_BLOCKS = 15n
/** How many masterchain blocks no honest node is ahead of most others. */
const AHEAD_BLOCKS = 1000n

/** Nodes are of one network by its zero state, and must agree on the block before their newest: a masterchain block never changes. */
export const tonProbe = (genesisHash: string | null): EndpointProbe<TonApi> => ({
  unit: 'masterchain block',
  head: async (api, signal) => {
    const newest = await api.newest(signal)
    const network = isOfNetwork(newest, genesisHash)
    if (network !== true) throw otherChain(network.serves)
    const { height, time } = newest
    return { height, progress: height, comparable: height, time }
  },
  hashAt: async (api, height, signal) => (await api.block(height, signal))?.hash ?? null,
  depth: 1n,
  final: true,
  maxAhead: AHEAD_BLOCKS,
  lag: { limit: LAG_BLOCKS, reason: 'Its newest masterchain block is far behind that of the others.' },
})
