import { type EndpointProbe, type JsonRpcNode, jsonRpcProbe, resultOf } from '@causeway/core/chain-kit'
import { evmProtocol } from './evmProtocol.js'
import { quantity, type RpcBlock } from './wire.js'

/** Seconds that an endpoint's newest block may be older than the others'. */
const LAG_SECONDS = 30n

/** Blocks that no honest node is ahead of most others. */
const AHEAD_BLOCKS = 128n

/** Nodes are of the same chain by its id, and must agree on a block `settle` blocks deep. */
export const evmProbe = (chainId: number, settle: number): EndpointProbe<JsonRpcNode> =>
  jsonRpcProbe({
    unit: 'block',
    identify: evmProtocol(chainId).identify,
    headCalls: [{ method: 'eth_getBlockByNumber', params: ['latest', false] }],
    readHead: ([latest]) => {
      const { number, timestamp } = resultOf<RpcBlock>(latest, 'eth_getBlockByNumber')
      const [height, time] = [BigInt(number), Number(timestamp)]
      return { height, progress: BigInt(time), comparable: height, time }
    },
    depth: BigInt(settle),
    final: false,
    hashCall: (height) => ({ method: 'eth_getBlockByNumber', params: [quantity(height), false] }),
    // CAST: it was read as a block.
    readHash: (result) => (result as RpcBlock).hash.toLowerCase(),
    maxAhead: AHEAD_BLOCKS,
    lag: { limit: LAG_SECONDS, reason: "Its newest block is older than the others'." },
  })
