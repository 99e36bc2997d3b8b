import type { NodeFault } from '@causeway/core/testing'
import { isErrorName, RpcError, rpcError } from './commands/rpcError.js'

/** Calls that control the chain; no fault is of them. */
export const CONTROL = 'local_'

interface Pending extends NodeFault {
  left: number
}

/** Tells the transport to answer otherwise than with JSON. */
export class TransportFault extends Error {
  constructor(readonly fault: NodeFault) {
    super('transport fault')
  }
}

/** What the server is to do wrong, and what it was asked. */
export class Faults {
  readonly counts = new Map<string, number>()
  /** Commands that it does not know, as an older version would not. */
  readonly refused = new Set<string>()
  #pending: Pending[] = []

  add(fault: NodeFault): void {
    this.#pending.push({ ...fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#pending = []
  }

  /** Runs a command as the faults allow. @throws RpcError, TransportFault */
  run<T>(method: string, call: () => T): T {
    if (method.startsWith(CONTROL)) return call()
    this.counts.set(method, (this.counts.get(method) ?? 0) + 1)
    const fault = this.#pending.find((item) => item.left > 0 && (item.method === undefined || item.method === method))
    if (fault === undefined) {
      if (this.refused.has(method)) throw rpcError('unknownCmd')
      return call()
    }
    fault.left -= 1
    if (fault.afterAccepting === true) call()
    if (fault.error !== undefined) throw faultError(fault.error)
    throw new TransportFault(fault)
  }
}

/** An error that rippled has is told by its name as the message. */
const faultError = ({ code, message }: { readonly code: number; readonly message: string }): RpcError =>
  isErrorName(message)
    ? rpcError(message)
    : new RpcError(/^\w+$/.test(message) ? message : 'internal', { error_code: code, error_message: message })
