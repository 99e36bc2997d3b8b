import { LedgerHandle, type LedgerKind } from '@causeway/core/testing'
import { open } from './openLocalBitcoin.js'

/** A local Bitcoin chain that runs somewhere, reached over its port alone. */
export class RunningBitcoin extends LedgerHandle {
  /** Pays addresses in one transaction, and mines it; satoshis. An address may be named more than once: a coin each. */
  pay(payments: readonly { readonly address: string; readonly value: bigint }[]): Promise<void> {
    return this.control('pay', payments)
  }

  /** Satoshis per 1,000 virtual bytes that the node recommends. */
  setFeeRate(rate: bigint): Promise<void> {
    return this.control('setFeeRate', rate)
  }
}

/** Clients reach Esplora's REST at the endpoint, and Bitcoin Core's JSON-RPC under `/rpc`. */
export const LOCAL_BITCOIN: LedgerKind<RunningBitcoin> = {
  module: new URL('./openLocalBitcoin.js', import.meta.url).href,
  open,
  blockMs: 1000,
  endpointAt: (port) => ({ http: `http://127.0.0.1:${port}` }),
  handle: (parts) => new RunningBitcoin(parts),
}
