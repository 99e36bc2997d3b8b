import { ServiceError } from '../../../errors/serviceError.js'
import { otherChain } from '../endpoint.js'
import type { EndpointHead, EndpointProbe } from '../monitor/endpointProbe.js'
import type { JsonRpcProtocol } from './jsonRpcClient.js'
import { type JsonRpcNode, type RpcCall, type RpcOutcome, resultOf } from './jsonRpcNode.js'

/** A probe of a chain that speaks JSON-RPC, by the calls it sends: one batch for a head, one call for a hash. */
export interface JsonRpcProbe extends Omit<EndpointProbe<JsonRpcNode>, 'head' | 'hashAt'> {
  /** Sent first in the batch that `headCalls` complete; an endpoint that does not match serves another chain. */
  readonly identify: JsonRpcProtocol['identify']
  readonly headCalls: readonly RpcCall[]
  /** `outcomes` are those of `headCalls`. Throws ServiceError when an answer that matters is missing. */
  readHead(outcomes: readonly RpcOutcome[]): EndpointHead
  hashCall(height: bigint): RpcCall
  /** `result` is the answer to `hashCall`, and not null. */
  readHash(result: unknown): string
}

/** Makes a probe of calls. */
export const jsonRpcProbe = (calls: JsonRpcProbe): EndpointProbe<JsonRpcNode> => {
  const { unit, depth, final, maxAhead, lag, identify, headCalls, hashCall } = calls
  return {
    unit,
    depth,
    final,
    maxAhead,
    lag,
    head: async (node, signal) => {
      const { method, params } = identify
      const [identity, ...outcomes] = await node.batch([{ method, params }, ...headCalls], signal)
      // What a node answers with an error says nothing about how well it can be reached.
      if (identity?.ok !== true) return null
      if (!identify.matches(resultOf(identity, method))) throw otherChain()
      return headOf(calls, outcomes)
    },
    hashAt: async (node, height, signal) => {
      const [outcome] = await node.batch([hashCall(height)], signal)
      return outcome?.ok && outcome.result !== null ? calls.readHash(outcome.result) : null
    },
  }
}

const headOf = ({ readHead }: JsonRpcProbe, outcomes: readonly RpcOutcome[]): EndpointHead | null => {
  try {
    return readHead(outcomes)
  } catch (error) {
    if (ServiceError.is(error)) return null
    throw error
  }
}
