import { eitherSignal, sharedController } from '../questionSignal.js'
import type { JsonRpcError } from './jsonRpcErrors.js'
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
  /** Whether an error says that a node is busy or has come too late, so that another one may answer. Absent: as elsewhere. */
  isBusy?(error: JsonRpcError): boolean
}

/** Calls of one batch that are under way at once. */
const SIDE_BY_SIDE = 16

/**
 * Asks for each of the calls by itself, a few at once, and gives the outcomes in their order. Throws what the first failure throws;
 * those under way are ended then.
 */
export const askSideBySide = async (
  calls: readonly RpcCall[],
  ask: (call: RpcCall, signal: AbortSignal) => Promise<RpcOutcome>,
  signal: AbortSignal | undefined,
): Promise<readonly RpcOutcome[]> => {
  const ended = sharedController()
  const asked = eitherSignal(ended.signal, signal)
  const outcomes: RpcOutcome[] = []
  const waiting = [...calls.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, call] = next
      outcomes[at] = await ask(call, asked.signal)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, calls.length) }, work))
    return outcomes
  } finally {
    waiting.length = 0
    ended.abort()
    asked.release()
  }
}
