import type { Json } from '@causeway/core'
import { equalBytes } from '../address/scriptAddress.js'
import { outpointText } from '../payout/coins/coin.js'
import type { PayoutTransaction } from '../payout/payoutTransaction.js'

/** A payout that the lane prepared: the id of its first version and the coins it holds, as `outpointText` writes them. */
export interface HeldPayout {
  readonly txId: string
  readonly coins: readonly string[]
  /** Those of its coins that lie at deposit addresses: free again once another transaction spent one of the lane's own. */
  readonly swept?: readonly string[]
  /** Tip when it was prepared. */
  readonly height: bigint
  /**
   * True once it was proven that none of its versions can land, and of a sweep that is over: what is left of its coins is free when it is
   * forgotten.
   */
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

export const heldPayout = (txId: string, { inputs, sweeps }: PayoutTransaction, height: bigint): HeldPayout => {
  const swept = inputs.filter(({ script }) => sweeps?.some((sweep) => equalBytes(sweep.script, script)))
  return {
    txId,
    coins: inputs.map(outpointText),
    height,
    ...(swept.length === 0 ? {} : { swept: swept.map(outpointText) }),
  }
}

/** What lies at the address of a sweep that is over is free: it was taken, or the next sweep takes it. */
export const heldCoins = ({ payouts }: LanePosition): ReadonlySet<string> =>
  new Set(payouts.flatMap((payout) => (payout.dead === true ? laneCoins(payout) : payout.coins)))

/** Coins of the lane itself. */
export const laneCoins = ({ coins, swept = [] }: HeldPayout): readonly string[] =>
  coins.filter((coin) => !swept.includes(coin))

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
  payouts: payouts.map(({ txId, coins, swept, height, dead }) => ({
    txId,
    coins,
    ...(swept && { swept }),
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
      payouts: payouts.map(({ txId, coins, swept, height, dead }) => ({
        txId,
        coins: [...coins],
        ...(swept && { swept: [...swept] }),
        height: BigInt(height),
        ...(dead === true && { dead }),
      })),
    }
  } catch (cause) {
    throw new Error('The stored position of this lane cannot be read.', { cause })
  }
}
