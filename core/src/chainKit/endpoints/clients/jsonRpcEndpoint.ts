import type { Endpoint } from '../endpoint.js'
import { type JsonRpcNode, type RpcCall, type RpcOutcome, resultOf } from './jsonRpcNode.js'

/** A node that speaks JSON-RPC, as an endpoint that is asked in batches. */
export interface JsonRpcEndpoint extends Endpoint<JsonRpcNode> {
  /** Throws ServiceError when the node cannot be reached; errors of single calls are outcomes. */
  batch(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly RpcOutcome[]>
}

/** Results of a batch none of whose calls may fail. Throws RpcResponseError where one fails. */
export const resultsOf = async (
  asked: Pick<JsonRpcEndpoint, 'batch'>,
  calls: readonly RpcCall[],
): Promise<readonly unknown[]> => {
  const outcomes = await asked.batch(calls)
  return calls.map(({ method }, at) => resultOf<unknown>(outcomes[at], method))
}

/** Adds batches to an endpoint. */
export const inBatches = (endpoint: Endpoint<JsonRpcNode>): JsonRpcEndpoint =>
  Object.assign(endpoint, {
    batch: (calls: readonly RpcCall[], signal?: AbortSignal) =>
      endpoint.ask((node, asked) => node.batch(calls, asked), signal),
  })
