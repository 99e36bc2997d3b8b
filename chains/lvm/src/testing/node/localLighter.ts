import { LedgerHandle, type LedgerKind, type LocalChainOptions, startLedger } from '@causeway/core/testing'
import type { Asset } from '../engine/assets.js'
import { type FailedStatus, STATUS } from '../engine/ledgerTx.js'
import { open } from './openLocalLighter.js'

/** A local Lighter exchange: the endpoint is its REST API, without `/api/v1`. Its L2 chain id is that of the chain. */
export class LocalLighter extends LedgerHandle {
  // A block stays; one of its transactions may still become failed or rejected.
  override readonly reorg = null

  /**
   * Opens an account without a signature.
   * @param address L1 address of its owner, or an index whose owner shows with its first signature
   * @param keys public keys of API keys in hex, by slot
   */
  openAccount(address: string, keys: Readonly<Record<number, string>> = {}): Promise<string> {
    return this.control('openAccount', address, keys)
  }

  /** Lists a spot asset, unless one with the symbol is listed. Returns the listed one. */
  listAsset(symbol: string, decimals: number): Promise<Asset> {
    return this.control('listAsset', symbol, decimals)
  }

  /** Sets the fee of transfers, in micro-USDC. */
  setTransferFee(micros: bigint): Promise<void> {
    return this.control('setTransferFee', micros)
  }

  /** The next transfer of a block uses its nonce up and moves no amount. */
  failNextTransfer(status: FailedStatus = STATUS.failed): Promise<void> {
    return this.control('failNextTransfer', status)
  }

  /** Undoes a transfer of a block, which is failed or rejected from then on. @throws Error if the receiver spent it */
  regress(hash: string, status: FailedStatus = STATUS.failed): Promise<void> {
    return this.control('regress', hash, status)
  }
}

export const LOCAL_LIGHTER: LedgerKind<LocalLighter> = {
  module: new URL('./openLocalLighter.js', import.meta.url).href,
  open,
  blockMs: 1000,
  endpointAt: (port) => ({ http: `http://127.0.0.1:${port}` }),
  handle: (parts) => new LocalLighter(parts),
}

/** Starts a local exchange on 127.0.0.1. @throws Error with the end of its log if it does not start */
export const startLocalLighter = (options: LocalChainOptions): Promise<LocalLighter> =>
  startLedger(LOCAL_LIGHTER, options)
