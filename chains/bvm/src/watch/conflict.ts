import { type Outpoint, outpointText } from '../coins/coin.js'
import type { BitcoinSource } from '../source/bitcoinSource.js'

/** Why a transaction cannot come any more: another one spends what it spends. */
export interface Conflict {
  readonly outpoint: string
  readonly txId: string
  /** 0 while it waits in the mempool. */
  readonly confirmations: bigint
}

/**
 * What took the place of a transaction, null while nothing did: the deepest of the transactions that spend one of its outpoints.
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
    if (found === null || spend.confirmations > found.confirmations)
      found = { outpoint: outpointText(outpoint), ...spend }
  }
  return found
}
