import type { Pool, PoolClient } from 'pg'
import type { AttemptState, Payout } from '../chain/laneAdapter.js'
import { locatorMember } from '../chain/txLocator.js'
import { lockDeposits } from '../deposit/depositPresence.js'
import { contra, type LedgerPosting, postLedger, reversePostings } from '../ledger/ledger.js'
import { fillPosting, gasPosting, parkExcessPosting, refundPosting, withdrawPosting } from '../ledger/postings.js'
import { type BalanceMove, moveOf } from '../request/balanceMoves.js'
import { changeStatuses, type StatusChange } from '../request/changeStatus.js'
import { type ReceivedAmount, saveReceived } from '../request/receivedAmounts.js'
import { saveRequestTxs } from '../request/requestTxs.js'
import { arrivalOf } from './arrival.js'
import { toChainPayout } from './chainPayout.js'
import { createPayouts, type NewPayout } from './createPayouts.js'
import { settleDeadWithoutDeposit } from './deadWithoutDeposit.js'
import type { CancelReason, PayoutAction, StoredAttempt, StoredPayout } from './payoutRecord.js'
import { countShortFills, forgetShortFill } from './shortFills.js'
import type { Sighting } from './sighting.js'
import { DEPOSIT_LEFT } from './unsignedPayouts.js'

const purposePosting = (payout: StoredPayout, inclusion: number): LedgerPosting => {
  const paid = { chainId: payout.chainId, currency: payout.currency, amount: payout.amount }
  if (payout.purpose === 'withdraw') return withdrawPosting({ payoutId: payout.id, inclusion, paid })
  if (payout.purpose !== 'fill') return refundPosting({ payoutId: payout.id, inclusion, paid, fees: payout.fees })
  const { topup, integratorFee } = payout.data
  return fillPosting({
    payoutId: payout.id,
    inclusion,
    deposit: payout.deposit,
    excess: BigInt(payout.data.excess ?? '0'),
    fees: payout.fees,
    ...(integratorFee === undefined
      ? {}
      : { integratorFee: { ...integratorFee, amount: BigInt(integratorFee.amount) } }),
    paid,
    ...(topup === undefined
      ? {}
      : { topup: { chainId: payout.chainId, currency: topup.currency, amount: BigInt(topup.amount) } }),
  })
}

const gasOf = (
  { payout, attempt }: Pick<Sighting, 'payout' | 'attempt'>,
  native: string,
  blockHash: string,
  { fee, currencyFee = 0n }: { readonly fee: bigint; readonly currencyFee?: bigint | undefined },
): LedgerPosting => {
  const { chainId, currency } = payout
  const taken = { currency, amount: currencyFee }
  return gasPosting({
    chainId,
    currency: native,
    amount: fee,
    txId: attempt.txId,
    inclusion: inclusionOf(attempt, blockHash),
    taken,
  })
}

/** A block that it came back into is another inclusion. */
const inclusionOf = ({ reorgs }: StoredAttempt, blockHash: string): string =>
  reorgs === 0 ? blockHash : `${blockHash}:${reorgs + 1}`

const feesOf = ({ fee, currencyFee }: StoredAttempt) => ({ fee: fee ?? 0n, currencyFee: currencyFee ?? 0n })

/** The gas of a sighting; where it was booked in another block, which left the chain, that is taken back. */
const gasPostings = (sighting: Sighting, native: string): LedgerPosting[] => {
  const { attempt, state } = sighting
  const hash = state.block?.hash ?? ''
  const booked = gasOf(sighting, native, hash, state)
  const { blockHash } = attempt
  if (blockHash === null || blockHash === hash) return [booked]
  const left = gasOf(sighting, native, blockHash, feesOf(attempt))
  return [contra(left, `reorged:${inclusionOf(attempt, blockHash)}`), booked]
}

const MARK_ATTEMPT = {
  name: 'attempt_mark',
  text: `update payout_attempts set state = $4, block_height = $5, block_hash = $6, fee = $7, currency_fee = $8
    where payout_id = $1 and generation = $2 and version = $3`,
}

const ATTEMPT_LEFT = {
  name: 'attempt_left',
  text: `update payout_attempts set state = 'broadcast', block_height = null, block_hash = null, fee = null, currency_fee = null,
    reorgs = reorgs + 1 where payout_id = $1 and generation = $2 and version = $3`,
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
      state.fee.toString(),
      state.currencyFee?.toString() ?? null,
    ],
  })

const movePayout = (
  client: PoolClient,
  id: string,
  from: readonly string[],
  to: string,
  next: { readonly action: PayoutAction; readonly at: number } | null,
  now: number,
) =>
  client.query({
    name: 'payout_move',
    text: `update payouts set state = $3, next_action = $4, next_action_at = to_timestamp($5 / 1000.0),
      updated_at = to_timestamp($6 / 1000.0), attempts = 0, trouble = null, trouble_since = null where id = $1 and state = any($2)`,
    values: [id, from, to, next?.action ?? null, next?.at ?? null, now],
  })

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
    purposePosting(sighting.payout, sighting.payout.inclusions + 1),
    ...gasPostings(sighting, native),
  ])
  const submitted = done.flatMap(({ payout }) => toSubmitted(payout, now))
  const finished = done.flatMap(({ payout }) => belowMinimum.get(payout.requestId ?? '0x') ?? toFinished(payout))
  await Promise.all([
    postLedger(client, postings, now),
    saveOutTxs(client, done, 'success', now),
    dropSuperseded(client, done),
    // A crash may have come between the broadcast and its record: the request passes `submitted` all the same.
    changeStatuses(client, submitted, now),
    changeStatuses(client, finished, now),
    saveReceived(client, done.flatMap(leftByCallsOf)),
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
    fee: state.fee.toString(),
    currency_fee: state.currencyFee?.toString() ?? null,
  }))
  const { rows: moved } = await client.query<{ id: string }>({
    name: 'payouts_included',
    text: `with s as (
        select * from jsonb_to_recordset($1::jsonb) as s(id bigint, generation int, version int, height bigint, hash text,
          time bigint, fee numeric, currency_fee numeric)
      ), p as (
        update payouts p set state = 'included', inclusions = p.inclusions + 1, included_height = s.height,
          included_at = to_timestamp(s.time), next_action = 'settle', next_action_at = to_timestamp($2 / 1000.0),
          updated_at = to_timestamp($3 / 1000.0), attempts = 0, trouble = null, trouble_since = null
        from s where p.id = s.id and p.state = 'signed' returning p.id
      ), marked as (
        update payout_attempts a set state = 'included', block_height = s.height, block_hash = s.hash, fee = s.fee,
          currency_fee = s.currency_fee
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

/** What calls within a fill left for its recipient, where the chain shows it. */
const leftByCallsOf = ({ payout: { purpose, requestId }, state: { received } }: Sighting): ReceivedAmount[] =>
  purpose === 'fill' && requestId !== null && received !== undefined ? [{ requestId, amount: received }] : []

/** What a payment moved: of the currency that arrived, where that is another one, the recipient's part alone. */
const payoutMoves = (payout: Payout, { paid, currencyFee = 0n }: AttemptState): readonly BalanceMove[] => {
  const { from, to, money, swap, calls } = payout
  const sent = moveOf(from, null, { currency: money.currency, amount: money.amount + currencyFee })
  // What calls did with the money only they know.
  const arrived = { currency: swap?.offer.to ?? money.currency, amount: calls.length > 0 ? 0n : (paid ?? 0n) }
  return [...sent, ...moveOf(null, to.address, arrived)]
}

const saveOutTxs = (client: PoolClient, sightings: readonly Sighting[], status: 'success' | 'failure', now: number) =>
  saveRequestTxs(
    client,
    sightings.flatMap(({ payout, attempt, state }) =>
      payout.requestId === null
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
const dropSuperseded = async (client: PoolClient, sightings: readonly Sighting[]): Promise<void> => {
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

/**
 * Beyond any reorg. A fill whose deposit was larger than needed now returns the excess, once; not while the deposit is away from its
 * chain: should it come back, the fill is finished again (`reopenExcess`).
 */
export const recordFinal = async (
  client: PoolClient,
  payouts: readonly StoredPayout[],
  excess: readonly NewPayout[],
  now: number,
): Promise<void> => {
  const withdrawn = payouts.filter(({ purpose }) => purpose === 'withdraw').map(({ deposit }) => deposit.id)
  await Promise.all([
    client.query({
      name: 'payouts_final',
      text: `update payouts set state = 'final', next_action = null, next_action_at = null,
        updated_at = to_timestamp($2 / 1000.0), attempts = 0, trouble = null, trouble_since = null where id = any($1::bigint[]) and state = 'included'`,
      values: [payouts.map(({ id }) => id), now],
    }),
    createPayouts(client, excess, now),
    markWithdrawn(client, withdrawn, now),
  ])
}

/** What fills did not need and is not worth its gas is parked, but for deposits that are away from their chain now. */
export const parkExcess = async (client: PoolClient, fills: readonly StoredPayout[], now: number): Promise<void> => {
  if (fills.length === 0) return
  const presence = await lockDeposits(
    client,
    fills.map(({ deposit }) => deposit.id),
  )
  const postings = fills
    .filter(({ deposit }) => presence.get(deposit.id)?.onChain === true)
    .map(({ id: payoutId, deposit, data }) =>
      parkExcessPosting({ ...deposit, depositId: deposit.id, payoutId, amount: BigInt(data.excess ?? '0') }),
    )
  await postLedger(client, postings, now)
}

const markWithdrawn = async (client: PoolClient, depositIds: readonly string[], now: number): Promise<void> => {
  if (depositIds.length === 0) return
  await client.query({
    name: 'deposits_withdrawn',
    text: 'update deposits set withdrawn_at = to_timestamp($2 / 1000.0) where id = any($1::bigint[])',
    values: [depositIds, now],
  })
}

/** A withdrawal whose request somebody else submitted: booked without a transaction of ours. */
export const recordWithdrawnByOthers = async (client: PoolClient, payout: StoredPayout, now: number): Promise<void> => {
  // Before the payout's row, as the watcher locks them.
  await lockDeposits(client, [payout.deposit.id])
  const moved = await movePayout(client, payout.id, ['ready'], 'final', null, now)
  if (moved.rowCount === 0) return
  await postLedger(client, [purposePosting(payout, payout.inclusions + 1)], now)
  await markWithdrawn(client, [payout.deposit.id], now)
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
    const { cause, event } = purposePosting(payout, payout.inclusions)
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
const recordLeft = async (
  client: PoolClient,
  { payout, attempts, native }: { readonly payout: StoredPayout } & LeftAttempts,
  now: number,
): Promise<void> => {
  for (const attempt of attempts) {
    await client.query({ ...ATTEMPT_LEFT, values: [payout.id, attempt.generation, attempt.version] })
    const blockHash = attempt.blockHash ?? ''
    const gas = gasOf({ payout, attempt }, native, blockHash, feesOf(attempt))
    await postLedger(client, [contra(gas, `reorged:${inclusionOf(attempt, blockHash)}`)], now)
  }
}

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
  if (state.revert !== null) await noteInData(client, payout.id, 'revert', state.revert)
  const isUnpaid = state.status === 'success' && arrivalOf(toChainPayout(payout), state) === 'nothing'
  if (isUnpaid) await rememberWhy(client, payout.id, 'DESTINATION_TOKEN_TRANSFER_REJECTED')
}

/** Keeps why a generation is given up until its death is proven. */
export const rememberWhy = (db: Pool | PoolClient, payoutId: string, why: CancelReason): Promise<void> =>
  noteInData(db, payoutId, 'cancelled', why)

const noteInData = async (
  db: Pool | PoolClient,
  payoutId: string,
  name: 'cancelled' | 'revert',
  text: string,
): Promise<void> => {
  await db.query(
    `update payouts set data = (coalesce(data, '{}')::jsonb || jsonb_build_object($2::text, $3::text))::text where id = $1`,
    [payoutId, name, text],
  )
}

/** The proof that a generation can never land: everything a successor needs (architecture.md 3). */
export interface DeathProof {
  readonly payout: StoredPayout
  readonly proof: string
  /** Of its transactions those that were in a block, and are in none any more. */
  readonly left?: LeftAttempts
}

export interface LeftAttempts {
  readonly attempts: readonly StoredAttempt[]
  /** Currency of their gas. */
  readonly native: string
}

/** A version that the proof of death says nothing of: found on the chain, and given to the payout, since it was judged. */
export class GenerationChangedError extends Error {
  override readonly name = 'GenerationChangedError'
  constructor({ id, generation }: StoredPayout) {
    super(`Generation ${generation} of payout ${id} has another transaction than those that were proven dead.`)
  }
}

const killGeneration = async (client: PoolClient, { payout, proof, left }: DeathProof, now: number): Promise<void> => {
  const { rowCount } = await client.query({
    name: 'generation_dead',
    text: `update payout_generations g set state = 'dead', proof = $3
      where g.payout_id = $1 and g.generation = $2 and g.state = 'live' and not exists (
        select from payout_attempts a where a.payout_id = $1 and a.generation = $2 and a.tx_id <> all($4::text[]))`,
    values: [payout.id, payout.generation, proof, payout.live.map(({ txId }) => txId)],
  })
  if (rowCount === 0 && payout.live.length > 0) throw new GenerationChangedError(payout)
  if (left !== undefined) await recordLeft(client, { payout, ...left }, now)
}

/**
 * The generation is dead and the payment is tried again under new guards; the time it is given begins with its next broadcast. While
 * its deposit is away from its chain nothing follows (faults.md F125).
 */
export const recordNewGeneration = async (client: PoolClient, death: DeathProof, now: number): Promise<void> => {
  const { payout } = death
  const presence = (await lockDeposits(client, [payout.deposit.id])).get(payout.deposit.id)
  await killGeneration(client, death, now)
  if (presence?.onChain === false) {
    if (await endPayout(client, payout, DEPOSIT_LEFT, now)) {
      await settleDeadWithoutDeposit(client, payout, { inclusion: presence.inclusion, refundReason: null }, now)
    }
    return
  }
  await client.query({
    name: 'payout_retry',
    text: `update payouts set state = 'ready', attempts = attempts + 1, next_action = 'sign', next_action_at = to_timestamp($2 / 1000.0),
      first_broadcast_at = null, trouble = null, trouble_since = null,
      data = (coalesce(data, '{}')::jsonb - 'cancelled' - 'revert')::text, updated_at = to_timestamp($2 / 1000.0) where id = $1 and state = 'signed'`,
    values: [payout.id, now],
  })
}

/** One that is ended unsent must be unsent still: what was found on its chain since may have become its attempt. */
const endPayout = async (
  client: PoolClient,
  { id, live }: StoredPayout,
  reason: string | null,
  now: number,
): Promise<boolean> => {
  const { rowCount } = await client.query({
    name: 'payout_dead',
    text: `update payouts set state = 'dead', fail_reason = $2, next_action = null, next_action_at = null, attempts = 0,
      updated_at = to_timestamp($3 / 1000.0) where id = $1 and state = any($4)`,
    values: [id, reason, now, live.length > 0 ? ['signed', 'ready'] : ['ready']],
  })
  return rowCount === 1
}

/**
 * The fill is dead for good: its payout ends, and only in this same transaction may the outcome turn into a refund. `burnt`: it
 * reverted by the doing of its own order, which is remembered of the recipient (faults.md F124). False when it had ended before,
 * because its deposit left the chain, or was paid after all: then nothing is to follow.
 */
export const recordFillDead = async (
  client: PoolClient,
  death: DeathProof,
  now: number,
  burnt: boolean,
): Promise<boolean> => {
  await lockDeposits(client, [death.payout.deposit.id])
  await killGeneration(client, death, now)
  if (burnt) await markBurnt(client, death.payout.id, now)
  return endPayout(client, death.payout, null, now)
}

const markBurnt = async (client: PoolClient, payoutId: string, now: number): Promise<void> => {
  await client.query({
    name: 'payout_burnt',
    text: 'update payouts set burnt_at = to_timestamp($2 / 1000.0) where id = $1',
    values: [payoutId, now],
  })
}
