import type { Pool, PoolClient } from 'pg'
import { fromBytea, toBytea } from '../database/hexBytea.js'
import { wakeLane } from '../database/notifier.js'
import type { FailReason } from '../errors/failReason.js'
import type { Hex } from '../money/hex.js'
import type { QuoteBody } from '../quote/quoteBody.js'
import type { RequoteCall, Requoted } from '../quote/quoteEngine.js'
import { parseTerms, serializeTerms } from '../quote/quoteTerms.js'

/** What a request waits for whose deposit came to an open address and does not fit the quote that gave it (wire.md E.3). */
export const REQUOTE = 'requote'

/** Whether a request was to get an order of its own and has none yet. */
export const awaitsOrder = async (client: PoolClient, requestId: Hex): Promise<boolean> => {
  const { rowCount } = await client.query(
    `select 1 from requests r where r.id = $1 and r.parent_request_id is not null and r.refund_reason is null
       and not exists (select from orders o where o.order_id = r.order_id and o.request_id = r.id)`,
    [toBytea(requestId)],
  )
  return rowCount === 1
}

/** A request that waits for an order of its own. */
export interface DueRequote extends RequoteCall {
  readonly requestId: Hex
  readonly depositId: string
  /** Times it was put off. */
  readonly attempts: number
}

interface Row {
  id: Buffer
  deposit_id: string
  attempts: number
  body: string
  terms: string
  integrator_id: string | null
  api_key_id: string | null
  chain_id: string
  currency: string
  amount: string
}

/** Requests that are due for a new order, oldest first; the body is that of the quote that gave the address. */
export const findDueRequotes = async (
  db: Pool | PoolClient,
  now: number,
  limit: number,
): Promise<readonly DueRequote[]> => {
  const { rows } = await db.query<Row>({
    name: 'requotes_due',
    text: `select r.id, d.id::text as deposit_id, r.attempts, r.terms, r.integrator_id, r.api_key_id, d.chain_id::text as chain_id, d.currency,
        d.amount::text as amount,
        coalesce((select q.body from quotes q where q.id = r.parent_request_id limit 1),
          (select f.body from request_facts f where f.request_id = r.parent_request_id), '{}') as body
      from requests r join deposits d on d.request_id = r.id and d.state = 'included' and d.outcome is null
      where r.next_action = '${REQUOTE}' and r.next_action_at <= to_timestamp($1 / 1000.0) order by r.next_action_at, r.seq limit $2`,
    values: [now, limit],
  })
  return rows.map((row) => ({
    requestId: fromBytea(row.id),
    depositId: row.deposit_id,
    attempts: row.attempts,
    // CAST: it was checked against the schema when the quote was made.
    body: JSON.parse(row.body) as QuoteBody,
    terms: parseTerms(row.terms),
    integratorId: row.integrator_id,
    apiKeyId: row.api_key_id,
    deposit: { chainId: Number(row.chain_id), currency: row.currency, amount: BigInt(row.amount) },
  }))
}

/**
 * Gives a request its own order, which its deposit consumes, in the caller's transaction; what follows is decided by the solver. False where
 * the request does not wait for one any more. Its version stays: that counts changes of the status, each of which is told.
 */
export const recordRequote = async (
  client: PoolClient,
  { requestId, depositId }: Pick<DueRequote, 'requestId' | 'depositId'>,
  { terms: made, order, quoted }: Requoted,
  now: number,
): Promise<boolean> => {
  const terms = { ...made, requestId }
  const { rowCount } = await client.query(
    `update requests r set order_id = $2, terms = $3, amount_in = $4, amount_out = $5, next_action = 'decide', attempts = 0,
       next_action_at = to_timestamp($6 / 1000.0), trouble = null, trouble_since = null, request_type = s.request_type, features = s.features,
       currency_in = s.currency_in, currency_out = s.currency_out, symbol_in = s.symbol_in, symbol_out = s.symbol_out,
       amount_usd = s.amount_usd, app_fees_usd = s.app_fees_usd, quoted_at = to_timestamp($7 / 1000.0)
     from search_columns($8::jsonb, $3::jsonb, false) s where r.id = $1 and r.next_action = '${REQUOTE}' and r.status = 'pending'`,
    [
      toBytea(requestId),
      toBytea(terms.orderId),
      serializeTerms(terms),
      terms.depositAmount.toString(),
      terms.payoutAmount.toString(),
      now,
      terms.quotedAt,
      quoted,
    ],
  )
  if (rowCount !== 1) return false
  await client.query(
    `update request_facts f set quoted = $2, shared = false, body = coalesce((select q.body from quotes q where q.id = r.parent_request_id limit 1),
       (select p.body from request_facts p where p.request_id = r.parent_request_id), '{}')
     from requests r where f.request_id = $1 and r.id = $1`,
    [toBytea(requestId), quoted],
  )
  await client.query(
    'insert into orders (order_id, request_id, data, created_at, consumed_by) values ($1, $2, $3, to_timestamp($4 / 1000.0), $5)',
    [toBytea(terms.orderId), toBytea(requestId), order, now, depositId],
  )
  // The chain goes on to show the order id of the address.
  await client.query(
    `update deposits set shown_order_id = case when given then shown_order_id else order_id end, given = true, order_id = $2 where id = $1`,
    [depositId, toBytea(terms.orderId)],
  )
  await wakeLane(client, terms.destination.chainId)
  return true
}

/** What came can never be filled: it is refunded, or parked where nobody said where to. */
export const refuseRequote = async (
  client: PoolClient,
  { requestId, terms }: Pick<DueRequote, 'requestId' | 'terms'>,
  reason: FailReason,
  now: number,
): Promise<void> => {
  await client.query(
    `update requests set refund_reason = $2, next_action = 'decide', next_action_at = to_timestamp($3 / 1000.0), attempts = 0, trouble = null,
       trouble_since = null where id = $1 and next_action = '${REQUOTE}'`,
    [toBytea(requestId), reason, now],
  )
  await wakeLane(client, terms.destination.chainId)
}

/** It cannot be made now; `trouble` says why, for the operator. */
export const putOffRequote = async (
  db: Pool | PoolClient,
  { requestId }: Pick<DueRequote, 'requestId'>,
  trouble: string,
  { now, at }: { readonly now: number; readonly at: number },
): Promise<void> => {
  await db.query(
    `update requests set next_action_at = to_timestamp($2 / 1000.0), attempts = attempts + 1, trouble = $3,
       trouble_since = coalesce(trouble_since, to_timestamp($4 / 1000.0)) where id = $1 and next_action = '${REQUOTE}'`,
    [toBytea(requestId), at, trouble.slice(0, 500), now],
  )
}
