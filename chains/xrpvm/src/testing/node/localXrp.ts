import { LedgerHandle, type LedgerKind, type LocalChainOptions, startLedger } from '@causeway/core/testing'
import type { UnsignedTx } from '../engine/transaction.js'
import type { FeeSettings } from '../engine/xrpLedger.js'
import { open } from './openLocalXrp.js'

/** A local XRP Ledger, to which an unmodified `xrpl` client talks, and what tests can make it do. */
export class LocalXrpLedger extends LedgerHandle {
  // A validated ledger stays (chains.md xrpvm 4).
  override readonly reorg = null
  readonly rpcUrl = this.endpoint.http
  readonly wsUrl = this.endpoint.http.replace(/^http/, 'ws')

  /** Applies transactions for their accounts, without keys and fees, and closes the ledger. Returns their hashes. @throws Error with the result of one that fails */
  apply(...transactions: readonly UnsignedTx[]): Promise<readonly string[]> {
    return this.control('apply', transactions)
  }

  /** Closes a ledger at a time; a ledger never closes before its parent. */
  async closeAt(time: Date): Promise<void> {
    await this.wind(time.getTime() - Date.now())
    await this.advance()
  }

  /** Loses all ledgers so far except the given ones, written as in `complete_ledgers` (`100-200,205-300`); null restores them. */
  cutHistory(ranges: string | null): Promise<void> {
    return this.show({ kept: ranges })
  }

  /** Settings that are left out stay as they are. */
  setFee(settings: Partial<FeeSettings>): Promise<void> {
    return this.control('setFee', settings)
  }
}

/** The id of the chain is that of the network: above 1024, transactions must name it; at most that, they must not. */
export const LOCAL_XRP: LedgerKind<LocalXrpLedger> = {
  module: new URL('./openLocalXrp.js', import.meta.url).href,
  open,
  blockMs: 1000,
  handle: (parts) => new LocalXrpLedger(parts),
}

/** Starts a local ledger on 127.0.0.1. @throws Error with the end of its log if it does not start */
export const startLocalXrp = ({
  networkId,
  ...options
}: Omit<LocalChainOptions, 'chainId'> & { readonly networkId: number }): Promise<LocalXrpLedger> =>
  startLedger(LOCAL_XRP, { ...options, chainId: networkId })
