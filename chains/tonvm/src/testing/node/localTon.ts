import { LedgerHandle, type LedgerKind, type LocalChainOptions, startLedger } from '@causeway/core/testing'
import type { Cell, Message } from '@ton/core'
import { applyMessages, locate } from './controls.js'
import { type Located, open } from './openLocalTon.js'

/** A local TON network. Its endpoint serves API v2 of toncenter below `/api/v2/`, and API v4 at its root. */
export class LocalTon extends LedgerHandle {
  // Blocks that the masterchain committed are final (chains.md tonvm 4).
  override readonly reorg = null

  /**
   * Delivers internal messages from any address, and all that they cause, in a block of their own.
   * @throws Error if one of the transactions failed
   */
  apply(...messages: readonly Message[]): Promise<readonly Located[]> {
    return applyMessages(this, messages)
  }

  /** The transaction with a hash, or the one that a message with this hash caused; null if no block has it. */
  locate(hash: string): Promise<Located | null> {
    return locate(this, hash)
  }

  /** Keeps messages of contracts on their way, so that a payment is sent and does not arrive, until it ends. */
  stall(isStalled = true): Promise<void> {
    return this.control('stall', isStalled)
  }

  /** Number of calls between two blocks above which nodes answer with the status 429. Null: no limit. */
  setLimit(most: number | null): Promise<void> {
    return this.control('setLimit', most)
  }

  /** Replaces a parameter of the configuration, such as a gas price. */
  setConfigParam(id: number, value: Cell): Promise<void> {
    return this.control('setConfigParam', id, value.toBoc().toString('base64'))
  }
}

export const LOCAL_TON: LedgerKind<LocalTon> = {
  module: new URL('./openLocalTon.js', import.meta.url).href,
  open,
  blockMs: 1000,
  endpointAt: (port) => ({ http: `http://127.0.0.1:${port}` }),
  handle: (parts) => new LocalTon(parts),
}

/** Starts a local network on 127.0.0.1. @throws Error with the end of its log if it does not start */
export const startLocalTon = (options: LocalChainOptions): Promise<LocalTon> => startLedger(LOCAL_TON, options)
