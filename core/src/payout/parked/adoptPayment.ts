import type { PoolClient } from 'pg'
import { destinationText } from '../../chain/destination.js'
import { toBytea } from '../../database/hexBytea.js'
import { ActionRefusedError } from '../../errors/actionRefused.js'
import type { Hex } from '../../money/hex.js'
import { FOUND_BYTES, IS_CARRIED } from '../createPayouts.js'
import type { PaidOrder } from '../lane/paidOrders.js'

/** A payout of which only its payment is known. */
export interface ClosingPayout {
  readonly purpose: 'fill' | 'refund' | 'excess'
  readonly depositId: string
  readonly requestId: Hex | null
  readonly orderId: Hex
  readonly paid: PaidOrder
}

/** Makes the payout of a payment that was found; `takePayment` follows in the same transaction. Returns its number. */
export const insertPayout = async (client: PoolClient, payout: ClosingPayout, now: number): Promise<string> => {
  const { purpose, depositId, requestId, orderId, paid } = payout
  const { rows } = await client.query<{ id: string }>(
    `insert into payouts (purpose, cause, deposit_id, request_id, order_id, chain_id, signer, recipient, currency, amount, data, state,
       created_at, updated_at, next_action, next_action_at)
     values ($1, 'deposit:' || $2, $2::bigint, $3, $4, $5, $6, $7, $8, $9, '{}', 'ready', to_timestamp($10 / 1000.0),
       to_timestamp($10 / 1000.0), 'sign', to_timestamp($10 / 1000.0))
     on conflict (purpose, cause) do nothing returning id::text as id`,
    [
      purpose,
      depositId,
      requestId === null ? null : toBytea(requestId),
      toBytea(orderId),
      paid.chainId,
      paid.signer,
      destinationText(paid.recipient),
      paid.currency,
      paid.amount.toString(),
      now,
    ],
  )
  const id = rows[0]?.id
  if (id === undefined) throw new ActionRefusedError(`Deposit ${depositId} has changed; try again.`)
  return id
}

/** A payout that ended without paying begins again, to take a payment that was found. Returns its number. */
export const reviveForPayment = async (client: PoolClient, id: string, now: number): Promise<string> => {
  const { rowCount } = await client.query(
    `update payouts p set state = 'ready', details = null, fail_reason = null, attempts = 0, next_action = 'sign',
       next_action_at = to_timestamp($2 / 1000.0), updated_at = to_timestamp($2 / 1000.0)
     where id = $1 and state in ('abandoned', 'dead')
       and not exists (select 1 from payout_generations g where g.payout_id = p.id and g.state = 'live')`,
    [id, now],
  )
  if (rowCount !== 1) throw new ActionRefusedError(`Payout ${id} may still land itself.`)
  return id
}

const TAKE = `with i as (
    update imported_transactions set payout_id = $1
    where chain_id = $2 and tx_id = $3 and part = $6 and payout_id is null and status <> 'reverted' returning *
  ), p as (
    update payouts p set state = 'signed', generation = p.generation + 1, chain_id = i.chain_id, signer = i.signer,
      recipient = i.recipient, currency = i.currency, amount = i.amount,
      -- Of what goes back, the rest was kept for its gas.
      fees = coalesce($4::numeric, case when p.purpose = 'fill' then p.fees else p.amount + p.fees - i.amount end),
      data = (coalesce(p.data, '{}')::jsonb - 'cancelled')::text, next_action = 'track', next_action_at = to_timestamp($5 / 1000.0),
      first_broadcast_at = to_timestamp($5 / 1000.0), updated_at = to_timestamp($5 / 1000.0)
    from i where p.id = $1 and p.state = 'ready' returning p.id, p.generation
  ), generations as (
    insert into payout_generations (payout_id, generation, state) select id, generation, 'live' from p
  ), attempts as (
    insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch,
      created_at, broadcast_at, locator, carried)
    select id, generation, 1, 'pay', chain_id, tx_id, ${FOUND_BYTES}, 0, 'broadcast', 0, to_timestamp($5 / 1000.0),
      to_timestamp($5 / 1000.0), locator, carried
    from (select pairs.*, ${IS_CARRIED} as carried from (
      select p.id, p.generation, i.chain_id, i.tx_id, i.guard_keys, i.locator from p, i) pairs) pairs
  ), guards as (
    insert into payout_guards (chain_id, guard_key, payout_id, generation)
    select i.chain_id, key, p.id, p.generation from p, i, json_array_elements_text(i.guard_keys::json) key on conflict do nothing
  )
  select id from p`

/** Gives a found payment to the payout that waits for it; `fees` null keeps what was planned. Throws ActionRefusedError. */
export const takePayment = async (
  client: PoolClient,
  { payoutId, paid, fees }: { readonly payoutId: string; readonly paid: PaidOrder; readonly fees: bigint | null },
  now: number,
): Promise<void> => {
  const { rowCount } = await client.query(TAKE, [
    payoutId,
    paid.chainId,
    paid.txId,
    fees?.toString() ?? null,
    now,
    paid.part,
  ])
  if (rowCount !== 1) throw new ActionRefusedError(`${paid.txId} is the payment of another payout by now.`)
}
