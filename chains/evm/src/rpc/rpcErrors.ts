import type { Hex } from '@causeway/core'
import type { JsonRpcError } from '@causeway/core/chain-kit'

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
  /range|too many|limit|exceed|more than|too large|smaller than|blocks distance|max(imum)? allowed|response size|timed? ?out|query returned/i

/** True when the node refuses the span or the size of an eth_getLogs; a smaller span may work (F107). */
export const isRangeError = (error: JsonRpcError): boolean =>
  error.code === -32005 || RANGE.test(error.message) || RANGE.test(JSON.stringify(error.data ?? null))
