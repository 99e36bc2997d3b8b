import type { ChainDeps, RpcEndpoint } from '@causeway/core/chain'
import { EndpointPool, openEndpoints } from '@causeway/core/chain-kit'
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
export const isOfNetwork = ({ genesis }: { readonly genesis: string }, genesisHash: string | null) =>
  genesisHash === null || genesis === genesisHash || { serves: genesis }
