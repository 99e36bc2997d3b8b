import type { Destination } from '../../chain/chainReferences.js'
import { parseDestination } from '../../chain/destination.js'
import type { PayoutPurpose } from '../../chain/laneAdapter.js'

/** A transaction of a lane's key that paid an order, and that belongs to no payout this database knows. */
export interface PaidOrder {
  readonly chainId: number
  readonly signer: string
  readonly txId: string
  /** Which of the payments that the transaction makes. */
  readonly part: number
  /** Null where the chain does not show it: a fill or a refund. */
  readonly purpose: PayoutPurpose | null
  readonly recipient: Destination
  readonly currency: string
  readonly amount: bigint
}

/** A row of `PAID_JSON_SQL`. */
export interface PaidOrderJson {
  chain_id: string
  signer: string
  tx_id: string
  part: number
  purpose: PayoutPurpose | null
  recipient: string
  currency: string
  amount: string
}

/**
 * Imported transactions, as `i`, that pay somebody and are no payout of ours. That an operator released one opens its lane for
 * other work; what it paid stays paid.
 */
const PAYS = `i.payout_id is null and i.status <> 'reverted' and coalesce(i.purpose, 'fill') in ('fill', 'refund', 'excess', 'claim', 'send', 'approve')`

/** Imported transactions, as `i`, whose order no quote and no request of this database has, nor a claim that is paid. */
export const UNKNOWN_ORDER = `not exists (select 1 from quote_rows q where q.order_id = i.order_id)
       and not exists (select 1 from requests r where r.order_id = i.order_id)
       and not exists (select 1 from claims c where c.id = i.order_id and c.payout_id is not null)`

/**
 * Imported transactions, as `i`, that may have paid a request, given by its alias, which got an order of its own for what came to an address
 * (wire.md E.3). A database that forgot that order makes another one, so that nothing but whom they paid, in what and when, tells it: what
 * stood in no block when they were found was not paid by them; a day more, for blocks that come back and clocks that differ. None that an
 * operator accounted for by itself.
 */
export const mayHavePaid = (request: string): string =>
  `${request}.parent_request_id is not null and ${request}.deposit_address is not null and i.chain_id = ${request}.destination_chain_id
     and i.currency = ${request}.destination_currency and lower(i.recipient) = lower(${request}.recipient) and i.order_id is not null
     and not i.explained and ${PAYS} and ${UNKNOWN_ORDER} and exists (select from deposits x where x.request_id = ${request}.id
       and (x.block_time is null or x.block_time <= i.created_at + interval '1 day'))`

/** Whether something of which no payout here tells paid an order, given as SQL. */
export const isPaid = (order: string): string =>
  `exists (select from imported_transactions i where i.order_id = ${order} and ${PAYS})`

/**
 * The condition of a payout, given by its alias, whose order was paid by what is not its own: a refund after a fill, on the other
 * chain, in the time that a backup forgot. It is never paid as well (F118, F120). Nor is one whose request may have been paid so, under an
 * order that nobody knows any more, before an operator has said.
 */
export const paidOtherwise = (payout: string): string =>
  `${payout}.purpose in ('fill', 'refund', 'excess', 'claim', 'send', 'approve') and (${isPaid(`${payout}.order_id`)}
     or exists (select from requests o join imported_transactions i on ${mayHavePaid('o')} where o.id = ${payout}.request_id))`

/** What paid an order, or may have paid a request beside, as rows `i`: each is looked up by an index of its own. */
const paying = (order: string, request: string): string =>
  `(select i.* from imported_transactions i where i.order_id = ${order} and ${PAYS}
     union select i.* from imported_transactions i where ${mayHavePaid(request)}) i`

/** The transaction for which a payout, given by its alias, is `paidOtherwise`, as SQL; null where there is none. */
export const paidOtherwiseBy = (payout: string): string =>
  `(select i.tx_id from (select) one left join requests o on o.id = ${payout}.request_id
    cross join lateral ${paying(`${payout}.order_id`, 'o')} order by i.created_at, i.tx_id limit 1)`

const JSON_OF_PAID = `json_agg(json_build_object('chain_id', i.chain_id::text, 'signer', i.signer, 'tx_id', i.tx_id, 'part', i.part, 'purpose', i.purpose,
      'recipient', i.recipient, 'currency', i.currency, 'amount', i.amount::text) order by i.block_height nulls last, i.tx_id)`

/** What paid an order, given as SQL, as JSON; null when nothing did. */
export const paidJson = (order: string): string =>
  `(select ${JSON_OF_PAID} from imported_transactions i where i.order_id = ${order} and ${PAYS})`

/** The same with what may have paid a request, given by its alias. */
export const maybePaidJson = (order: string, request: string): string =>
  `(select ${JSON_OF_PAID} from ${paying(order, request)})`

export const toPaidOrders = (rows: readonly PaidOrderJson[] | null): readonly PaidOrder[] =>
  (rows ?? []).map((row) => ({
    chainId: Number(row.chain_id),
    signer: row.signer,
    txId: row.tx_id,
    part: row.part,
    purpose: row.purpose,
    recipient: parseDestination(row.recipient),
    currency: row.currency,
    amount: BigInt(row.amount),
  }))
