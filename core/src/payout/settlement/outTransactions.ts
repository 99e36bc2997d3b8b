import type { PoolClient } from 'pg'
import type { AttemptState, Payout } from '../../chain/laneAdapter.js'
import { locatorMember } from '../../chain/txLocator.js'
import { type BalanceMove, moveOf } from '../../request/balanceMoves.js'
import { saveRequestTxs } from '../../request/requestTxs.js'
import { toChainPayout } from '../chainPayout.js'
import type { Sighting } from './sighting.js'

/** What a payment moved: of the currency that arrived, where that is another one, the recipient's part alone. */
export const payoutMoves = (payout: Payout, state: AttemptState): readonly BalanceMove[] => {
  const { paid, received, currencyFee = 0n } = state
  const { from, to, money, swap, calls } = payout
  const sent = moveOf(from, null, { currency: money.currency, amount: money.amount + currencyFee })
  // Calls may spend the money in any way; only the amount that they left is visible on the chain.
  const arrived = {
    currency: swap?.offer.to ?? money.currency,
    amount: received ?? (calls.length > 0 ? 0n : (paid ?? 0n)),
  }
  return [...sent, ...moveOf(null, to.address, arrived)]
}

/** Puts the transactions of payments in blocks on the record of their requests; what was sent for a user is on its other side. */
export const saveOutTxs = (
  client: PoolClient,
  sightings: readonly Sighting[],
  status: 'success' | 'failure',
  now: number,
) =>
  saveRequestTxs(
    client,
    sightings.flatMap(({ payout, attempt, state }) =>
      payout.requestId === null || payout.purpose === 'origin'
        ? []
        : [
            {
              requestId: payout.requestId,
              direction: 'out' as const,
              purpose: payout.purpose,
              chainId: payout.chainId,
              txId: attempt.txId,
              ...locatorMember(attempt),
              position: 0,
              block: state.block,
              fee: state.fee,
              status,
              data: state.txData,
              moves: status === 'success' ? payoutMoves(toChainPayout(payout), state) : [],
              reorg: null,
            },
          ],
    ),
    now,
  )

/** Versions that lost to a bump can never land now: they leave the record. */
export const dropSuperseded = async (client: PoolClient, sightings: readonly Sighting[]): Promise<void> => {
  const bumped = sightings.filter(({ payout }) => payout.live.length > 1 && payout.requestId !== null)
  for (const { payout, attempt } of bumped) {
    const lost = payout.live.filter(({ txId }) => txId !== attempt.txId).map(({ txId }) => txId)
    await client.query(
      `delete from request_txs where request_id = decode($1, 'hex') and direction = 'out' and chain_id = $2 and tx_id = any($3)
       and status = 'pending'`,
      [payout.requestId?.slice(2), payout.chainId, lost],
    )
  }
}
