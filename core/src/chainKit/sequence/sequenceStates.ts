import { destinationText } from '../../chain/destination.js'
import type { AttemptState, Payout } from '../../chain/laneAdapter.js'
import { larger } from '../../money/compare.js'
import type { LaneMoment, ShownTransaction } from './sequenceChain.js'

const NO_BLOCK = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null, txData: null } as const

/** Whether a transaction is in a block, and whether it succeeded there. */
export const statusOf = ({
  block,
  revert,
}: Pick<ShownTransaction, 'block' | 'revert'>): 'pending' | 'success' | 'reverted' =>
  block === null ? 'pending' : revert === null ? 'success' : 'reverted'

/**
 * The amount that a transaction brought the recipient of a payout: 0 where it failed, or paid another recipient, another tag or another
 * currency (faults.md F24, F123); null where the chain does not show it.
 */
export const paidOf = ({ revert, arrived, to }: ShownTransaction, payout: Payout): bigint | null => {
  if (revert !== null) return 0n
  if (arrived === null) return null
  const currency = payout.swap?.offer.to ?? payout.money.currency
  return to === destinationText(payout.to) && arrived.currency === currency ? arrived.amount : 0n
}

export interface StateContext {
  readonly moment: LaneMoment
  /** `confirmations.settle`. */
  readonly settle: number
  readonly payout: Payout
  /** The account that sent the transaction. */
  readonly account: string
}

/**
 * State of an attempt, as `LaneAdapter.states` returns it. A block that can still leave the chain never counts as deeper than `settle`,
 * and one that cannot always does.
 */
export const stateOf = (shown: ShownTransaction | null, context: StateContext): AttemptState => {
  if (shown === null) return { ...NO_BLOCK, status: 'missing' }
  const { moment, settle, payout, account } = context
  const { tx, block, fee, bearsPart, currencyFee, revert, txData } = shown
  const place = tx.locator === undefined ? {} : { locator: tx.locator }
  if (block === null) return { ...NO_BLOCK, ...place, status: 'pending', txData }
  const { height, final = height } = moment
  // The block may be newer than the head that came with it.
  const depth = Number(larger(height - block.height + 1n, 1n))
  return {
    ...place,
    status: statusOf(shown),
    block,
    confirmations: block.height <= final ? Math.max(depth, settle + 1) : Math.min(depth, Math.max(settle, 1)),
    fee,
    ...(bearsPart === undefined ? {} : { bearsPart }),
    ...(account === payout.from ? {} : { feeFrom: 'capital' }),
    ...(currencyFee === undefined ? {} : { currencyFee }),
    paid: paidOf(shown, payout),
    revert,
    txData,
  }
}
