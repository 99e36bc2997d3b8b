import { LedgerHandle, type LedgerKind, type LocalChainOptions, startLedger } from '@causeway/core/testing'
import type { SpotToken } from '../engine/tokens.js'
import { open, type Role } from './openLocalHyperliquid.js'

/** A local Hyperliquid exchange: HTTP and websocket on one port. */
export class LocalHyperliquid extends LedgerHandle {
  // Blocks are final (chains.md hypevm 4).
  override readonly reorg = null

  /** Unix milliseconds of the newest block that the node shows. */
  async headMs(): Promise<number> {
    return this.control('timeOf', await this.height())
  }

  /** Creates a spot token. Returns its id. */
  createToken(token: Pick<SpotToken, 'name' | 'szDecimals' | 'weiDecimals'>): Promise<string> {
    return this.control('createToken', token)
  }

  /** Opens an account without money. */
  open(address: string): Promise<void> {
    return this.control('open', address)
  }

  /** Makes an account a vault, a sub-account, or an API wallet of a master. */
  setRole(address: string, role: Role, master: string | null = null): Promise<void> {
    return this.control('setRole', address, role, master)
  }

  sanction(address: string): Promise<void> {
    return this.control('sanction', address)
  }

  /** Makes an account a unified one: perps and spot USDC are one balance. */
  unify(address: string): Promise<void> {
    return this.control('unify', address)
  }

  /** Part of a spot balance that orders hold, in units of `weiDecimals`. */
  holdBalance(address: string, tokenId: string, units: bigint): Promise<void> {
    return this.control('holdBalance', address, tokenId, units)
  }

  /** Archived blocks that the explorer shows in a day. */
  setArchiveLimit(most: number): Promise<void> {
    return this.control('setArchiveLimit', most)
  }
}

export const LOCAL_HYPERLIQUID: LedgerKind<LocalHyperliquid> = {
  module: new URL('./openLocalHyperliquid.js', import.meta.url).href,
  open,
  blockMs: 500,
  handle: (parts) => new LocalHyperliquid(parts),
}

/** Starts a local exchange on 127.0.0.1. @throws Error with the end of its log if it does not start */
export const startLocalHyperliquid = (options: LocalChainOptions): Promise<LocalHyperliquid> =>
  startLedger(LOCAL_HYPERLIQUID, options)
