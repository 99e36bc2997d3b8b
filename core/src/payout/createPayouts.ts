import type { PoolClient } from 'pg'
import type { Destination } from '../chain/chainReferences.js'
import { destinationText } from '../chain/destination.js'
import type { PayoutPurpose } from '../chain/laneAdapter.js'
import { toBytea } from '../database/hexBytea.js'
import { wakeLane } from '../database/notifier.js'
import type { Hex } from '../money/hex.js'
import { DEPOSIT_LEFT } from './ground/unsignedPayouts.js'
import type { PayoutAction, PayoutData } from './payoutRecord.js'

/** A payout about to exist; each purpose is paid once for its cause, which is the deposit unless it names another. */
export interface NewPayout {
  readonly purpose: PayoutPurpose
  /** Null: no deposit is what it rests on. */
  readonly depositId: string | null
  /** As `request:…` or `claim:…`; absent: the deposit. */
  readonly cause?: string
  readonly requestId: Hex | null
  readonly orderId: Hex
  readonly chainId: number
  readonly signer: string
  readonly recipient: Destination
  readonly currency: string
  readonly amount: bigint
  readonly fees: bigint
  readonly data: PayoutData
  readonly action?: PayoutAction
  /** Unix milliseconds. */
  readonly at: number
}

/** A payout that rests on a deposit. */
export type DepositPayout = NewPayout & { readonly depositId: string }

/**
 * Deposits are locked whatever became of them, so that one cannot leave or come back unseen before the commit. What ended because
 * its deposit had left begins again, under its own number, with what is decided now.
 */
const CREATE = {
  name: 'payouts_create',
  text: `with p as (
      select * from jsonb_to_recordset($1::jsonb) as p(purpose text, deposit_id bigint, cause text, request_id text, order_id text, chain_id bigint,
        signer text, recipient text, currency text, amount numeric, fees numeric, data text, action text, at bigint,
        topup_currency text, topup_amount numeric, earns boolean)
    ), d as (
      select id, state from deposits where id in (select deposit_id from p) order by id for share
    )
    insert into payouts (purpose, cause, deposit_id, request_id, order_id, chain_id, signer, recipient, currency, amount, fees,
      data, state, created_at, updated_at, next_action, next_action_at, topup_currency, topup_amount, earning)
    select p.purpose, coalesce(p.cause, 'deposit:' || p.deposit_id), p.deposit_id, decode(p.request_id, 'hex'), decode(p.order_id, 'hex'), p.chain_id,
      p.signer, p.recipient, p.currency, p.amount, p.fees, p.data, 'ready', to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0),
      p.action, to_timestamp(p.at / 1000.0), p.topup_currency, p.topup_amount, case when p.earns then 'open' end
    from p left join d on d.id = p.deposit_id where p.deposit_id is null or d.state = 'included'
    on conflict (purpose, cause) do update set request_id = excluded.request_id, order_id = excluded.order_id,
      chain_id = excluded.chain_id, signer = excluded.signer, recipient = excluded.recipient, currency = excluded.currency,
      amount = excluded.amount, fees = excluded.fees, data = excluded.data, state = 'ready', fail_reason = null, details = null,
      attempts = 0, first_broadcast_at = null, created_at = excluded.created_at, updated_at = excluded.updated_at,
      next_action = excluded.next_action, next_action_at = excluded.next_action_at,
      topup_currency = excluded.topup_currency, topup_amount = excluded.topup_amount, earning = excluded.earning
      where payouts.state = 'dead' and payouts.fail_reason = '${DEPOSIT_LEFT}'
        and not exists (select from payout_generations g where g.payout_id = payouts.id and g.state = 'live')
    returning id::text as id, exists (select from imported_transactions where payout_id is null) as imported`,
}

/** A withdrawal takes all of its deposit: another amount is that of another deposit of the same order. */
const WITHDRAWS_ALL = `(p.purpose <> 'withdraw' or i.amount = p.amount)`

/** Whether another payout has the row of a found transaction: of one that pays several orders the first that is taken. */
export const IS_CARRIED = `(row_number() over (partition by pairs.chain_id, pairs.tx_id order by pairs.id) > 1 or exists (
          select from payout_attempts o where o.chain_id = pairs.chain_id and o.tx_id = pairs.tx_id and not o.carried))`

/** `raw` and `prepared` of a found transaction: nobody has its bytes. */
export const FOUND_BYTES = `case when carried then null else '0x' end,
        case when carried then null else json_build_object('transaction', null, 'guards', guard_keys::json)::text end`

/**
 * An outgoing transaction found on the chain that pays just this becomes its attempt, so that it is not paid again. Fills and
 * refunds differ by their chain; recipient and currency must agree.
 */
const ADOPT = {
  name: 'payouts_adopt',
  text: `with fitting as (
      select p.id, i.chain_id, i.tx_id, i.part, i.locator, i.guard_keys, i.amount,
        row_number() over (partition by p.id order by abs(i.amount - p.amount), i.created_at, i.tx_id, i.part) as place,
        row_number() over (partition by i.chain_id, i.tx_id, i.part order by abs(i.amount - p.amount), p.id) as claim
      from payouts p join imported_transactions i on i.order_id = p.order_id and i.chain_id = p.chain_id and i.payout_id is null
        and i.status <> 'reverted' and lower(i.recipient) = lower(p.recipient) and i.currency = p.currency
        and (i.purpose is null and p.purpose in ('fill', 'refund', 'claim', 'send') or i.purpose = p.purpose)
        and ${WITHDRAWS_ALL} and (i.amount = p.amount or not $3)
      where p.id = any($1::bigint[]) and p.generation = 0
    ), pairs as (
      -- Each pays one payout, that whose amount is nearest. What is left over is held back (paidOtherwise), not paid.
      select * from fitting where place = 1 and claim = 1
    ), taken as (
      update imported_transactions i set payout_id = pairs.id from pairs where i.chain_id = pairs.chain_id and i.tx_id = pairs.tx_id
        and i.part = pairs.part
    ), generations as (
      insert into payout_generations (payout_id, generation, state) select id, 1, 'live' from pairs
    ), attempts as (
      insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch,
        created_at, broadcast_at, locator, carried)
      select id, 1, 1, 'pay', chain_id, tx_id, ${FOUND_BYTES}, 0, 'broadcast', 0, to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0),
        locator, carried from (select pairs.*, ${IS_CARRIED} as carried from pairs) pairs
    ), guards as (
      insert into payout_guards (chain_id, guard_key, payout_id, generation)
      select chain_id, key, id, 1 from pairs, json_array_elements_text(guard_keys::json) key on conflict do nothing
    )
    update payouts p set state = 'signed', generation = 1, next_action = 'track', next_action_at = to_timestamp($2 / 1000.0),
      first_broadcast_at = to_timestamp($2 / 1000.0),
      -- What was really paid stands; of a refund the rest was kept for its gas.
      amount = pairs.amount, fees = case when p.purpose in ('fill', 'claim') then p.fees else p.amount + p.fees - pairs.amount end
    from pairs where p.id = pairs.id`,
}

/** Whether a found transaction, as `i`, has a guard of a payout, as `p`, or of one that shares a transaction with it. */
const SHARES_GUARD = `exists (select from payout_guards g, json_array_elements_text(i.guard_keys::json) key
            where g.chain_id = i.chain_id and g.guard_key = key and (g.payout_id = p.id or exists (
              select from payout_attempts a join payout_attempts b on b.chain_id = a.chain_id and b.tx_id = a.tx_id
              where a.payout_id = p.id and b.payout_id = g.payout_id)))`

/**
 * The same for payouts that were there before the transaction was found: what waits to be signed becomes signed by it, and one that
 * was sent has it as a further version, so that its guard, spent by just that, is no proof of death. An order is filled once, but each
 * of its deposits may be refunded: what shares no guard with a refund that was sent pays another one, unless that turns out dead.
 */
const ADOPT_OPEN = {
  name: 'payouts_adopt_open',
  text: `with fitting as (
      select i.chain_id, i.tx_id, i.part, i.locator, i.guard_keys, i.amount, p.id, p.state = 'ready' as fresh,
        case when p.state = 'ready' then p.generation + 1 else p.generation end as generation,
        row_number() over (partition by p.id order by i.created_at, i.tx_id, i.part) as n,
        first_value(i.guard_keys) over (partition by p.id order by i.created_at, i.tx_id, i.part) as first_keys
      from imported_transactions i cross join lateral (
        select * from payouts p where p.order_id = i.order_id and p.chain_id = i.chain_id and p.state in ('ready', 'signed')
          and lower(p.recipient) = lower(i.recipient) and p.currency = i.currency
          and (i.purpose is null and p.purpose in ('fill', 'refund', 'claim', 'send') or i.purpose = p.purpose)
          and ${WITHDRAWS_ALL} and (p.state = 'ready' or p.purpose in ('fill', 'withdraw') or ${SHARES_GUARD})
        -- One order may have several deposits: a payout that holds its guard, else one of its amount, else one that nothing pays yet.
        order by ${SHARES_GUARD} desc, p.amount = i.amount desc, p.state = 'ready' desc, abs(p.amount - i.amount), p.id limit 1) p
      where i.chain_id = $1 and i.signer = $2 and i.payout_id is null and i.status <> 'reverted'
    ), pairs as (
      -- What shares no guard with what a waiting payout is given pays another one.
      select * from fitting where not fresh or guard_keys = first_keys
    ), taken as (
      update imported_transactions i set payout_id = pairs.id from pairs where i.chain_id = pairs.chain_id and i.tx_id = pairs.tx_id
        and i.part = pairs.part
    ), generations as (
      insert into payout_generations (payout_id, generation, state) select id, generation, 'live' from pairs where fresh and n = 1
    ), attempts as (
      insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch,
        created_at, broadcast_at, locator, carried)
      select id, generation, n + coalesce((select max(a.version) from payout_attempts a
          where a.payout_id = pairs.id and a.generation = pairs.generation), 0), 'pay', chain_id, tx_id, ${FOUND_BYTES}, 0,
        'broadcast', 0, to_timestamp($3 / 1000.0), to_timestamp($3 / 1000.0), locator, carried
      from (select pairs.*, ${IS_CARRIED} as carried from pairs) pairs
    ), guards as (
      insert into payout_guards (chain_id, guard_key, payout_id, generation)
      select chain_id, key, id, generation from pairs, json_array_elements_text(guard_keys::json) key on conflict do nothing
    )
    update payouts p set state = 'signed', generation = pairs.generation, next_action = 'track',
      next_action_at = to_timestamp($3 / 1000.0), first_broadcast_at = coalesce(p.first_broadcast_at, to_timestamp($3 / 1000.0)),
      amount = case when fresh then pairs.amount else p.amount end,
      fees = case when not fresh or p.purpose in ('fill', 'claim') then p.fees else p.amount + p.fees - pairs.amount end
    from pairs where p.id = pairs.id and pairs.n = 1`,
}

/** Gives outgoing transactions of a lane that the journal did not know to the open payouts they pay, so that none is paid again. */
export const adoptForOpenPayouts = async (
  client: PoolClient,
  lane: { readonly chainId: number; readonly signer: string },
  now: number,
): Promise<void> => {
  const adopt = () => client.query({ ...ADOPT_OPEN, values: [lane.chainId, lane.signer, now] })
  // Each round gives a waiting payout one payment; what is left over may be that of another deposit of the order.
  while ((await adopt()).rowCount !== 0);
}

/**
 * Creates payouts that do not exist yet, in the caller's transaction; those already there are left alone. None is created for a
 * deposit that is not on the chain now (faults.md F125). One whose payment was found on the chain has it as its attempt; one whose
 * order was paid otherwise is never signed (paidOtherwise).
 */
export const createPayouts = async (client: PoolClient, payouts: readonly NewPayout[], now: number): Promise<void> => {
  if (payouts.length === 0) return
  const rows = payouts.map((payout) => ({
    purpose: payout.purpose,
    deposit_id: payout.depositId,
    cause: payout.cause ?? null,
    request_id: payout.requestId?.slice(2) ?? null,
    order_id: payout.orderId.slice(2),
    chain_id: payout.chainId,
    signer: payout.signer,
    recipient: destinationText(payout.recipient),
    currency: payout.currency,
    amount: payout.amount.toString(),
    fees: payout.fees.toString(),
    data: JSON.stringify(payout.data),
    topup_currency: payout.data.topup?.currency ?? null,
    topup_amount: payout.data.topup?.amount ?? null,
    earns: payout.data.earnings !== undefined,
    action: payout.action ?? 'sign',
    at: payout.at,
  }))
  const chainIds = new Set(payouts.map((payout) => payout.chainId))
  const [created] = await Promise.all([
    client.query<{ id: string; imported: boolean }>({ ...CREATE, values: [JSON.stringify(rows), now] }),
    ...[...chainIds].map((chainId) => wakeLane(client, chainId)),
  ])
  await noteRefundTargets(client, payouts)
  if (!created.rows.some(({ imported }) => imported)) return
  const ids = created.rows.map(({ id }) => id)
  const adopt = (exact: boolean) => client.query({ ...ADOPT, values: [ids, now, exact] })
  let { rowCount } = await adopt(false)
  // Payouts of equal amounts have the same payment as their nearest: who got none has another of just that amount.
  while (rowCount !== 0) rowCount = (await adopt(true)).rowCount
}

/** Records of quotes with an address name who is refunded, which may be known only now (wire.md E.5). */
const noteRefundTargets = async (client: PoolClient, payouts: readonly NewPayout[]): Promise<void> => {
  const back = payouts.filter(
    ({ purpose, requestId }) => requestId !== null && (purpose === 'refund' || purpose === 'excess'),
  )
  if (back.length === 0) return
  await client.query({
    name: 'refund_targets_note',
    text: `update requests r set refund_to = t.recipient from unnest($1::bytea[], $2::text[]) as t(id, recipient)
      where r.id = t.id and r.refund_to is null and r.deposit_address is not null`,
    values: [
      back.map(({ requestId }) => toBytea(requestId ?? '0x')),
      back.map(({ recipient }) => destinationText(recipient)),
    ],
  })
}
