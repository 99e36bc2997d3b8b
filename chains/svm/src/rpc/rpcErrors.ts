import type { JsonRpcError } from '@causeway/core/chain-kit'

/** Codes of the node's own errors, by what they mean here. */
const NO_BLOCK = new Set([-32004, -32007, -32009])
const PRUNED = new Set([-32001, -32011])

/** True when a slot has no block: it was skipped, is not there yet, or is missing in long-term storage. */
export const isNoBlock = (error: JsonRpcError): boolean => NO_BLOCK.has(error.code)

/** True when the node has thrown the block away, or keeps no history of transactions. */
export const isPruned = (error: JsonRpcError): boolean => PRUNED.has(error.code)

/** True when the node says that it is behind the cluster. */
export const isBehind = (error: JsonRpcError): boolean => error.code === -32005 || error.code === -32016

/** True when a transaction has a version that was not asked for. */
export const isNewVersion = (error: JsonRpcError): boolean => error.code === -32015
