import type { AttemptState } from '../../chain/laneAdapter.js'
import { larger } from '../../money/compare.js'
import type { SentTransaction } from './sequenceChain.js'

const NOWHERE = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null, txData: null } as const

/** Whether a transaction is in a block, and whether it succeeded there. */
export const statusOf = ({
  block,
  revert,
}: Pick<SentTransaction, 'block' | 'revert'>): 'pending' | 'success' | 'reverted' =>
  block === null ? 'pending' : revert === null ? 'success' : 'reverted'

/** What `LaneAdapter.states` says of what a node shows; `tip` is the newest height, `isOther` that another account than the lane's paid. */
export const stateOf = (shown: SentTransaction | null, tip: bigint, isOther: boolean): AttemptState => {
  if (shown === null) return { ...NOWHERE, status: 'missing' }
  const { tx, block, fee, currencyFee, paid, revert, txData } = shown
  const place = tx.locator === undefined ? {} : { locator: tx.locator }
  if (block === null) return { ...NOWHERE, ...place, status: 'pending', txData }
  return {
    ...place,
    status: statusOf(shown),
    block,
    // The block may be newer than the head that came with it.
    confirmations: Number(larger(tip - block.height + 1n, 1n)),
    fee,
    ...(isOther ? { feeFrom: 'capital' } : {}),
    ...(currencyFee === undefined ? {} : { currencyFee }),
    paid: revert === null ? paid : 0n,
    revert,
    txData,
  }
}
