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

/** Whether something of which no payout here tells paid an order, given as SQL. */
export const isPaid = (order: string): string =>
  `exists (select from imported_transactions i where i.order_id = ${order} and ${PAYS})`

/**
 * The condition of a payout, given by its alias, whose order was paid by what is not its own: a refund after a fill, on the other
 * chain, in the time that a backup forgot. It is never paid as well (F118, F120).
 */
export const paidOtherwise = (payout: string): string =>
  `${payout}.purpose in ('fill', 'refund', 'excess', 'claim', 'send', 'approve') and ${isPaid(`${payout}.order_id`)}`

/** What paid an order, given as SQL, as JSON; null when nothing did. */
export const paidJson = (order: string): string =>
  `(select json_agg(json_build_object('chain_id', i.chain_id::text, 'signer', i.signer, 'tx_id', i.tx_id, 'part', i.part, 'purpose', i.purpose,
      'recipient', i.recipient, 'currency', i.currency, 'amount', i.amount::text) order by i.block_height nulls last, i.tx_id)
    from imported_transactions i where i.order_id = ${order} and ${PAYS})`

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
