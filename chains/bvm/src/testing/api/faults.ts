import type { NodeFault } from '@causeway/core/testing'
import type { AmountStyle } from './coreJson.js'

/** The API that a fault or a lie concerns. */
export type BitcoinApi = 'esplora' | 'rpc'

/** A fault of one API, or of either. Its method is one of Core (`getblock`) or a route of Esplora (`GET /tx/:txid`). */
export interface BitcoinFault extends NodeFault {
  /** Either, when left out. */
  readonly api?: BitcoinApi
}

/** Tells the transport to do what a fault says. */
export class FaultedCall extends Error {
  constructor(readonly fault: BitcoinFault) {
    super('a fault was asked for')
  }
}

interface Pending extends BitcoinFault {
  left: number
}

/** What a node is to do wrong, and what it was asked. */
export class Faults {
  amountStyle: AmountStyle = 'decimals'
  readonly counts = new Map<string, number>()
  #pending: Pending[] = []

  add(fault: BitcoinFault): void {
    this.#pending.push({ ...fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#pending = []
  }

  /** Runs a call as the faults allow. @throws FaultedCall */
  run<T>(api: BitcoinApi, method: string, call: () => T): T {
    if (method.startsWith('local_')) return call()
    this.counts.set(method, (this.counts.get(method) ?? 0) + 1)
    const fault = this.#pending.find(
      (item) => item.left > 0 && (item.api === undefined || item.api === api) && (item.method ?? method) === method,
    )
    if (fault === undefined) return call()
    fault.left -= 1
    if (fault.afterAccepting === true) call()
    throw new FaultedCall(fault)
  }
}
