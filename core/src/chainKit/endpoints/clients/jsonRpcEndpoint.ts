import type { Endpoint } from '../endpoint.js'
import type { JsonRpcNode, RpcCall, RpcOutcome } from './jsonRpcNode.js'

/** A node that speaks JSON-RPC, as an endpoint that is asked in batches. */
export interface JsonRpcEndpoint extends Endpoint<JsonRpcNode> {
  /** Throws ServiceError when the node cannot be reached; errors of single calls are outcomes. */
  batch(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly RpcOutcome[]>
}

/** Adds batches to an endpoint. */
export const inBatches = (endpoint: Endpoint<JsonRpcNode>): JsonRpcEndpoint =>
  Object.assign(endpoint, {
    batch: (calls: readonly RpcCall[], signal?: AbortSignal) =>
      endpoint.ask((node, asked) => node.batch(calls, asked), signal),
  })
