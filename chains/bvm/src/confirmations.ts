/** Blocks that deposits above an amount need. */
export interface ConfirmationTier {
  /** Satoshis. */
  readonly above: bigint
  readonly confirmations: bigint
}

/**
 * Blocks a deposit needs before it is filled, its own counted: the strictest tier whose amount it exceeds, and never none, for a
 * transaction in the mempool can be replaced.
 */
export const confirmationsFor = (amount: bigint, tiers: readonly ConfirmationTier[], usual: bigint): bigint =>
  tiers.reduce(
    (most, { above, confirmations }) => (amount > above && confirmations > most ? confirmations : most),
    usual < 1n ? 1n : usual,
  )
