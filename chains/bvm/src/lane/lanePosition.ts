import type { Json } from '@causeway/core'
import { type Outpoint, outpointText } from '../coins/coin.js'
import type { PayoutInput } from '../payout/payoutTransaction.js'

/** A payout that the lane prepared: the id of its first version and the coins it holds, as `outpointText` writes them. */
export interface HeldPayout {
  readonly txId: string
  readonly coins: readonly string[]
  /** Tip when it was prepared. */
  readonly height: bigint
  /** True once it was proven that none of its versions can land: what is left of its coins is free when it is forgotten. */
  readonly dead?: true
}

/** Where a lane goes on: what its latest payouts hold. A coin that one of them holds is never chosen for another. */
export interface LanePosition {
  /** Tip at the lane's first use: what is in blocks up to there is older than its journal. */
  readonly begin: bigint
  readonly payouts: readonly HeldPayout[]
}

/** Blocks after which a payout that is dead, or all of whose coins final blocks spent, is forgotten. */
const KEPT_BLOCKS = 1000n

export const heldPayout = (txId: string, inputs: readonly PayoutInput[], height: bigint): HeldPayout => ({
  txId,
  coins: inputs.map(outpointText),
  height,
})

export const heldCoins = ({ payouts }: LanePosition): ReadonlySet<string> =>
  new Set(payouts.flatMap(({ coins }) => coins))

/** Payouts so old that they may be forgotten once final blocks spent all that they hold. */
export const oldPayouts = ({ payouts }: LanePosition, tip: bigint): readonly HeldPayout[] =>
  payouts.filter(({ height }) => tip - height > KEPT_BLOCKS)

/** Without payouts that are finished: until then one of their versions may still take their coins. */
export const prunePosition = (
  { begin, payouts }: LanePosition,
  finished: ReadonlySet<string>,
  tip: bigint,
): LanePosition => ({
  begin,
  payouts: payouts.filter(
    ({ txId, dead, height }) => !finished.has(txId) && !(dead === true && tip - height > KEPT_BLOCKS),
  ),
})

/** With payouts marked whose coins are among those of dead ones, each written as `coinsText` does. */
export const markDead = ({ begin, payouts }: LanePosition, dead: ReadonlySet<string>): LanePosition => ({
  begin,
  payouts: payouts.map((payout) => (dead.has(coinsText(payout.coins)) ? { ...payout, dead: true } : payout)),
})

/** Coins of one payout, in whichever order they are told. */
export const coinsText = (coins: readonly string[]): string => [...coins].sort().join(' ')

export const encodePosition = ({ begin, payouts }: LanePosition): Json => ({
  begin: `${begin}`,
  payouts: payouts.map(({ txId, coins, height, dead }) => ({
    txId,
    coins,
    height: `${height}`,
    ...(dead && { dead }),
  })),
})

/** @throws Error when the stored value was not written by `encodePosition` */
export const decodePosition = (stored: Json): LanePosition => {
  try {
    // CAST: written by encodePosition; anything else fails below.
    const { begin, payouts } = stored as unknown as {
      readonly begin: string
      readonly payouts: readonly (Omit<HeldPayout, 'height'> & { readonly height: string })[]
    }
    return {
      begin: BigInt(begin),
      payouts: payouts.map(({ txId, coins, height, dead }) => ({
        txId,
        coins: [...coins],
        height: BigInt(height),
        ...(dead === true && { dead }),
      })),
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
