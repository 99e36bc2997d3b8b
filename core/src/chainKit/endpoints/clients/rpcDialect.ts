import type { RpcCall, RpcOutcome } from './rpcCall.js'

/**
 * How nodes are spoken to that take one call a request, in another form than JSON-RPC 2.0 has (chains.md xrpvm 4). The calls of one
 * batch go out side by side, so that none of them is answered later than another on purpose.
 */
export interface RpcDialect {
  /** The body that one call is posted as; it becomes JSON. */
  write(call: RpcCall): object
  /** What the body of an answer says. Throws `strangeAnswer` for what is none. */
  read(answer: unknown): RpcOutcome
}
