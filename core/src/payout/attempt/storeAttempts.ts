import type { PoolClient } from 'pg'
import type { Json } from '../../chain/json.js'
import type { SignedAttempt } from '../../chain/laneAdapter.js'
import { locatorText } from '../../chain/txLocator.js'
import { assertLeaseHeld, type Lease } from '../../database/leases.js'
import { larger } from '../../money/compare.js'
import { GROUNDS, GroundlessPayoutError } from '../ground/payoutGround.js'
import {
  limitsJson,
  SPENDING_CTE,
  SPENT_TOO_MUCH,
  type SpendLimit,
  SpendLimitError,
  spendsOf,
} from '../lane/laneSpending.js'
import { paidOtherwise } from '../lane/paidOrders.js'
import { type PayoutAttempt, type StoredPayout, serializePrepared } from '../payoutRecord.js'

/** The stored position is not the one that the signer went on from: commits were lost, or the lane was read anew (F121). */
export class LaneMovedError extends Error {
  override readonly name = 'LaneMovedError'
  constructor({ chainId, signer }: Pick<AttemptLane, 'chainId' | 'signer'>) {
    super(`The stored position of lane ${chainId} ${signer} is another than the one it signed from.`)
  }
}

/**
 * A signed attempt and the payout it pays. Version 1 opens a generation. Several with the same `signed` are one transaction: the first one
 * has its bytes, its guards and its fee, the others are carried, in all versions alike.
 */
export interface AttemptToStore {
  readonly payout: StoredPayout
  readonly generation: number
  readonly version: number
  readonly signed: SignedAttempt
}

/**
 * The lane that signed, where it went on from and where it goes on (null: as before), what fees are paid in, and what it may sign
 * away in an hour.
 */
export interface AttemptLane {
  readonly chainId: number
  readonly signer: string
  readonly position: { readonly from: Json; readonly to: Json } | null
  readonly height: bigint
  readonly native: string
  readonly limits: readonly SpendLimit[]
}

const STORE = {
  name: 'attempts_store',
  text: `with a as (
      select * from jsonb_to_recordset($1::jsonb) as a(payout_id bigint, generation int, version int, kind text, tx_id text, raw text,
        guards jsonb, carried boolean)
    ), ${GROUNDS}, generations as (
      insert into payout_generations (payout_id, generation, state) select payout_id, generation, 'live' from a where version = 1
    ), guards as (
      insert into payout_guards (chain_id, guard_key, payout_id, generation)
      select $2, key, payout_id, generation from a, jsonb_array_elements_text(guards) key where version = 1 and not carried
      on conflict (chain_id, guard_key) do update set payout_id = excluded.payout_id, generation = excluded.generation
        where payout_guards.payout_id = excluded.payout_id or exists (
          -- A coin that the dead generation of another payout did not spend after all.
          select from payout_generations g where g.payout_id = payout_guards.payout_id
            and g.generation = payout_guards.generation and g.state = 'dead' and not exists (
              -- Nor did those that shared its transaction.
              select from payout_attempts h join payout_attempts c on c.chain_id = h.chain_id and c.tx_id = h.tx_id and c.carried
                join payout_generations l on l.payout_id = c.payout_id and l.generation = c.generation and l.state = 'live'
              where h.payout_id = g.payout_id and h.generation = g.generation))
      returning 1
    ), moved as (
      update payouts p set state = 'signed', generation = a.generation, next_action = 'broadcast',
        next_action_at = to_timestamp($3 / 1000.0), updated_at = to_timestamp($3 / 1000.0), attempts = 0, trouble = null, trouble_since = null
      from a where p.id = a.payout_id and p.state in ('ready', 'signed') and (select firm from ground)
        and (a.version > 1 or not (${paidOtherwise('p')}))
      returning p.id
    )
    select (select count(*) from moved)::int as moved, (select count(*) from guards)::int as guarded,
      (select array_agg(id::text) from groundless) as groundless`,
}

/**
 * A data-modifying CTE cannot be seen by a foreign key of another, so the attempts follow in a statement of their own. It also
 * counts what leaves against the signer's limits and answers the currencies that would pass theirs.
 */
const ATTEMPTS = {
  name: 'attempts_insert',
  text: `with a as (
      select * from jsonb_to_recordset($1::jsonb) as a(payout_id bigint, generation int, version int, kind text, tx_id text, raw text,
        prepared text, fee_cap numeric, spends jsonb, locator text, carried boolean)
    ), spends as (
      select s.currency, s.spent from a, jsonb_to_recordset(a.spends) as s(currency text, spent numeric)
    ), stored as (
      insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch, created_at, locator,
        carried)
      select a.payout_id, a.generation, a.version, a.kind, $2, a.tx_id, a.raw, a.prepared, a.fee_cap, 'stored', $4, to_timestamp($3 / 1000.0),
        a.locator, a.carried
      from a
    ), ${SPENDING_CTE}
    ${SPENT_TOO_MUCH}`,
}

/**
 * Stores signed attempts with their guards and the lane's next position, in the caller's transaction, conditional on the
 * lease and on the position that it was signed from: what was signed under a lost lease, or from memory that the database does not
 * share, is never stored, and what is not stored is never broadcast (invariant 2). Throws LeaseLostError, LaneMovedError,
 * SpendLimitError, GroundlessPayoutError, or an Error when a guard is held by another payout or when a transaction that is no
 * payout of ours paid the order (F120); nothing is stored then. Returns them as stored, in their order.
 */
export const storeAttempts = async (
  client: PoolClient,
  lease: Lease,
  lane: AttemptLane,
  attempts: readonly AttemptToStore[],
  now: number,
): Promise<readonly PayoutAttempt[]> => {
  const stored = markCarried(attempts)
  const rows = JSON.stringify(
    stored.map(({ payout, generation, version, signed, carried }) => ({
      payout_id: payout.id,
      generation,
      version,
      kind: signed.kind,
      tx_id: signed.txId,
      locator: locatorText(signed.locator),
      raw: carried ? null : signed.raw,
      prepared: carried ? null : serializePrepared(signed),
      fee_cap: carried ? '0' : signed.feeCap.toString(),
      guards: signed.guards,
      spends: spendsJson({ payout, version, feeCap: carried ? 0n : signed.feeCap }, lane.native),
      carried,
    })),
  )
  const [{ rows: counted }, { rows: over }] = await Promise.all([
    client.query<{ moved: number; guarded: number; groundless: string[] | null }>({
      ...STORE,
      values: [rows, lane.chainId, now],
    }),
    client.query<{ currency: string }>({
      ...ATTEMPTS,
      values: [rows, lane.chainId, now, lease.epoch.toString(), lane.signer, limitsJson(lane.limits)],
    }),
    assertLeaseHeld(client, lease),
    savePosition(client, lane, now),
  ])
  if (counted[0]?.groundless != null) throw new GroundlessPayoutError(counted[0].groundless)
  if (counted[0]?.moved !== attempts.length) throw new Error('A payout changed while its attempt was signed.')
  const guards = stored
    .filter(({ version, carried }) => version === 1 && !carried)
    .reduce((sum, { signed }) => sum + signed.guards.length, 0)
  if (counted[0].guarded !== guards) throw new Error('A guard is held by another payout.')
  if (over[0] !== undefined) throw new SpendLimitError(lane, over[0].currency)
  return stored.map(toStored)
}

/** Of each transaction one attempt is not carried: the same one in every version. */
const markCarried = (
  attempts: readonly AttemptToStore[],
): readonly (AttemptToStore & { readonly carried: boolean })[] => {
  const holders = new Map<string, AttemptToStore>()
  for (const attempt of attempts) {
    const { txId } = attempt.signed
    const holds = attempt.version > 1 && attempt.payout.live.some(({ carried }) => !carried)
    if (holds || !holders.has(txId)) holders.set(txId, attempt)
  }
  return attempts.map((attempt) => ({ ...attempt, carried: holders.get(attempt.signed.txId) !== attempt }))
}

const toStored = ({
  payout,
  generation,
  version,
  signed,
  carried,
}: AttemptToStore & { readonly carried: boolean }): PayoutAttempt => ({
  payout,
  attempt: {
    ...signed,
    generation,
    version,
    state: 'stored',
    broadcastAt: null,
    blockHeight: null,
    blockHash: null,
    fee: null,
    feeFrom: null,
    currencyFee: null,
    reorgs: 0,
    carried,
  },
})

/** A raised fee counts by what it is more; what is paid counts with the first version alone. */
const spendsJson = (
  { payout, version, feeCap }: Pick<AttemptToStore, 'payout' | 'version'> & { readonly feeCap: bigint },
  native: string,
) => {
  const counted = payout.live.reduce((most, { feeCap }) => larger(most, feeCap), 0n)
  const spends =
    version === 1 ? spendsOf(payout, { native, feeCap }) : [{ currency: native, amount: larger(feeCap - counted, 0n) }]
  return spends.map(({ currency, amount }) => ({ currency, spent: amount.toString() }))
}

const savePosition = async (client: PoolClient, lane: AttemptLane, now: number): Promise<void> => {
  const { chainId, signer, position, height } = lane
  if (position === null) return
  const { rowCount } = await client.query({
    name: 'lane_save',
    text: `update lanes set position = $3, height = $4, updated_at = to_timestamp($5 / 1000.0)
      where chain_id = $1 and signer = $2 and position = $6`,
    values: [chainId, signer, JSON.stringify(position.to), height.toString(), now, JSON.stringify(position.from)],
  })
  if (rowCount !== 1) throw new LaneMovedError(lane)
}
