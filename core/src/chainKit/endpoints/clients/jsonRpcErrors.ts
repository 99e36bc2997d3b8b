import { ServiceError } from '../../../errors/serviceError.js'

/** `error` member of a JSON-RPC answer. */
export interface JsonRpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

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

/** True when a node is busy or rate limited, so that another one may answer. */
export const isEndpointTrouble = (error: JsonRpcError): boolean =>
  error.code === 429 ||
  /rate limit|too many requests|request limit|capacity exceeded|daily request/i.test(error.message)
