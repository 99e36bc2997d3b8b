import { type NodeFault, NodeFaults, type RunCall } from '@causeway/core/testing'
import type { AmountStyle } from './coreJson.js'

/** The API that a fault or a lie concerns. */
export type BitcoinApi = 'esplora' | 'rpc'

/** A fault of one API, or of either. Its method is one of Core (`getblock`) or a route of Esplora (`GET /tx/:txid`). */
export interface BitcoinFault extends NodeFault {
  /** Either, when left out. */
  readonly api?: BitcoinApi
}

/** What a node is to do wrong, and what it was asked. */
export class Faults extends NodeFaults<BitcoinFault> {
  amountStyle: AmountStyle = 'decimals'

  /** Runs calls of one API. */
  of(api: BitcoinApi): RunCall {
    return (method, call) => this.run(method, call, (fault) => (fault.api ?? api) === api)
  }
}
