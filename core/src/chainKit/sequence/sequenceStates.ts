import type { AttemptState } from '../../chain/laneAdapter.js'
import { larger } from '../../money/compare.js'
import type { LaneMoment, ShownTransaction } from './sequenceChain.js'

const NO_BLOCK = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null, txData: null } as const

/** The state of a transaction that no node shows. */
export const NOWHERE: AttemptState = { ...NO_BLOCK, status: 'missing' }

/**
 * The state of a transaction as a node shows it. A block that can still leave the chain never counts as deeper than `settle`, and one that
 * cannot always does.
 */
export const stateOf = (
  shown: ShownTransaction | null,
  { height, final }: Pick<LaneMoment, 'height' | 'final'>,
  settle: number,
): AttemptState => {
  if (shown === null) return NOWHERE
  const { tx, status, block, fee, feeFrom, currencyFee, paid, received, revert, txData } = shown
  const place = tx.locator === undefined ? {} : { locator: tx.locator }
  if (status === 'pending' || block === null) return { ...NO_BLOCK, ...place, status: 'pending', txData }
  // The block may be newer than the head that came with it.
  const depth = Number(larger(height - block.height + 1n, 1n))
  return {
    ...place,
    status,
    block,
    confirmations: block.height <= final ? Math.max(depth, settle + 1) : Math.min(depth, Math.max(settle, 1)),
    fee,
    ...(feeFrom === undefined ? {} : { feeFrom }),
    ...(currencyFee === undefined ? {} : { currencyFee }),
    paid: status === 'reverted' ? 0n : paid,
    ...(received === undefined ? {} : { received }),
    revert: status === 'reverted' ? revert : null,
    txData,
  }
}
