import type { PoolClient } from 'pg'
import { contra, postLedger, reversePostings } from '../../ledger/ledger.js'
import { movePayout } from '../movePayout.js'
import type { StoredAttempt, StoredPayout } from '../payoutRecord.js'
import { bookedBy, feesOf, gasOf, inclusionOf } from './payoutPostings.js'
import { forgetShortFill } from './shortFills.js'

const ATTEMPT_LEFT = {
  name: 'attempt_left',
  text: `update payout_attempts set state = 'broadcast', block_height = null, block_hash = null, fee = null, fee_from = null, currency_fee = null,
    reorgs = reorgs + 1 where payout_id = $1 and generation = $2 and version = $3`,
}

/**
 * A transaction left the chain, the payment or what spent its guard without paying: its postings are reversed and the same bytes
 * go out again (architecture.md 3, step 4), with as much time as they had at first.
 */
export const recordPayoutReorg = async (
  client: PoolClient,
  payout: StoredPayout,
  attempt: StoredAttempt,
  native: string,
  now: number,
): Promise<void> => {
  const moved = await movePayout(client, payout.id, [payout.state], 'signed', { action: 'broadcast', at: now }, now)
  if (moved.rowCount === 0) return
  await client.query('update payouts set first_broadcast_at = null where id = $1', [payout.id])
  await forgetShortFill(client, payout, now)
  await recordLeft(client, { payout, attempts: [attempt], native }, now)
  if (payout.state === 'included') {
    for (const { cause, event } of bookedBy(payout, payout.inclusions))
      await reversePostings(client, { cause, of: event, event: `reorged:${payout.inclusions}` }, now)
  }
  if (payout.requestId === null) return
  await client.query(
    `update request_txs set status = 'pending', block_height = null, block_hash = null, block_time = null, state_changes = null
     where request_id = decode($1, 'hex') and direction = 'out' and chain_id = $2 and tx_id = $3`,
    [payout.requestId.slice(2), payout.chainId, attempt.txId],
  )
}

/** The gas of transactions that are in no block any more was not spent. */
export const recordLeft = async (
  client: PoolClient,
  { payout, attempts, native }: { readonly payout: StoredPayout } & LeftAttempts,
  now: number,
): Promise<void> => {
  for (const attempt of attempts) {
    await client.query({ ...ATTEMPT_LEFT, values: [payout.id, attempt.generation, attempt.version] })
    const blockHash = attempt.blockHash ?? ''
    const gas = gasOf({ payout, attempt }, native, blockHash, feesOf(attempt))
    await postLedger(client, [contra(gas, `reorged:${inclusionOf({ payout, attempt }, blockHash)}`)], now)
  }
}

/** Transactions that were in a block, and are in none any more. */
export interface LeftAttempts {
  readonly attempts: readonly StoredAttempt[]
  /** Currency of their gas. */
  readonly native: string
}
