import { type Outpoint, outpointText } from '../../payout/coins/coin.js'
import type { BitcoinSource } from '../../rpc/bitcoinSource.js'

/** Why a transaction cannot come any more: another one spends what it spends. */
export interface Conflict {
  readonly outpoint: string
  readonly txId: string
  /** 0 while it waits in the mempool. */
  readonly confirmations: bigint
}

/**
 * What took the place of a transaction, null while nothing did: one that spends one of its outpoints, in a block where one is.
 * A node that does not know what made an outpoint proves nothing by that. `since`: the height from which on they can have been
 * spent.
 */
export const findConflict = async (
  source: BitcoinSource,
  { txId, spent, since }: { readonly txId: string; readonly spent: readonly Outpoint[]; readonly since: bigint },
): Promise<Conflict | null> => {
  let found: Conflict | null = null
  for (const outpoint of spent) {
    if ((await source.transaction(outpoint.txId)) === null) continue
    const spend = await source.spend(outpoint, since)
    if (spend === null || spend.txId === txId) continue
    const conflict = { outpoint: outpointText(outpoint), ...spend }
    if (spend.confirmations > 0n) return conflict
    found ??= conflict
  }
  return found
}
