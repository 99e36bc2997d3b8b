import type { ChainDeps, RpcEndpoint } from '@causeway/core/chain'
import { EndpointPool, openEndpoints, RestClient } from '@causeway/core/chain-kit'
import { askGenesis } from './blocks.js'
import { parseExactJson } from './exactJson.js'
import { type Asked, askedOf, type MirrorPool } from './mirrorNode.js'

export interface MirrorPoolDeps {
  readonly endpoints: readonly RpcEndpoint[]
  readonly timeoutMs: number
  /** Hash of block 0 of the network; null: not compared. */
  readonly genesisHash: string | null
  readonly logger: ChainDeps['logger']
}

/** The mirror nodes of a network, each identified by the hash of block 0 before its first answer is used. */
export const openMirrors = ({ endpoints, timeoutMs, genesisHash, logger }: MirrorPoolDeps): MirrorPool =>
  new EndpointPool({
    logger,
    endpoints: openEndpoints<RestClient>(endpoints, {
      open: ({ http }) => new RestClient({ url: http, timeoutMs, parse: parseExactJson }),
      identify: (rest, signal) => isOfNetwork(askedOf(rest, signal), genesisHash),
      close: (rest) => rest.close(),
    }),
  })

/** Whether a node is of the network; a node that pruned block 0 is compared by newer blocks alone. */
export const isOfNetwork = async (asked: Asked, genesisHash: string | null) => {
  if (genesisHash === null) return true
  const found = await askGenesis(asked)
  return found === null || found === genesisHash || { serves: found }
}
