import { type Hex, ServiceError } from '@causeway/core'

/** `error` member of a JSON-RPC answer. */
export interface JsonRpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

const HEX = /0x[0-9a-fA-F]*/

/** A node answered, but with an error. The node's text stays out of the public message. */
export class RpcResponseError extends ServiceError {
  override readonly name = 'RpcResponseError'

  constructor(
    readonly method: string,
    readonly error: JsonRpcError,
  ) {
    super('RPC_HTTP_ERROR', `The node of this chain answered ${method} with an error. Try again.`, {
      cause: new Error(`${error.code}: ${error.message.slice(0, 500)}`),
    })
  }
}

/** The only place that names a transport failure. No URL reaches the message: it may hold a key. */
export const transportError = (cause: unknown, timedOut: boolean): ServiceError =>
  timedOut
    ? new ServiceError('REQUEST_TIMED_OUT', 'A node of this chain did not answer in time. Try again.', { cause })
    : new ServiceError('RPC_HTTP_ERROR', 'A node of this chain could not be reached. Try again.', { cause })

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
  error.code === 3 || /revert|invalid opcode|out of gas|stack (under|over)flow|invalid jump/i.test(error.message)

/** True when the sender of a simulated or real transaction lacks native currency. */
export const isInsufficientFunds = (error: JsonRpcError): boolean =>
  /insufficient (funds|balance)|doesn't have enough funds|not enough (funds|balance)|outoffunds|lack of funds/i.test(
    error.message,
  )

/** True when a node is busy or rate limited, so that another one may answer. */
export const isEndpointTrouble = (error: JsonRpcError): boolean =>
  error.code === 429 ||
  /rate limit|too many requests|request limit|capacity exceeded|daily request/i.test(error.message)

/** True when the node refuses the span or the size of an eth_getLogs; a smaller span may work (F107). */
export const isRangeError = (error: JsonRpcError): boolean =>
  error.code === -32005 ||
  /range|too many|limit|exceed|more than|too large|response size|timed? ?out|query returned/i.test(error.message)
