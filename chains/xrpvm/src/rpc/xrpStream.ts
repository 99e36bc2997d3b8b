import type { BlockRef, ChainDeps } from '@causeway/core/chain'
import { EndpointSockets, type EndpointSocketsDeps } from '@causeway/core/chain-kit'
import { readClosed } from './ledgerHead.js'
import { LEDGERS, xrpSocketDialect } from './xrpDialect.js'

export interface XrpStreamDeps {
  readonly endpoints: ChainDeps['config']['rpc']
  readonly pool: EndpointSocketsDeps['pool']
  /** Accounts whose transactions are told. */
  readonly accounts: readonly string[]
  /** A ledger was validated. */
  onLedger(head: BlockRef): void
  /** A transaction of one of the accounts was validated. A hint: it is read over HTTP. */
  onTransaction(): void
  readonly logger: ChainDeps['logger']
}

/** What the websockets of the nodes tell: ledgers, and transactions of our accounts. Nothing is booked by it. */
export class XrpStream {
  readonly #sockets: EndpointSockets
  readonly #accounts: readonly string[]

  constructor({ endpoints, pool, accounts, onLedger, onTransaction, logger }: XrpStreamDeps) {
    this.#accounts = accounts
    this.#sockets = new EndpointSockets({
      endpoints,
      pool,
      dialect: xrpSocketDialect,
      onMessage: (topic, message) => {
        if (topic === LEDGERS) onLedger(readClosed(message))
        else onTransaction()
      },
      logger,
    })
  }

  /** Whether a node tells of ledgers now. */
  get isLive(): boolean {
    return this.#sockets.isLive
  }

  /** Does nothing while it is open; connections that are lost are opened again until the signal aborts. */
  open(signal: AbortSignal): void {
    if (signal.aborted) return
    this.#sockets.open([
      { method: 'subscribe', params: [{ streams: ['ledger'] }] },
      { method: 'subscribe', params: [{ accounts: this.#accounts }] },
    ])
    signal.addEventListener('abort', () => this.#sockets.close(), { once: true })
  }
}
