import { isEndpointTrouble, type JsonRpcError, type RpcCall } from '@causeway/core/chain-kit'
import { classifyBroadcastError } from '../lane/broadcastErrors.js'

/** Codes of the node's own errors, by what they mean here. */
const NO_BLOCK = new Set([-32004, -32007, -32009])
const PRUNED = new Set([-32001, -32011])

/** True when a slot has no block: it was skipped, is not there yet, or is missing in long-term storage. */
export const isNoBlock = (error: JsonRpcError): boolean => NO_BLOCK.has(error.code)

/** True when the node has thrown the block away, or keeps no history of transactions. */
export const isPruned = (error: JsonRpcError): boolean => PRUNED.has(error.code)

/** True when a transaction has a version that was not asked for. */
export const isNewVersion = (error: JsonRpcError): boolean => error.code === -32015

/** Codes by which a node answers: no block, no history, a simulation that fails, a version that was not asked for, a bad argument. */
const ANSWERS: ReadonlySet<number> = new Set([...NO_BLOCK, ...PRUNED, -32002, -32003, -32013, -32014, -32015, -32602])

/**
 * True when an error answers a call: what the chain or the node's memory says, a bad argument. Whatever else a node says is its own
 * refusal: it is behind, busy, or does not serve this caller (faults.md F162). Services before nodes use some of its codes too.
 */
export const isChainAnswer = (error: JsonRpcError, { method }: RpcCall): boolean => {
  if (method === 'sendTransaction') return classifyBroadcastError(error).outcome !== 'unknown'
  return ANSWERS.has(error.code) && !isEndpointTrouble({ ...error, code: 0 })
}
