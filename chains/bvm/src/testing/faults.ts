import type { AmountStyle } from './coreJson.js'

/** The API that a fault or a lie concerns. */
export type BitcoinApi = 'esplora' | 'rpc'

/** One misbehaviour of a node: the first calls it fits suffer it. */
export interface BitcoinFault {
  /** Either, when left out. */
  readonly api?: BitcoinApi
  /** A method of Core (`getblock`) or a route of Esplora (`GET /tx/:txid`); any, when left out. */
  readonly method?: string
  /** How many calls (default 1). */
  readonly times?: number
  /** An error of Core; Esplora sends its text. */
  readonly error?: { readonly code: number; readonly message: string }
  /** HTTP status in place of an answer. */
  readonly status?: number
  /** Never answers. */
  readonly hang?: boolean
  /** Text in place of JSON. */
  readonly garbage?: string
  /** The call is served and its answer then lost: what a node that took a transaction and said otherwise does. */
  readonly afterAccepting?: boolean
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
