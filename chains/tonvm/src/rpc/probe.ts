import type { ChainDeps, RpcEndpoint } from '@causeway/core/chain'
import { EndpointPool, type EndpointProbe, openEndpoints, otherChain } from '@causeway/core/chain-kit'
import type { TonSettings } from '../options.js'
import type { TonApi, TonPool } from './tonApi.js'
import { Toncenter } from './toncenter.js'
import { TonV4 } from './tonV4.js'

export interface TonPoolDeps {
  readonly endpoints: readonly RpcEndpoint[]
  readonly settings: Pick<TonSettings, 'protocols' | 'rpcTimeoutMs' | 'genesisHash'>
  readonly logger: ChainDeps['logger']
}

/** The nodes of a network, each identified by the zero state before its first answer is used. */
export const openNodes = ({ endpoints, settings, logger }: TonPoolDeps): TonPool => {
  const { protocols, rpcTimeoutMs: timeoutMs, genesisHash } = settings
  return new EndpointPool({
    logger,
    endpoints: openEndpoints<TonApi>(endpoints, {
      open: ({ http }, at) => new (protocols[at] === 'v4' ? TonV4 : Toncenter)({ url: http, timeoutMs }),
      identify: async (api, signal) => isOfNetwork(await api.newest(signal), genesisHash),
      close: (api) => api.close(),
    }),
  })
}

/** Whether a node is of the network. */
const isOfNetwork = ({ genesis }: { readonly genesis: string }, genesisHash: string | null) =>
  genesisHash === null || genesis === genesisHash || { serves: genesis }

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
