import type { PoolClient } from 'pg'
import type { AttemptState } from '../chain/laneAdapter.js'
import { contra, type LedgerPosting, postLedger } from '../ledger/ledger.js'
import { fillPosting, gasPosting, refundPosting, withdrawPosting } from '../ledger/postings.js'
import { changeStatuses, type StatusChange } from '../request/changeStatus.js'
import { saveRequestTxs } from '../request/requestTxs.js'
import { createPayouts, type NewPayout } from './createPayouts.js'
import type { PayoutAction, StoredAttempt, StoredPayout } from './payoutRecord.js'

/** A payout, the attempt of it that the chain shows, and where. */
export interface Sighting {
  readonly payout: StoredPayout
  readonly attempt: StoredAttempt
  readonly state: AttemptState
}

const purposePosting = (payout: StoredPayout, inclusion: number): LedgerPosting => {
  const paid = { chainId: payout.chainId, currency: payout.currency, amount: payout.amount }
  if (payout.purpose === 'withdraw') return withdrawPosting({ payoutId: payout.id, inclusion, paid })
  if (payout.purpose !== 'fill') return refundPosting({ payoutId: payout.id, inclusion, paid, fees: payout.fees })
  const { topup } = payout.data
  return fillPosting({
    payoutId: payout.id,
    inclusion,
    deposit: payout.deposit,
    excess: BigInt(payout.data.excess ?? '0'),
    fees: payout.fees,
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
  return gasPosting({ chainId, currency: native, amount: fee, txId: attempt.txId, inclusion: blockHash, taken })
}

const feesOf = ({ fee, currencyFee }: StoredAttempt) => ({ fee: fee ?? 0n, currencyFee: currencyFee ?? 0n })

const MARK_ATTEMPT = {
  name: 'attempt_mark',
  text: `update payout_attempts set state = $4, block_height = $5, block_hash = $6, fee = $7, currency_fee = $8
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
      updated_at = to_timestamp($6 / 1000.0), attempts = 0 where id = $1 and state = any($2)`,
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
  const done = sightings.filter(({ payout }) => moved.has(payout.id))
  const postings = done.flatMap((sighting) => [
    purposePosting(sighting.payout, sighting.payout.inclusions + 1),
    gasOf(sighting, native, sighting.state.block?.hash ?? '', sighting.state),
  ])
  const submitted = done.flatMap(({ payout }) => toSubmitted(payout, now))
  const finished = done.flatMap(({ payout }) => toFinished(payout))
  await Promise.all([
    postLedger(client, postings, now),
    saveOutTxs(client, done, 'success', now),
    dropSuperseded(client, done),
    // A crash may have come between the broadcast and its record: the request passes `submitted` all the same.
    changeStatuses(client, submitted, now),
    changeStatuses(client, finished, now),
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
          updated_at = to_timestamp($3 / 1000.0), attempts = 0
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
              position: 0,
              block: state.block,
              fee: state.fee,
              status,
              data: state.txData,
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

/** Beyond any reorg. A fill whose deposit was larger than needed now returns the excess, once. */
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
        updated_at = to_timestamp($2 / 1000.0), attempts = 0 where id = any($1::bigint[]) and state = 'included'`,
      values: [payouts.map(({ id }) => id), now],
    }),
    createPayouts(client, excess, now),
    markWithdrawn(client, withdrawn, now),
  ])
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
  const moved = await movePayout(client, payout.id, ['ready'], 'final', null, now)
  if (moved.rowCount === 0) return
  await postLedger(client, [purposePosting(payout, payout.inclusions + 1)], now)
  await markWithdrawn(client, [payout.deposit.id], now)
}

/**
 * A transaction left the chain, the payment or what spent its guard without paying: its postings are reversed and the same bytes
 * go out again (design 3, step 4), with as much time as they had at first.
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
  await client.query({
    ...MARK_ATTEMPT,
    values: [payout.id, attempt.generation, attempt.version, 'broadcast', null, null, null, null],
  })
  const blockHash = attempt.blockHash ?? ''
  await postLedger(
    client,
    [
      ...(payout.state === 'included'
        ? [contra(purposePosting(payout, payout.inclusions), `reorged:${payout.inclusions}`)]
        : []),
      contra(gasOf({ payout, attempt }, native, blockHash, feesOf(attempt)), `reorged:${blockHash}`),
    ],
    now,
  )
  if (payout.requestId === null) return
  await client.query(
    `update request_txs set status = 'pending', block_height = null, block_hash = null, block_time = null
     where request_id = decode($1, 'hex') and direction = 'out' and chain_id = $2 and tx_id = $3`,
    [payout.requestId.slice(2), payout.chainId, attempt.txId],
  )
}

/** A transaction of the generation spent its guard without paying (reverted, or the cancel): its gas is booked, its death is to be proven. */
export const recordSpent = async (
  client: PoolClient,
  sighting: Sighting,
  native: string,
  options: { readonly now: number; readonly proveAt: number },
): Promise<void> => {
  const { payout, attempt, state } = sighting
  await markAttempt(client, sighting, attempt.kind === 'cancel' ? 'included' : 'reverted')
  await movePayout(client, payout.id, ['signed'], 'signed', { action: 'prove-dead', at: options.proveAt }, options.now)
  await postLedger(client, [gasOf(sighting, native, state.block?.hash ?? '', state)], options.now)
  if (attempt.kind === 'pay') await saveOutTxs(client, [sighting], 'failure', options.now)
}

/** The proof that a generation can never land: everything a successor needs (design 3). */
export interface DeathProof {
  readonly payout: StoredPayout
  readonly proof: string
}

const killGeneration = (client: PoolClient, { payout, proof }: DeathProof) =>
  client.query({
    name: 'generation_dead',
    text: `update payout_generations set state = 'dead', proof = $3 where payout_id = $1 and generation = $2 and state = 'live'`,
    values: [payout.id, payout.generation, proof],
  })

/** The generation is dead and the payment is tried again under new guards; the time it is given begins with its next broadcast. */
export const recordNewGeneration = async (client: PoolClient, death: DeathProof, now: number): Promise<void> => {
  await killGeneration(client, death)
  await client.query({
    name: 'payout_retry',
    text: `update payouts set state = 'ready', attempts = attempts + 1, next_action = 'sign', next_action_at = to_timestamp($2 / 1000.0),
      first_broadcast_at = null,
      data = (coalesce(data, '{}')::jsonb - 'cancelled')::text, updated_at = to_timestamp($2 / 1000.0) where id = $1 and state = 'signed'`,
    values: [death.payout.id, now],
  })
}

/** The fill is dead for good: its payout ends, and only in this same transaction may the outcome turn into a refund. */
export const recordFillDead = async (client: PoolClient, death: DeathProof, now: number): Promise<void> => {
  await killGeneration(client, death)
  await movePayout(client, death.payout.id, ['signed', 'ready'], 'dead', null, now)
}
