import type { RpcEndpoint } from '@causeway/core/chain'
import { type Endpoint, type EndpointMonitor, EndpointPool, openEndpoints } from '@causeway/core/chain-kit'
import type { Logger } from 'pino'
import type { BvmSettings } from '../options.js'
import type { BitcoinSource } from './bitcoinSource.js'
import { CoreSource } from './core/coreSource.js'
import { EsploraSource } from './esplora/esploraSource.js'

/** Connections to one node at once. */
const MAX_CONNECTIONS = 16

/** One node, of either API. */
export type SourceEndpoint = Endpoint<BitcoinSource>

/** The nodes of one chain, of either API. */
export type SourcePool = EndpointPool<BitcoinSource>

/** What compares them. */
export type SourceMonitor = EndpointMonitor<BitcoinSource>

export interface SourcePoolDeps {
  readonly endpoints: readonly RpcEndpoint[]
  readonly settings: Pick<BvmSettings, 'access' | 'genesisHash' | 'rpcTimeoutMs' | 'maxAnswerBytes'>
  readonly logger: Logger
}

/** The configured nodes as a pool. They are of this chain when their first block is. */
export const openSourcePool = ({ endpoints, settings, logger }: SourcePoolDeps): SourcePool => {
  const { access, genesisHash, rpcTimeoutMs: timeoutMs, maxAnswerBytes: maxBytes } = settings
  const opened = openEndpoints<BitcoinSource>(endpoints, {
    open: ({ http: url }, at) => {
      const deps = { url, timeoutMs, maxBytes, maxConnections: MAX_CONNECTIONS }
      return access[at] === 'core' ? new CoreSource(deps) : new EsploraSource(deps)
    },
    identify: async (source) => {
      const serves = await source.genesisHash()
      return serves === genesisHash || { serves }
    },
    close: (source) => source.close(),
  })
  return new EndpointPool({ endpoints: opened, logger })
}
