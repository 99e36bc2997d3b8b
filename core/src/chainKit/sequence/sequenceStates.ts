import type { AttemptState } from '../../chain/laneAdapter.js'
import { larger } from '../../money/compare.js'
import type { SentTransaction } from './sequenceChain.js'

const NOWHERE = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null, txData: null } as const

/** What `LaneAdapter.states` says of what a node shows; `tip` is the newest height. */
export const stateOf = (shown: SentTransaction | null, tip: bigint): AttemptState => {
  if (shown === null) return { ...NOWHERE, status: 'missing' }
  const { tx, status, block, fee, feeFrom, currencyFee, paid, received, revert, txData } = shown
  const place = tx.locator === undefined ? {} : { locator: tx.locator }
  if (status === 'pending' || block === null) return { ...NOWHERE, ...place, status: 'pending', txData }
  return {
    ...place,
    status,
    block,
    // The block may be newer than the head that came with it.
    confirmations: Number(larger(tip - block.height + 1n, 1n)),
    fee,
    ...(feeFrom === undefined ? {} : { feeFrom }),
    ...(currencyFee === undefined ? {} : { currencyFee }),
    paid: status === 'reverted' ? 0n : paid,
    ...(received === undefined ? {} : { received }),
    revert: status === 'reverted' ? revert : null,
    txData,
  }
}
