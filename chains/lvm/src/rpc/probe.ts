import type { ChainDeps } from '@causeway/core/chain'
import {
  answerOf,
  EndpointPool,
  type EndpointProbe,
  openEndpoints,
  otherChain,
  RestClient,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import type { LighterSettings } from '../options.js'
import { askBlock, askHead } from './blocks.js'
import { type Asked, askAt, askedOf, type LighterPool } from './lighterNode.js'

/** How many blocks a node may be behind the others: blocks come several times a second. */
export const LAG_BLOCKS = 30n
/** How many blocks no honest node is ahead of most others. */
const AHEAD_BLOCKS = 10_000n

const readInfo = answerOf(Type.Object({ contract_address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }) }))

/** The API servers of an exchange, each identified by the contract that it shows before its first answer is used. */
export const openNodes = (
  { config, logger }: Pick<ChainDeps, 'config' | 'logger'>,
  { rpcTimeoutMs: timeoutMs, contractAddress }: Pick<LighterSettings, 'rpcTimeoutMs' | 'contractAddress'>,
): LighterPool =>
  new EndpointPool({
    logger,
    endpoints: openEndpoints<RestClient>(config.rpc, {
      open: ({ http }) => new RestClient({ url: http, timeoutMs }),
      identify: (rest, signal) => isOfExchange(askedOf(rest, signal), contractAddress),
      close: (rest) => rest.close(),
    }),
  })

const isOfExchange = async (asked: Asked, contract: string | null) => {
  if (contract === null) return true
  const { contract_address } = await askAt(asked, '/info', readInfo)
  return contract_address.toLowerCase() === contract || { serves: contract_address }
}

/** Nodes are of one exchange by its contract, and must agree on the block before their newest: no block ever changes. */
export const lighterProbe = (contract: string | null): EndpointProbe<RestClient> => ({
  unit: 'block',
  head: async (rest, signal) => {
    const asked = askedOf(rest, signal)
    const [exchange, { height, time }] = await Promise.all([isOfExchange(asked, contract), askHead(asked)])
    if (exchange !== true) throw otherChain(exchange.serves)
    return { height, progress: height, comparable: height, time }
  },
  hashAt: async (rest, height, signal) => (await askBlock(askedOf(rest, signal), height))?.hash ?? null,
  depth: 1n,
  final: true,
  maxAhead: AHEAD_BLOCKS,
  lag: { limit: LAG_BLOCKS, reason: 'Its newest block is far behind that of the others.' },
})
