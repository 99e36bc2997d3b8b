import { setTimeout as delay } from 'node:timers/promises'
import type { NodeFault } from '../localChain/localChain.js'

/** Code of a call that the node does not serve (JSON-RPC 2.0, 5.1). */
export const METHOD_MISSING = -32601

/** An error that a call ends with; the dialect writes it as its nodes do. In a REST API the code is the HTTP status. */
export class CallError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/** Makes the server answer with a fault in place of an answer of its dialect. */
export class FaultedCall extends Error {
  constructor(readonly fault: NodeFault) {
    super('This call has a fault')
  }
}

/** Runs a call of a node as its faults allow. Rejects with CallError or FaultedCall. */
export type RunCall = <T>(method: string, call: () => T) => Promise<T>

interface Pending<F> {
  readonly fault: F
  left: number
}

/** Faults of one node, and the number of its calls. */
export class NodeFaults<F extends NodeFault = NodeFault> {
  readonly counts = new Map<string, number>()
  readonly #missing = new Set<string>()
  readonly #lose: <T>(call: () => T) => T
  #pending: Pending<F>[] = []

  /** `lose` runs a call whose transactions no block will include; absent: the fault `lost` is refused. */
  constructor(lose?: <T>(call: () => T) => T) {
    this.#lose = lose ?? (() => fail())
  }

  add(fault: F): void {
    this.#pending.push({ fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#pending = []
  }

  /** Removes a method from the node, as in an older version, or restores it. */
  refuse(method: string, refused = true): void {
    if (refused) this.#missing.add(method)
    else this.#missing.delete(method)
  }

  /** `fits` may exclude faults. Rejects with CallError or FaultedCall. */
  async run<T>(method: string, call: () => T, fits: (fault: F) => boolean = () => true): Promise<T> {
    this.counts.set(method, (this.counts.get(method) ?? 0) + 1)
    const found = this.#pending.find(
      ({ fault, left }) => left > 0 && (fault.method ?? method) === method && fits(fault),
    )
    if (found === undefined) {
      if (this.#missing.has(method)) throw new CallError(METHOD_MISSING, 'Method not found')
      return call()
    }
    found.left -= 1
    const { fault } = found
    if (fault.delayMs !== undefined) await delay(fault.delayMs)
    if (fault.lost === true) return this.#lose(call)
    if (isSlowOnly(fault)) return call()
    if (fault.afterAccepting === true) await call()
    if (fault.error !== undefined) throw new CallError(fault.error.code, fault.error.message)
    throw new FaultedCall(fault)
  }
}

const isSlowOnly = ({ delayMs, error, status, hang, garbage, afterAccepting }: NodeFault): boolean =>
  delayMs !== undefined && [error, status, hang, garbage, afterAccepting].every((part) => part === undefined)

const fail = (): never => {
  throw new Error('This local chain cannot lose a broadcast')
}
