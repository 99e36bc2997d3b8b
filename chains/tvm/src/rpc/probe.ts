import type { ChainDeps } from '@causeway/core/chain'
import {
  EndpointPool,
  type EndpointProbe,
  openEndpoints,
  otherChain,
  parseExactJson,
  RestClient,
} from '@causeway/core/chain-kit'
import type { TronSettings } from '../options.js'
import { askBlock, askHead } from './blocks.js'
import { type Asked, askedOf, type TronPool } from './tronNode.js'

/** How many blocks a node may be behind the others: half a minute. */
export const LAG_BLOCKS = 10n
/** How many blocks no honest node is ahead of most others. */
const AHEAD_BLOCKS = 1000n

type PoolDeps = Pick<ChainDeps, 'config' | 'logger' | 'environment'>

/** The full nodes of a network, each identified by its first block before its first answer is used. */
export const openNodes = (
  { config, logger, environment }: PoolDeps,
  {
    rpcTimeoutMs: timeoutMs,
    genesisHash,
    apiKeyVariables,
  }: Pick<TronSettings, 'rpcTimeoutMs' | 'genesisHash' | 'apiKeyVariables'>,
): TronPool =>
  new EndpointPool({
    logger,
    endpoints: openEndpoints<RestClient>(config.rpc, {
      open: ({ http }, at) => {
        const variable = apiKeyVariables[at] ?? null
        const key = variable === null ? undefined : environment.read(variable)
        const headers = key === undefined ? {} : { 'TRON-PRO-API-KEY': key }
        return new RestClient({ url: http, timeoutMs, parse: parseExactJson, headers })
      },
      identify: (rest, signal) => isOfNetwork(askedOf(rest, signal), genesisHash),
      close: (rest) => rest.close(),
    }),
  })

/** Whether a node is of the network; a node without the first block is compared by newer blocks alone. */
const isOfNetwork = async (asked: Asked, genesisHash: string | null) => {
  if (genesisHash === null) return true
  const first = await askBlock(asked, 0n)
  return first === null || first.hash === genesisHash || { serves: first.hash }
}

/** Nodes are of one network by its first block, and must agree on a solidified block. */
export const tronProbe = (genesisHash: string | null, settle: number): EndpointProbe<RestClient> => ({
  unit: 'block',
  head: async (rest, signal) => {
    const asked = askedOf(rest, signal)
    const [network, { height, time }] = await Promise.all([isOfNetwork(asked, genesisHash), askHead(asked)])
    if (network !== true) throw otherChain(network.serves)
    return { height, progress: height, comparable: height, time }
  },
  hashAt: async (rest, height, signal) => (await askBlock(askedOf(rest, signal), height))?.hash ?? null,
  depth: BigInt(settle),
  final: false,
  maxAhead: AHEAD_BLOCKS,
  lag: { limit: LAG_BLOCKS, reason: 'Its newest block is far behind that of the others.' },
})
