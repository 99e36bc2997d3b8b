import type { NodeFault } from '@causeway/core/testing'
import { RpcFailure } from './rpcFailure.js'

interface Pending extends NodeFault {
  left: number
}

/** Tells the transport to answer otherwise than with JSON-RPC. */
export class TransportFault extends Error {
  constructor(readonly fault: NodeFault) {
    super('transport fault')
  }
}

/** What the node is to do wrong, and what it was asked. */
export class Faults {
  readonly counts = new Map<string, number>()
  #pending: Pending[] = []

  add(fault: NodeFault): void {
    this.#pending.push({ ...fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#pending = []
  }

  /** Runs a call as the faults allow. @throws RpcFailure, TransportFault */
  run<T>(method: string, call: () => T): T {
    if (method.startsWith('local_')) return call()
    this.counts.set(method, (this.counts.get(method) ?? 0) + 1)
    const fault = this.#pending.find((item) => item.left > 0 && (item.method === undefined || item.method === method))
    if (fault === undefined) return call()
    fault.left -= 1
    if (fault.afterAccepting === true) call()
    const { error } = fault
    if (error !== undefined) throw new RpcFailure(error.code, error.message)
    throw new TransportFault(fault)
  }
}
