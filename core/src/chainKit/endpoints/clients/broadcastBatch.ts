import type { BroadcastResult } from '../../../chain/laneAdapter.js'
import { ServiceError } from '../../../errors/serviceError.js'
import type { JsonRpcClient } from './jsonRpcClient.js'
import type { JsonRpcError } from './jsonRpcErrors.js'
import type { RpcCall, RpcOutcome } from './jsonRpcNode.js'

/**
 * Sends transactions in one HTTP batch to the first node that answers; never throws. `classify` says what a node's error means.
 * After a node that did not answer, another node's refusal proves nothing: the first may have passed them on (faults.md F54).
 */
export const broadcastBatch = async (
  rpc: JsonRpcClient,
  calls: readonly RpcCall[],
  classify: (error: JsonRpcError) => BroadcastResult,
): Promise<readonly BroadcastResult[]> => {
  let doubtful = false
  const endpoints = rpc.ordered()
  for (const endpoint of endpoints.length === 1 ? [...endpoints, ...endpoints] : endpoints) {
    let outcomes: readonly RpcOutcome[]
    try {
      outcomes = await endpoint.batch(calls)
    } catch (error) {
      if (endpoints.length === 1 && ServiceError.is(error) && error.code === 'REQUEST_TIMED_OUT') break
      doubtful = true
      continue
    }
    return outcomes.map((outcome): BroadcastResult => {
      if (outcome.ok) return { outcome: 'known' }
      const result = classify(outcome.error)
      if (!doubtful || result.outcome !== 'rejected') return result
      return { outcome: 'unknown', message: result.message }
    })
  }
  return calls.map(() => ({ outcome: 'unknown', message: 'No node of this chain answered' }))
}
