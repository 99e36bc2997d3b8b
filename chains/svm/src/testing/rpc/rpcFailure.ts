/** A JSON-RPC error a method answers with. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

export const invalidParams = (message: string): RpcFailure => new RpcFailure(-32602, message)
