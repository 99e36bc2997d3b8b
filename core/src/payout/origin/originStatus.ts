import { locatorMember } from '../../chain/txLocator.js'
import type { StatusChange } from '../../request/changeStatus.js'
import type { RequestTx } from '../../request/requestTxs.js'
import type { Sighting } from '../settlement/sighting.js'

/** Where the request of an origin transaction in a block stands: a permit's is moved by its deposit alone (wire.md K.2 2). */
export const statusByOrigin = ({ payout }: Sighting, now: number): readonly StatusChange[] => {
  const { requestId, data } = payout
  if (requestId === null || data.origin?.kind !== 'call') return []
  if (data.origin.alone) return [{ requestId, to: 'success', alone: true }]
  return [{ requestId, to: 'depositing', next: { action: 'await-deposit', at: now + AWAIT_DEPOSIT_MS } }]
}

/** What was sent and brought no deposit is told as overdue after this. */
const AWAIT_DEPOSIT_MS = 3_600_000

/** A user's own side of the record (wire.md 3.1 inTxs): what was sent for it. A permit's stands there with its deposit. */
export const originTxs = (
  { payout, attempt, state }: Sighting,
  status: 'success' | 'failure',
): readonly RequestTx[] => {
  const { requestId, data, chainId } = payout
  if (requestId === null || (data.origin?.kind !== 'call' && status === 'success')) return []
  const directions = data.origin?.kind === 'call' && data.origin.alone ? (['in', 'out'] as const) : (['in'] as const)
  return directions.map((direction) => ({
    requestId,
    direction,
    purpose: direction === 'in' ? 'deposit' : 'fill',
    chainId,
    txId: attempt.txId,
    ...locatorMember(attempt),
    position: 0,
    block: state.block,
    fee: state.fee,
    status,
    data: state.txData,
    moves: [],
    reorg: null,
  }))
}
