/** `error` member of a JSON-RPC answer. */
export interface JsonRpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

export type RpcOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: JsonRpcError }
