import { randomBytes } from 'node:crypto'
import type { PoolClient } from 'pg'
import { LONGEST_HOLD_MS } from '../clock/futureDates.js'
import type { FailReason } from '../errors/failReason.js'
import type { Hex } from '../money/hex.js'
import type { QuoteTexts } from '../quote/packing/quotePacking.js'
import { type QuoteTerms, serializeTerms } from '../quote/quoteTerms.js'

/** A request about to exist: the quote itself, or a child that carries the order of its parent. */
export interface NewRequest {
  readonly terms: QuoteTerms
  /** Null when this is the quote's own request. */
  readonly parent: Hex | null
  /** Children can only be refunded; null is to be filled. */
  readonly refundReason: FailReason | null
  /** Whether what becomes of a child is told under the id of its parent too: its deposit is of the quote's own user (faults.md F135). */
  readonly isTold?: boolean
  /** Texts of its quote where they are packed and known: the database unpacks them slowly. */
  readonly texts?: QuoteTexts
  /** The user's payment to the address that it came by. */
  readonly transferTx?: string
  /** The quote whose status operations it answers, since its address was paid otherwise than the quote asked (wire.md K.4 1). */
  readonly answersFor?: Hex
}

/**
 * The request of a deposit that may not consume its order: its own chain, currency and amount, only to be refunded. It has no copy of
 * the quote's calls, which are all of the terms that can be large: nothing of it is ever filled, and anyone may make thousands
 * (faults.md F132).
 */
export const childRequest = (
  { calls: _never, ...terms }: QuoteTerms,
  refundReason: FailReason | null,
  deposit: { readonly chainId: number; readonly currency: string; readonly amount: bigint; readonly isTold: boolean },
): NewRequest => ({
  terms: {
    ...terms,
    requestId: `0x${randomBytes(32).toString('hex')}`,
    origin: { chainId: deposit.chainId, currency: deposit.currency },
    depositAmount: deposit.amount,
  },
  parent: terms.requestId,
  refundReason,
  isTold: deposit.isTold,
})

/** Reads the stored terms, whose keys are those of `serializeTerms`: `amountIn` is what is deposited, `amountOut` what the solver pays. */
const INSERT = {
  name: 'requests_insert',
  text: `with wanted as (
      select w.*, w.terms::jsonb as t from jsonb_to_recordset($1::jsonb) as w(id text, parent text, order_id text, terms text, refund_reason text, told boolean, transfer_tx text, answers_for text)
    ), origin as materialized (
      -- A later deposit of an order that was paid comes when its quote may be gone: what the request kept of it serves then. Read as
      -- JSON once, however many deposits carry the order id.
      select distinct on (q.order_id) q.*, q.quoted::jsonb as quoted_json from (
        select r.id, r.order_id, r.created_at, r.integrator_id, r.api_key_id, r.referrer,
          coalesce(r.body, u.body, p.texts[2]) as body, coalesce(r.quoted, u.quoted, p.texts[3]) as quoted,
          coalesce(r.order_data, u.order_data, p.texts[4]) as order_data, r.hold_stripe, r.hold_slot,
          r.hold_amount, r.hold_anonymous, r.hold_topup, r.hold_holder, 0 as preference
        from quote_rows r
          left join jsonb_to_recordset($4::jsonb) as u(order_id text, body text, quoted text, order_data text) on decode(u.order_id, 'hex') = r.order_id
          left join lateral (select unpack_quote(r.packed, r.id, r.order_id) as texts where r.packed is not null and u.order_id is null offset 0) p on true
        where r.order_id in (select decode(order_id, 'hex') from wanted)
        union all
        select r.id, r.order_id, r.created_at, r.integrator_id, r.api_key_id, r.referrer, f.body, f.quoted, '{}', null, null,
          null, null, null, null, 1
        from requests r join request_facts f on f.request_id = r.id
        where r.order_id in (select decode(order_id, 'hex') from wanted) and r.parent_request_id is null
      ) q order by q.order_id, q.preference, q.created_at
    ), added as (
      insert into requests (id, parent_request_id, order_id, status, origin_chain_id, destination_chain_id, origin_currency,
        destination_currency, user_address, recipient, refund_to, amount_in, amount_out, committed, refund_reason, told_as, terms,
        integrator_id, api_key_id, referrer, quoted_at, created_at, begun_at, updated_at, next_action, next_action_at,
        currency_in, currency_out, symbol_in, symbol_out, request_type, features, amount_usd, app_fees_usd, topup_currency, topup_amount, hold_holder,
        deposit_address, depositor, transfer_tx, answers_for)
      select decode(w.id, 'hex'), decode(w.parent, 'hex'), case when t ? 'direct' then null else decode(w.order_id, 'hex') end, 'waiting',
        (t->'origin'->>'chainId')::bigint, (t->'destination'->>'chainId')::bigint, t->'origin'->>'currency',
        t->'destination'->>'currency', t->>'user', t->>'recipient', t->>'refundTo', (t->>'amountIn')::numeric,
        (t->>'amountOut')::numeric, w.parent is null and $3 and coalesce(q.hold_slot * 5000 > $2 and q.hold_slot * 5000 <= $2 + ${LONGEST_HOLD_MS + 5_000}, false),
        w.refund_reason, case when w.told then decode(w.parent, 'hex') end, w.terms, q.integrator_id, q.api_key_id, q.referrer,
        to_timestamp((t->>'quotedAt')::bigint / 1000.0),
        case when w.parent is null then to_timestamp((t->>'quotedAt')::bigint / 1000.0) else to_timestamp($2 / 1000.0) end, to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0),
        'await-deposit', to_timestamp($2 / 1000.0),
        s.currency_in, s.currency_out, s.symbol_in, s.symbol_out, s.request_type, s.features, s.amount_usd, s.app_fees_usd,
        t->'topup'->>'currency', (t->'topup'->>'amount')::numeric, case when w.parent is null then q.hold_holder end,
        a.address, payer_of(a.id, w.transfer_tx), w.transfer_tx, decode(w.answers_for, 'hex')
      from wanted w left join origin q on q.order_id = decode(w.order_id, 'hex')
        left join deposit_addresses a on t ? 'address' and a.order_id = decode(w.order_id, 'hex'),
        lateral search_columns(coalesce(q.quoted_json, '{}'), t, w.parent is not null) s
      on conflict (id) do nothing
      returning id, order_id, parent_request_id, destination_chain_id, destination_currency, topup_currency
    ), freed as (
      select q.destination_chain_id as chain_id, held.currency, o.hold_stripe as stripe, o.hold_slot as slot,
        sum(held.amount) as amount, sum(case when o.hold_anonymous then held.amount else 0 end) as anonymous
      from added q join origin o on o.id = q.id,
        lateral (values (q.destination_currency, o.hold_amount), (q.topup_currency, o.hold_topup)) held (currency, amount)
      where o.hold_slot is not null and held.amount is not null group by 1, 2, 3, 4
    ), locked as (
      -- In one order whoever asks, so that two watchers, or a watcher and a quote (take_holds), cannot wait for each other.
      select s.chain_id, s.currency, s.stripe, s.slot, f.amount, f.anonymous
      from hold_slots s join freed f using (chain_id, currency, stripe, slot) order by 1, 2, 3, 4 for update of s
    ), released as (
      update hold_slots s set amount = s.amount - l.amount, anonymous = s.anonymous - l.anonymous
      from locked l where (s.chain_id, s.currency, s.stripe, s.slot) = (l.chain_id, l.currency, l.stripe, l.slot)
    ), facts as (
      insert into request_facts (request_id, quoted, body, shared)
      select a.id, case when c.is_child then '{}' else coalesce(q.quoted, '{}') end, case when c.is_child then '{}' else coalesce(q.body, '{}') end, c.is_child
      from added a left join origin q on q.order_id = coalesce(a.order_id, a.id),
        lateral (select a.parent_request_id is not null and a.order_id is not null as is_child) c
    ), shared as (
      insert into order_facts (order_id, quoted, body)
      select distinct on (a.order_id) a.order_id, q.quoted, q.body from added a join origin q on q.order_id = a.order_id
      where a.parent_request_id is not null order by a.order_id
      on conflict (order_id) do nothing
    )
    insert into orders (order_id, request_id, data, created_at)
    select a.order_id, a.id, coalesce(q.order_data, '{}'), to_timestamp($2 / 1000.0)
    from added a left join origin q on q.order_id = a.order_id where a.parent_request_id is null and a.order_id is not null
    on conflict (order_id) do nothing`,
}

/**
 * Those who make requests of one order come one after the other, until the commit: two watchers may find a deposit of it each, on two
 * chains, and both tell of it under the id of its quote (faults.md F135).
 */
const LOCK = {
  name: 'requests_lock',
  text: `select pg_advisory_xact_lock(hashtext('requests of an order'), key)
    from (select distinct hashtext(o) as key from unnest($1::text[]) o order by 1) orders`,
}

/**
 * Makes requests of quotes, with their order and facts, and turns a live hold into a commitment, or, without `commit`, only
 * frees it; one statement. They begin as `waiting`; `changeStatuses` moves them on and tells.
 */
export const insertRequests = async (
  client: PoolClient,
  requests: readonly NewRequest[],
  now: number,
  commit = true,
): Promise<void> => {
  if (requests.length === 0) return
  const rows = requests.map(({ terms, parent, refundReason, isTold = false, transferTx, answersFor }) => ({
    id: terms.requestId.slice(2),
    parent: parent?.slice(2) ?? null,
    order_id: terms.orderId.slice(2),
    terms: serializeTerms(terms),
    refund_reason: refundReason,
    told: isTold,
    transfer_tx: transferTx ?? null,
    answers_for: answersFor?.slice(2) ?? null,
  }))
  // One of many deposits of an order brings its texts.
  const texts = new Map<Hex, object>()
  for (const { terms, texts: quote } of requests) {
    if (quote === undefined) continue
    const { body, quoted, order_data } = quote
    texts.set(terms.orderId, { order_id: terms.orderId.slice(2), body, quoted, order_data })
  }
  // Queued together: callers send what needs them behind.
  await Promise.all([
    client.query({ ...LOCK, values: [rows.map((row) => row.order_id)] }),
    client.query({ ...INSERT, values: [JSON.stringify(rows), now, commit, JSON.stringify([...texts.values()])] }),
  ])
}

/** Gives an order to the deposit that consumed it, or frees it again; an order already taken is left alone. */
export const consumeOrders = async (
  client: PoolClient,
  pairs: readonly { readonly orderId: Hex; readonly depositId: string }[],
): Promise<void> => {
  if (pairs.length === 0) return
  await client.query({
    name: 'orders_consume',
    text: `update orders o set consumed_by = p.deposit_id
      from jsonb_to_recordset($1::jsonb) as p(order_id text, deposit_id bigint)
      where o.order_id = decode(p.order_id, 'hex') and o.consumed_by is null`,
    values: [JSON.stringify(pairs.map((pair) => ({ order_id: pair.orderId.slice(2), deposit_id: pair.depositId })))],
  })
}
