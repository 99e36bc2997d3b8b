import type { PoolClient } from 'pg'
import { postLedger } from '../../ledger/ledger.js'
import { saveRequestTxs } from '../../request/requestTxs.js'
import { toChainPayout } from '../chainPayout.js'
import { movePayout } from '../movePayout.js'
import { originTxs } from '../origin/originStatus.js'
import { arrivalOf } from './arrival.js'
import { noteInData, rememberWhy } from './deathJudgement.js'
import { saveOutTxs } from './outTransactions.js'
import { feeBorne, gasPostings } from './payoutPostings.js'
import type { Sighting } from './sighting.js'

const MARK_ATTEMPT = {
  name: 'attempt_mark',
  text: `update payout_attempts set state = $4, block_height = $5, block_hash = $6, fee = $7, currency_fee = $8, fee_from = $9
    where payout_id = $1 and generation = $2 and version = $3`,
}

const markAttempt = (client: PoolClient, { payout, attempt, state }: Sighting, mark: 'included' | 'reverted') =>
  client.query({
    ...MARK_ATTEMPT,
    values: [
      payout.id,
      attempt.generation,
      attempt.version,
      mark,
      state.block?.height.toString() ?? null,
      state.block?.hash ?? null,
      feeBorne({ attempt, state }).toString(),
      state.currencyFee?.toString() ?? null,
      state.feeFrom ?? null,
    ],
  })

/**
 * A transaction of the generation spent its guard without paying (reverted, moved nothing, or the cancel): its gas is booked, its
 * death is to be proven.
 */
export const recordSpent = async (
  client: PoolClient,
  sighting: Sighting,
  native: string,
  options: { readonly now: number; readonly proveAt: number },
): Promise<void> => {
  const { payout, attempt, state } = sighting
  await markAttempt(client, sighting, attempt.kind === 'cancel' ? 'included' : 'reverted')
  await movePayout(client, payout.id, ['signed'], 'signed', { action: 'prove-dead', at: options.proveAt }, options.now)
  await postLedger(client, gasPostings(sighting, native), options.now)
  if (attempt.kind !== 'pay') return
  await saveOutTxs(client, [sighting], 'failure', options.now)
  await saveRequestTxs(client, originTxs(sighting, 'failure'), options.now)
  if (state.revert !== null) await noteInData(client, payout.id, 'revert', state.revert)
  const isUnpaid = state.status === 'success' && arrivalOf(toChainPayout(payout), state) === 'nothing'
  if (isUnpaid) await rememberWhy(client, payout.id, 'DESTINATION_TOKEN_TRANSFER_REJECTED')
}
