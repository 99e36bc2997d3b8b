import type { BroadcastResult } from '../../../chain/laneAdapter.js'
import { ServiceError } from '../../../errors/serviceError.js'
import { BroadcastTally } from '../broadcastTally.js'
import { HttpStatusError } from '../transportError.js'
import type { JsonRpcClient } from './jsonRpcClient.js'
import type { JsonRpcEndpoint } from './jsonRpcEndpoint.js'
import { isEndpointTrouble, isRefusingStatus, type JsonRpcError, RefusedCalls } from './jsonRpcErrors.js'
import type { RpcCall, RpcOutcome } from './jsonRpcNode.js'

type Classify = (error: JsonRpcError) => BroadcastResult

/**
 * Sends transactions, each in a call of its own, to one node after the other until each is taken or known, and then to one node more;
 * never throws. `classify` says what a node's error means. Rejected only when every node that was asked rejects: after a node that did
 * not answer, another node's refusal proves nothing, since the first may have passed them on (faults.md F54).
 */
export const broadcastBatch = async (
  rpc: Pick<JsonRpcClient, 'ordered'>,
  calls: readonly RpcCall[],
  classify: Classify,
): Promise<readonly BroadcastResult[]> => {
  const tallies = calls.map(() => new BroadcastTally())
  const endpoints = rpc.ordered()
  const open = () => tallies.flatMap(({ isTaken }, at) => (isTaken ? [] : [at]))
  for (const endpoint of endpoints.length === 1 ? [...endpoints, ...endpoints] : endpoints) {
    const asked = open()
    if (asked.length === 0) {
      // The first one may keep it to itself. Not waited for: it changes no answer.
      if (endpoints.length > 1) void endpoint.batch(calls).catch(() => undefined)
      break
    }
    const sent = asked.flatMap((at) => calls[at] ?? [])
    const answers = await sendTo(endpoint, sent, classify)
    for (const [place, at] of asked.entries()) tallies[at]?.note(answers.results[place] ?? null)
    if (endpoints.length === 1 && answers.isFinal) break
  }
  return tallies.map((tally) => tally.result())
}

interface SentTo {
  /** Answer to each transaction; null: not taken, for a reason that is not the transaction's. */
  readonly results: readonly (BroadcastResult | null)[]
  /** Whether asking the same node again is of no use. */
  readonly isFinal: boolean
}

const sendTo = async (endpoint: JsonRpcEndpoint, calls: readonly RpcCall[], classify: Classify): Promise<SentTo> => {
  try {
    const outcomes = await endpoint.batch(calls)
    return { results: outcomes.map((outcome) => resultOf(outcome, 200, classify)), isFinal: true }
  } catch (error) {
    if (error instanceof RefusedCalls && error.outcomes.length === calls.length) {
      return { results: error.outcomes.map((each) => resultOf(each, error.http.status, classify)), isFinal: true }
    }
    const cause = error instanceof Error ? error.cause : undefined
    const isRefused = cause instanceof HttpStatusError && isRefusingStatus(cause.status)
    const doubt: BroadcastResult = { outcome: 'unknown', message: 'A node of this chain could not be reached' }
    const isLate = ServiceError.is(error) && error.code === 'REQUEST_TIMED_OUT'
    return { results: calls.map(() => (isRefused ? null : doubt)), isFinal: isRefused || isLate }
  }
}

const resultOf = (outcome: RpcOutcome, status: number, classify: Classify): BroadcastResult | null => {
  if (outcome.ok) return { outcome: 'known' }
  const result = classify(outcome.error)
  return result.outcome === 'unknown' && isNotTried(outcome.error, status) ? null : result
}

/** An inner fault may have come after the node passed the transaction on; rate, quota, key and method come before. */
const isNotTried = (error: JsonRpcError, status: number): boolean =>
  isRefusingStatus(status) || (isEndpointTrouble(error) && error.code !== -32603 && error.code !== 503)
