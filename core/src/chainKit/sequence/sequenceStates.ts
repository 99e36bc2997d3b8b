import { destinationText } from '../../chain/destination.js'
import type { AttemptState, Payout } from '../../chain/laneAdapter.js'
import { larger } from '../../money/compare.js'
import type { SentTransaction } from './sequenceChain.js'

const NOWHERE = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null, txData: null } as const

/** Whether a transaction is in a block, and whether it succeeded there. */
export const statusOf = ({
  block,
  revert,
}: Pick<SentTransaction, 'block' | 'revert'>): 'pending' | 'success' | 'reverted' =>
  block === null ? 'pending' : revert === null ? 'success' : 'reverted'

/**
 * The amount that a transaction brought the recipient of a payout: 0 where it failed, or paid another recipient, another tag or another
 * currency (faults.md F24, F123); null where the chain does not show it.
 */
export const paidOf = ({ revert, arrived, to }: SentTransaction, payout: Payout): bigint | null => {
  if (revert !== null) return 0n
  if (arrived === null) return null
  return to === destinationText(payout.to) && arrived.currency === payout.money.currency ? arrived.amount : 0n
}

/** State of an attempt, as `LaneAdapter.states` returns it: `account` sent it, `tip` is the newest height. */
export const stateOf = (
  shown: SentTransaction | null,
  { tip, payout, account }: { readonly tip: bigint; readonly payout: Payout; readonly account: string },
): AttemptState => {
  if (shown === null) return { ...NOWHERE, status: 'missing' }
  const { tx, block, fee, currencyFee, revert, txData } = shown
  const place = tx.locator === undefined ? {} : { locator: tx.locator }
  if (block === null) return { ...NOWHERE, ...place, status: 'pending', txData }
  return {
    ...place,
    status: statusOf(shown),
    block,
    // The block may be newer than the head that came with it.
    confirmations: Number(larger(tip - block.height + 1n, 1n)),
    fee,
    ...(account === payout.from ? {} : { feeFrom: 'capital' }),
    ...(currencyFee === undefined ? {} : { currencyFee }),
    paid: paidOf(shown, payout),
    revert,
    txData,
  }
}
