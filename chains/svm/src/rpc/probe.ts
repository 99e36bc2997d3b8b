import { type EndpointProbe, type JsonRpcNode, jsonRpcProbe, resultOf } from '@causeway/core/chain-kit'
import { clockCall, readClock } from './clock.js'
import { svmProtocol } from './protocol.js'
import {
  blockCall,
  epochCall,
  latestBlockhashCall,
  type RpcAccount,
  type RpcBlock,
  type RpcContext,
  type RpcEpochInfo,
  type RpcLatestBlockhash,
} from './wire.js'

/** How far an endpoint may be behind the others: about 30 seconds. */
const LAG_SLOTS = 75n

/** Slots that no honest node is ahead of most others. */
const AHEAD_SLOTS = 512n

/** Nodes are of the same chain by its genesis, and must agree on a finalized block. Their head is the confirmed slot. */
export const svmProbe = (genesisHash: string): EndpointProbe<JsonRpcNode> =>
  jsonRpcProbe({
    unit: 'slot',
    identify: svmProtocol(genesisHash).identify,
    headCalls: [latestBlockhashCall('confirmed'), epochCall('finalized'), clockCall('confirmed')],
    readHead: ([confirmed, finalized, clock]) => {
      const { context } = resultOf<RpcContext<RpcLatestBlockhash>>(confirmed, 'getLatestBlockhash')
      const height = BigInt(context.slot)
      return {
        height,
        progress: height,
        comparable: BigInt(resultOf<RpcEpochInfo>(finalized, 'getEpochInfo').absoluteSlot),
        // CAST: an answered getAccountInfo is an account or null, in a context.
        time: clock?.ok ? readClock(clock.result as RpcContext<RpcAccount | null>) : null,
      }
    },
    depth: 0n,
    final: true,
    hashCall: (slot) => blockCall(slot, 'finalized'),
    // CAST: an answered getBlock is a block.
    readHash: (result) => (result as RpcBlock).blockhash,
    maxAhead: AHEAD_SLOTS,
    lag: { limit: LAG_SLOTS, reason: "Its newest slot is far behind the others'." },
  })
