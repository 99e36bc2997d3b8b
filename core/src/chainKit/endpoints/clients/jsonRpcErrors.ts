import { ServiceError } from '../../../errors/serviceError.js'
import { HttpStatusError } from '../transportError.js'
import type { JsonRpcError, RpcCall, RpcOutcome } from './rpcCall.js'

export type { JsonRpcError } from './rpcCall.js'

/** A node answered, but with an error. The node's text stays out of the public message. */
export class RpcResponseError extends ServiceError {
  override readonly name: string = 'RpcResponseError'

  constructor(
    readonly method: string,
    readonly error: JsonRpcError,
    cause: Error = new Error(textOf(error)),
  ) {
    super('RPC_HTTP_ERROR', `The node of this chain answered ${method} with an error. Try again.`, { cause })
  }
}

/** A node refused calls for a reason of its own, which says nothing about the chain: another node is asked. */
export class RefusedCalls extends RpcResponseError {
  override readonly name = 'RefusedCalls'

  constructor(
    { method }: Pick<RpcCall, 'method'>,
    error: JsonRpcError,
    /** All that the node answered, in the order of the calls. */
    readonly outcomes: readonly RpcOutcome[],
    readonly http: Pick<HttpStatusError, 'status' | 'retryAfterMs'>,
  ) {
    const cause = Object.assign(new HttpStatusError(http.status, http.retryAfterMs), { message: textOf(error) })
    super(method, error, cause)
  }

  /** The same refusal with the outcomes of more calls. */
  among(outcomes: readonly RpcOutcome[]): RefusedCalls {
    return new RefusedCalls(this, this.error, outcomes, this.http)
  }
}

const textOf = ({ code, message }: JsonRpcError): string => `${code}: ${message.slice(0, 500)}`

/** Statuses by which a node refuses whoever asks, whatever the body holds: key, plan, permission, rate. */
const REFUSING_STATUS: ReadonlySet<number> = new Set([401, 402, 403, 429])

export const isRefusingStatus = (status: number): boolean => REFUSING_STATUS.has(status)

/** Codes by which nodes and the services before them refuse: rate and quota, method, HTTP statuses used as codes. */
const REFUSING_CODES: ReadonlySet<number> = new Set([
  -32005, -32007, -32011, -32012, -32016, -32029, -32052, -32090, -32097, -32601, -32603, 401, 402, 403, 429, 503,
])

const REFUSING_TEXT =
  /rate.?limit|too many requests|request(s)?( count| rate)? (limit|exceeded)|requests? per second|\/second|capacity exceeded|compute units|daily request|quota|upgrade|(free|paid|your) (plan|tier)|free.?tier|api.?key|unauthori[sz]ed|forbidden|no backends?|not healthy|currently healthy|temporarily unavailable|cu limit|limit reached/i

/** True when a node refuses for a reason of its own: rate, quota, plan, key, method, an inner fault. Another one may answer. */
export const isEndpointTrouble = ({ code, message }: JsonRpcError): boolean =>
  REFUSING_CODES.has(code) || REFUSING_TEXT.test(message)

/** True when a node says that it does not serve a method, to anybody or to this caller. */
export const isMissingMethod = ({ code, message }: JsonRpcError): boolean =>
  code === -32601 ||
  /(method|endpoint).{0,80}(not (found|supported|available|allowed|enabled|whitelisted)|does not exist|unsupported|unknown)|(unsupported|unknown|unrecogni[sz]ed) method|not allowed to access method/i.test(
    message,
  )

/** Refusals that asking for less at once would make no better. */
const RATE_TEXT = /rate|too many requests|second|daily|quota|api.?key|unauthori[sz]ed/i

/** True when a node refuses calls because of how many there are; `isOne`: one error answers all of them. */
export const isBatchRefusal = ({ code, message }: JsonRpcError, isOne: boolean): boolean =>
  code === -32600 || /batch/i.test(message) || (isOne && code !== 429 && !RATE_TEXT.test(message))
