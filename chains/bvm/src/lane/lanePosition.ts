import type { Json } from '@causeway/core'
import { outpointText } from '../coins/coin.js'
import type { PayoutInput } from '../payout/payoutTransaction.js'

/** A payout that the lane prepared: the id of its first version and the coins it holds, as `outpointText` writes them. */
export interface HeldPayout {
  readonly txId: string
  readonly coins: readonly string[]
  /** Tip when it was prepared. */
  readonly height: bigint
}

/** Where a lane goes on: what its latest payouts hold. A coin that one of them holds is never chosen for another. */
export interface LanePosition {
  /** Tip at the lane's first use: what is in blocks up to there is older than its journal. */
  readonly begin: bigint
  readonly payouts: readonly HeldPayout[]
}

/** Blocks after which a payout whose coins are all spent is forgotten. */
const KEPT_BLOCKS = 1000n

export const heldPayout = (txId: string, inputs: readonly PayoutInput[], height: bigint): HeldPayout => ({
  txId,
  coins: inputs.map(outpointText),
  height,
})

export const heldCoins = ({ payouts }: LanePosition): ReadonlySet<string> =>
  new Set(payouts.flatMap(({ coins }) => coins))

/** Without old payouts whose coins are spent: `unspent` names those that are not. */
export const prunePosition = (
  { begin, payouts }: LanePosition,
  unspent: ReadonlySet<string>,
  tip: bigint,
): LanePosition => ({
  begin,
  payouts: payouts.filter(
    ({ coins, height }) => tip - height <= KEPT_BLOCKS || coins.some((coin) => unspent.has(coin)),
  ),
})

export const encodePosition = ({ begin, payouts }: LanePosition): Json => ({
  begin: `${begin}`,
  payouts: payouts.map(({ txId, coins, height }) => ({ txId, coins, height: `${height}` })),
})

/** @throws Error when the stored value was not written by `encodePosition` */
export const decodePosition = (stored: Json): LanePosition => {
  try {
    // CAST: written by encodePosition; anything else fails below.
    const { begin, payouts } = stored as unknown as {
      readonly begin: string
      readonly payouts: readonly { readonly txId: string; readonly coins: readonly string[]; readonly height: string }[]
    }
    return {
      begin: BigInt(begin),
      payouts: payouts.map(({ txId, coins, height }) => ({ txId, coins: [...coins], height: BigInt(height) })),
    }
  } catch (cause) {
    throw new Error('The stored position of this lane cannot be read.', { cause })
  }
}
