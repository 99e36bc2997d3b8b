import type { Hex } from '@causeway/core'
import {
  isEndpointTrouble,
  isMissingMethod,
  type JsonRpcError,
  type RpcCall,
  tooLargePart,
} from '@causeway/core/chain-kit'
import { classifyBroadcastError } from '../lane/broadcastErrors.js'

const HEX = /0x[0-9a-fA-F]*/

/** Bytes a reverted call returned, in whichever member the client puts them; null when there are none. */
export const revertDataOf = (error: JsonRpcError): Hex | null => {
  const found = findHex(error.data, 3)
  return found === null ? null : (found.toLowerCase() as Hex)
}

const findHex = (value: unknown, depth: number): string | null => {
  if (typeof value === 'string') return value.match(HEX)?.[0] ?? null
  if (typeof value !== 'object' || value === null || depth === 0) return null
  for (const member of ['data', 'originalError', 'result']) {
    const found = findHex(Reflect.get(value, member), depth - 1)
    if (found !== null) return found
  }
  return null
}

/** True when the EVM ran the call and stopped it, as against a node that could not answer. */
export const isRevert = (error: JsonRpcError): boolean =>
  error.code === 3 ||
  // OpenEthereum and older Nethermind: "VM execution error", and how it ended in `data`.
  (error.code === -32015 && error.data !== undefined && error.data !== null) ||
  /revert|EVM error|VM execution error|bad instruction|invalid opcode|out of gas|stack (under|over)flow|invalid jump/i.test(
    error.message,
  )

/** True when the sender of a simulated or real transaction lacks native currency. */
export const isInsufficientFunds = (error: JsonRpcError): boolean =>
  /insufficient ?(funds|balance)|doesn't have enough funds|not enough (funds|balance)|outoffunds|lack of funds|upfront cost exceeds|insufficient (\w+ for )?sender balance/i.test(
    error.message,
  )

const RANGE =
  /range|blocks? distance|(requested|too many|number of|at most [\d,]+|limited to [\d,]+) blocks?|(too many|more than [\d,]+|max(imum)?) (results|logs)|logs matched|response size|response too large|result set|smaller than size|rounds in logs|timed? ?out|query returned/i

/** The node has not the newest of the blocks asked for: fewer of them would not help. */
const BEYOND_HEAD = /beyond (the )?(current )?head/i

/**
 * True when the node refuses the span or the size of an eth_getLogs; a smaller span may work (F107). Arguments are right here, so a
 * complaint about them is about their span.
 */
export const isRangeError = (error: JsonRpcError): boolean =>
  !isAddressWanted(error) &&
  !BEYOND_HEAD.test(error.message) &&
  (error.code === -32602 || RANGE.test(error.message) || RANGE.test(JSON.stringify(error.data ?? '').slice(0, 1000)))

/** True when the node takes an eth_getLogs only with an address: a rule of its operator, whatever the span (F165). */
export const isAddressWanted = ({ message }: JsonRpcError): boolean =>
  /(specify|provide|requires?|missing|without|must (have|contain|include)) .{0,30}address|address.{0,40}(required|must be|missing|not specified)/i.test(
    message,
  )

/** Answers to a call by the EVM, a pool or the rules of the chain, besides a revert. */
const KNOWN_ANSWER =
  /gas required exceeds|intrinsic gas|out ?of ?gas|exceeds allowance|gas limit|nonce too (low|high)|max ?fee ?per ?gas|fee cap|base ?fee|invalid (opcode|argument|jump|params)|too many arguments|contract creation code|initcode|max code size/i

/** A node without the state of a block that is long past. */
const PAST_STATE =
  /missing trie node|pruned|historical|archive|state .{0,40}(not|un)available|(header|block|state) not found|unknown block/i

/** Methods that a node may lack, or serve to few: whoever asks goes on without them. */
const OPTIONAL_METHODS: ReadonlySet<string> = new Set([
  'debug_traceCall',
  'debug_traceTransaction',
  'eth_getBlockReceipts',
  'eth_maxPriorityFeePerGas',
  'eth_simulateV1',
])

/**
 * True when an error answers a call: a revert, a known answer of the chain, a bad argument. Whatever else a node says is its own
 * refusal (faults.md F162).
 */
export const isChainAnswer = (error: JsonRpcError, { method, params }: RpcCall): boolean => {
  if (method === 'eth_getLogs') return isRangeError(error)
  if (method === 'eth_sendRawTransaction') return classifyBroadcastError(error).outcome !== 'unknown'
  if (isRevert(error)) return true
  if (OPTIONAL_METHODS.has(method) && isMissingMethod(error)) return true
  if (isEndpointTrouble(error) || tooLargePart(error) === 'answer') return false
  if (OPTIONAL_METHODS.has(method) || error.code === -32602) return true
  if (isInsufficientFunds(error) || KNOWN_ANSWER.test(error.message)) return true
  return PAST_STATE.test(error.message) && params.some((param) => typeof param === 'string' && HEIGHT.test(param))
}

/** A height, as against an address, a hash or `latest`. */
const HEIGHT = /^0x[0-9a-fA-F]{1,16}$/
