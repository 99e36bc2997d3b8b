import type { Json } from '@causeway/core'
import { type Outpoint, outpointText } from '../coins/coin.js'
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

/** Blocks after which a payout whose coins a final block spent is forgotten. */
const KEPT_BLOCKS = 1000n

export const heldPayout = (txId: string, inputs: readonly PayoutInput[], height: bigint): HeldPayout => ({
  txId,
  coins: inputs.map(outpointText),
  height,
})

export const heldCoins = ({ payouts }: LanePosition): ReadonlySet<string> =>
  new Set(payouts.flatMap(({ coins }) => coins))

/** Payouts so old that they may be forgotten once a final block spent what they hold. */
export const oldPayouts = ({ payouts }: LanePosition, tip: bigint): readonly HeldPayout[] =>
  payouts.filter(({ height }) => tip - height > KEPT_BLOCKS)

/** Without payouts that are finished: until then one of their versions may still take their coins. */
export const prunePosition = ({ begin, payouts }: LanePosition, finished: ReadonlySet<string>): LanePosition => ({
  begin,
  payouts: payouts.filter(({ txId }) => !finished.has(txId)),
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

/** Outpoints of a held payout. */
export const outpointsOf = ({ coins }: HeldPayout): readonly Outpoint[] =>
  coins.map((text) => {
    const [txId = '', index] = text.split(':')
    return { txId, index: Number(index) }
  })
