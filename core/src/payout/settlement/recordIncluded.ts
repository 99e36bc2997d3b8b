import type { PoolClient } from 'pg'
import { postLedger } from '../../ledger/ledger.js'
import { changeStatuses, type StatusChange } from '../../request/changeStatus.js'
import { type MovedAmounts, saveMoved } from '../../request/movedAmounts.js'
import { saveRequestTxs } from '../../request/requestTxs.js'
import { originTxs, statusByOrigin } from '../origin/originStatus.js'
import type { StoredPayout } from '../payoutRecord.js'
import { lookAgain } from '../sweep/endSweep.js'
import { dropSuperseded, saveOutTxs } from './outTransactions.js'
import { bookedBy, feeBorne, gasPostings } from './payoutPostings.js'
import { countShortFills } from './shortFills.js'
import type { Sighting } from './sighting.js'

/** A payment is on the chain, deep enough for `success`: books it, gas included, and tells. */
export const recordIncluded = async (
  client: PoolClient,
  sightings: readonly Sighting[],
  native: string,
  options: { readonly now: number; readonly settleAt: number },
): Promise<void> => {
  const { now } = options
  const moved = await moveIncluded(client, sightings, options)
  const included = sightings.filter(({ payout }) => moved.has(payout.id))
  const { sightings: done, belowMinimum } = await countShortFills(client, included, now)
  const postings = done.flatMap((sighting) => [
    ...bookedBy(sighting.payout, sighting.payout.inclusions + 1),
    ...gasPostings(sighting, native),
  ])
  const submitted = done.flatMap(({ payout }) => toSubmitted(payout, now))
  const finished = done.flatMap(({ payout }) => belowMinimum.get(payout.requestId ?? '0x') ?? toFinished(payout))
  await Promise.all([
    postLedger(client, postings, now),
    // Before statuses, as the watcher does: requests are locked after their transactions.
    saveOutTxs(client, done, 'success', now),
    saveRequestTxs(
      client,
      done.flatMap((sighting) => originTxs(sighting, 'success')),
      now,
    ),
    dropSuperseded(client, done),
    // A crash may have come between the broadcast and its record: the request passes `submitted` all the same.
    changeStatuses(client, submitted, now),
    changeStatuses(client, finished, now),
    // A relayed transaction moves its request on, unless its deposit was read before and did so.
    changeStatuses(
      client,
      done.flatMap((sighting) => statusByOrigin(sighting, now)),
      now,
    ),
    saveMoved(client, done.flatMap(movedAmounts)),
    lookAgain(
      client,
      done.map(({ payout }) => payout).filter(({ purpose }) => purpose === 'sweep'),
      now,
    ),
  ])
}

/** Moves signed payouts and their attempts to `included` in one statement; returns the payouts that were still signed. */
const moveIncluded = async (
  client: PoolClient,
  sightings: readonly Sighting[],
  { now, settleAt }: { readonly now: number; readonly settleAt: number },
): Promise<Set<string>> => {
  const rows = sightings.map(({ payout, attempt, state }) => ({
    id: payout.id,
    generation: attempt.generation,
    version: attempt.version,
    height: state.block?.height.toString() ?? null,
    hash: state.block?.hash ?? null,
    time: state.block?.time ?? null,
    fee: feeBorne({ attempt, state }).toString(),
    fee_from: state.feeFrom ?? null,
    currency_fee: state.currencyFee?.toString() ?? null,
  }))
  const { rows: moved } = await client.query<{ id: string }>({
    name: 'payouts_included',
    text: `with s as (
        select * from jsonb_to_recordset($1::jsonb) as s(id bigint, generation int, version int, height bigint, hash text,
          time bigint, fee numeric, fee_from text, currency_fee numeric)
      ), p as (
        update payouts p set state = 'included', inclusions = p.inclusions + 1, included_height = s.height,
          included_at = to_timestamp(s.time), next_action = 'settle', next_action_at = to_timestamp($2 / 1000.0),
          updated_at = to_timestamp($3 / 1000.0), attempts = 0, trouble = null, trouble_since = null
        from s where p.id = s.id and p.state = 'signed' returning p.id
      ), marked as (
        update payout_attempts a set state = 'included', block_height = s.height, block_hash = s.hash, fee = s.fee,
          fee_from = s.fee_from, currency_fee = s.currency_fee
        from s join p on p.id = s.id
        where a.payout_id = s.id and a.generation = s.generation and a.version = s.version
      )
      select id::text as id from p`,
    values: [JSON.stringify(rows), settleAt, now],
  })
  return new Set(moved.map(({ id }) => id))
}

const toSubmitted = ({ purpose, requestId }: StoredPayout, now: number): StatusChange[] =>
  purpose === 'fill' && requestId !== null
    ? [{ requestId, to: 'submitted', next: { action: 'await-payout', at: now } }]
    : []

const toFinished = ({ purpose, requestId }: StoredPayout): StatusChange[] => {
  if (requestId === null) return []
  if (purpose === 'fill') return [{ requestId, to: 'success' }]
  if (purpose === 'refund') return [{ requestId, to: 'refund' }]
  return []
}

/**
 * Amount that the recipient received from a fill, after calls too, or from a refund; empty unless the chain shows another than the
 * payout's. A payment that is in a block again takes back what the block before showed.
 */
export const movedAmounts = ({ payout, state }: Sighting): readonly MovedAmounts[] => {
  const { purpose, requestId, amount, data, inclusions } = payout
  if (requestId === null) return []
  const asPaid = inclusions === 0 ? [] : [{ requestId }]
  if (purpose === 'refund')
    return state.paid === null || state.paid === amount ? asPaid : [{ requestId, refunded: state.paid }]
  if (purpose !== 'fill') return []
  const arrived = data.calls === undefined ? state.paid : null
  const received = state.received ?? arrived
  return received === null || (received === amount && data.swap === undefined)
    ? asPaid
    : [{ requestId, amountOut: received }]
}
