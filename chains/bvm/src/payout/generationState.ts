import type { PayoutVerdict } from '@causeway/core/chain'
/** Who spends an outpoint, as a node shows it; null while nobody does. */
export interface Spend {
  readonly txId: string
  /** Blocks on top of it, its own counted; 0 in the mempool. */
  readonly confirmations: bigint
}

/**
 * Whether a generation of a payout can never land any more. Its versions share their outpoints, and an outpoint is spent once:
 * as soon as a final transaction that is none of the versions holds one of them, no version can be in a block. What is not
 * deeper than `settle` proves nothing, since a reorg can give the outpoint back.
 */
export const judgeGeneration = (
  spends: readonly (Spend | null)[],
  versions: ReadonlySet<string>,
  settle: bigint,
): PayoutVerdict => {
  const final = spends.flatMap((spend) => (spend !== null && spend.confirmations > settle ? [spend] : []))
  if (final.some(({ txId }) => versions.has(txId))) return 'landed'
  return final.length > 0 ? 'dead' : 'alive'
}
