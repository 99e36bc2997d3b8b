import type { ChainDeps } from '@causeway/core/chain'
import {
  EndpointPool,
  type EndpointProbe,
  openEndpoints,
  otherChain,
  parseExactJson,
  RestClient,
} from '@causeway/core/chain-kit'
import type { HederaSettings } from '../options.js'
import { askBlock, askNewest } from './blocks.js'
import { type Asked, askedOf, type MirrorPool } from './mirrorNode.js'

/** How many blocks a mirror node may be behind the others: about 30 seconds. */
export const LAG_BLOCKS = 15n
/** How many blocks no honest node is ahead of most others. */
const AHEAD_BLOCKS = 1000n

/** The mirror nodes of a network, each identified by the hash of block 0 before its first answer is used. */
export const openMirrors = (
  { config, logger }: Pick<ChainDeps, 'config' | 'logger'>,
  { rpcTimeoutMs: timeoutMs, genesisHash }: Pick<HederaSettings, 'rpcTimeoutMs' | 'genesisHash'>,
): MirrorPool =>
  new EndpointPool({
    logger,
    endpoints: openEndpoints<RestClient>(config.rpc, {
      open: ({ http }) => new RestClient({ url: http, timeoutMs, parse: parseExactJson }),
      identify: (rest, signal) => isOfNetwork(askedOf(rest, signal), genesisHash),
      close: (rest) => rest.close(),
    }),
  })

/** Whether a node is of the network; a node that pruned block 0 is compared by newer blocks alone. */
const isOfNetwork = async (asked: Asked, genesisHash: string | null) => {
  if (genesisHash === null) return true
  const first = await askBlock(asked, 0n)
  return first === null || first.hash === genesisHash || { serves: first.hash }
}

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
