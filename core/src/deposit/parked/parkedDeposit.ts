import type { Pool, PoolClient } from 'pg'
import type { BlockRef } from '../../chain/chainReferences.js'
import type { Json } from '../../chain/json.js'
import { locatorOf } from '../../chain/txLocator.js'
import type { Hex } from '../../money/hex.js'
import { maybePaidJson, type PaidOrder, type PaidOrderJson, toPaidOrders } from '../../payout/lane/paidOrders.js'
import type { PayoutState } from '../../payout/payoutState.js'
import { BODY_SQL, ORDER_FACTS_JOIN } from '../../request/orderFacts.js'
import type { RequestStatus } from '../../request/requestStatus.js'

/** A deposit of which money is parked, with all that decides what may become of it. */
export interface ParkedDeposit {
  readonly id: string
  readonly chainId: number
  readonly txId: string
  readonly locator?: Json
  readonly position: number
  readonly state: string
  /** Order id it carried, and its own id on the chain (chains.md common rules 5). */
  readonly orderId: Hex | null
  readonly onchainId: Hex
  readonly depositor: string
  readonly currency: string
  readonly amount: bigint
  /** What of it stands in the account `parked`. */
  readonly parked: bigint
  readonly block: BlockRef | null
  /** Unix milliseconds. */
  readonly seenAt: number
  /** Why it belongs to no request; null when it does. */
  readonly parkedReason: string | null
  readonly outcome: 'fill' | 'refund' | null
  readonly request: {
    readonly id: Hex
    readonly status: RequestStatus
    readonly failReason: string | null
    readonly refundFailReason: string | null
    readonly refundTo: string | null
    /** Named in the quote for just this; paid by an operator only (wire.md K.4 2). */
    readonly recoveryAddress: string | null
  } | null
  /** Payouts made for it so far, by purpose. */
  readonly payouts: Readonly<Partial<Record<string, { readonly id: string; readonly state: PayoutState }>>>
  /** What paid its order already, or may have, and is none of these payouts: it is not paid back while there is one (F120). */
  readonly paid: readonly PaidOrder[]
}

interface Row {
  id: string
  chain_id: string
  tx_id: string
  locator: string | null
  position: number
  state: string
  order_id: Hex | null
  onchain_id: Hex
  depositor: string
  currency: string
  amount: string
  parked: string
  height: string | null
  block_hash: string | null
  block_time: Date | null
  created_at: Date
  parked_reason: string | null
  outcome: 'fill' | 'refund' | null
  request_id: Hex | null
  status: RequestStatus
  fail_reason: string | null
  refund_fail_reason: string | null
  refund_to: string | null
  recovery: string | null
  payouts: ParkedDeposit['payouts']
  paid: PaidOrderJson[] | null
}

/** What of a deposit is parked; `d` is the deposit's row. */
export const PARKED_AMOUNT_SQL = `(select coalesce(-sum(e.amount), 0) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
  where t.cause = 'deposit:' || d.id and e.account = 'parked')`

const SELECT = `select d.id::text as id, d.chain_id::text as chain_id, d.tx_id, d.locator, d.position, d.state,
    '0x' || encode(d.order_id, 'hex') as order_id, '0x' || encode(d.onchain_id, 'hex') as onchain_id, d.depositor, d.currency,
    d.amount::text as amount, ${PARKED_AMOUNT_SQL}::text as parked, d.block_height::text as height, d.block_hash, d.block_time, d.created_at,
    d.parked_reason, d.outcome, '0x' || encode(r.id, 'hex') as request_id, r.status, r.fail_reason, r.refund_fail_reason, r.refund_to,
    (select nullif(${BODY_SQL}, '')::jsonb ->> 'recoveryAddress' from request_facts f ${ORDER_FACTS_JOIN} where f.request_id = r.id) as recovery,
    coalesce((select jsonb_object_agg(p.purpose, jsonb_build_object('id', p.id::text, 'state', p.state))
      from payouts p where p.deposit_id = d.id), '{}') as payouts,
    ${maybePaidJson('coalesce(d.order_id, d.onchain_id)', 'r')} as paid
  from deposits d left join requests r on r.id = d.request_id`

const toBlock = ({ height, block_hash: hash, block_time: time }: Row): BlockRef | null =>
  height === null || hash === null || time === null
    ? null
    : { height: BigInt(height), hash, time: Math.floor(time.getTime() / 1000) }

const toParked = (row: Row): ParkedDeposit => ({
  id: row.id,
  chainId: Number(row.chain_id),
  txId: row.tx_id,
  ...locatorOf(row.locator),
  position: row.position,
  state: row.state,
  orderId: row.order_id,
  onchainId: row.onchain_id,
  depositor: row.depositor,
  currency: row.currency,
  amount: BigInt(row.amount),
  parked: BigInt(row.parked),
  block: toBlock(row),
  seenAt: row.created_at.getTime(),
  parkedReason: row.parked_reason,
  outcome: row.outcome,
  request:
    row.request_id === null
      ? null
      : {
          id: row.request_id,
          status: row.status,
          failReason: row.fail_reason,
          refundFailReason: row.refund_fail_reason,
          refundTo: row.refund_to,
          recoveryAddress: row.recovery,
        },
  payouts: row.payouts,
  paid: toPaidOrders(row.paid),
})

/** One deposit by its number, parked or not; null when there is none. With `lock` it stays as it is until the commit. */
export const findParkedDeposit = async (
  db: Pool | PoolClient,
  id: string,
  options: { readonly lock?: boolean } = {},
): Promise<ParkedDeposit | null> => {
  // Locked before it is read: a statement that waited for the lock would still see the sums of before.
  if (options.lock === true) await db.query('select 1 from deposits where id = $1 for update', [id])
  const { rows } = await db.query<Row>(`${SELECT} where d.id = $1`, [id])
  return rows[0] === undefined ? null : toParked(rows[0])
}

/** The numbers of deposits of which money is parked, as `parked_ids`; $1 is a chain, or null for all. The one meaning of "parked". */
export const PARKED_IDS = `parked_ids as (
       select substr(t.cause, 9)::bigint as id from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
       where e.account = 'parked' and ($1::bigint is null or e.chain_id = $1) and t.cause like 'deposit:%'
       group by t.cause having sum(e.amount) < 0
     )`

/** Deposits of which money is parked, newest first; one statement. */
export const listParkedDeposits = async (
  db: Pool | PoolClient,
  filter: { readonly chainId: number | null; readonly limit: number },
): Promise<ParkedDeposit[]> => {
  const { rows } = await db.query<Row>({
    name: 'parked_deposits',
    text: `with ${PARKED_IDS}
     ${SELECT} where d.id in (select id from parked_ids)
     order by d.id desc limit $2`,
    values: [filter.chainId, filter.limit],
  })
  return rows.map(toParked)
}

/** The deposit that a request owns, by the request's id; null when it has none on the chain. */
export const findDepositOfRequest = async (db: Pool | PoolClient, requestId: Hex): Promise<ParkedDeposit | null> => {
  const { rows } = await db.query<Row>(
    `${SELECT} where d.request_id = decode($1, 'hex') order by (d.state = 'included') desc, d.id desc limit 1`,
    [requestId.slice(2)],
  )
  return rows[0] === undefined ? null : toParked(rows[0])
}
