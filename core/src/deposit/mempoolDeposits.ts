import type { PoolClient } from 'pg'
import type { DepositEvent } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { locatorMember, locatorText } from '../chain/txLocator.js'
import { LONGEST_DEPOSIT_MS } from '../clock/futureDates.js'
import { toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import { changeStatuses } from '../request/changeStatus.js'
import { insertRequests, type NewRequest } from '../request/insertRequests.js'
import { type RequestTx, saveRequestTxs } from '../request/requestTxs.js'
import type { KnownOrder, StoredDeposit } from './depositStore.js'

/** A deposit that waits may do so for long; after this its request is reported as overdue. */
export const AWAIT_BLOCK_MS = LONGEST_DEPOSIT_MS
/** What a pending request waits for until its deposit is in a block. */
export const AWAIT_BLOCK = 'await-block'

interface MempoolDeps {
  readonly client: PoolClient
  readonly chain: Chain
  readonly now: number
}

/** A deposit in the mempool, and the request of the order that it is going to pay. */
export interface MempoolDeposit {
  readonly event: DepositEvent
  readonly request: NewRequest
}

/**
 * Deposits in the mempool move their requests to `pending` (wire.md K.2 1); nothing is decided or posted before they are in a
 * block. Nor is inventory committed: it costs nothing to leave a deposit waiting for weeks.
 */
export const recordMempoolDeposits = async (deposits: readonly MempoolDeposit[], deps: MempoolDeps): Promise<void> => {
  if (deposits.length === 0) return
  const { client, chain, now } = deps
  const requests = new Map(deposits.map(({ request }) => [request.terms.requestId, request]))
  await insertRequests(client, [...requests.values()], now, false)
  const txs = deposits.map(({ event, request }) => toTx(chain, event, request.terms.requestId))
  await saveRequestTxs(client, txs, now)
  const next = { action: AWAIT_BLOCK, at: now + AWAIT_BLOCK_MS }
  await changeStatuses(
    client,
    [...requests.keys()].map((requestId) => ({ requestId, to: 'pending', next })),
    now,
  )
}

/**
 * Deposits that left their block and wait in the mempool again: their requests wait for a block again too, so that they fail when
 * the deposit is replaced there. A request that another deposit has moved on meanwhile stays as it is.
 */
export const recordReturned = async (
  deposits: readonly StoredDeposit[],
  { client, chain, now }: MempoolDeps,
): Promise<void> => {
  if (deposits.length === 0) return
  const { rows } = await client.query<{ id: string }>(
    // The lock re-checks the status after a transaction that fails the request at this moment.
    `with r as (
       select id from requests where id = any($3) and parent_request_id is null and status = 'waiting' and next_action = 'await-deposit'
       order by id for update
     )
     update request_txs t set status = 'pending' from r
     where t.direction = 'in' and t.chain_id = $1 and t.tx_id = any($2) and t.status = 'failure' and r.id = t.request_id
     returning encode(r.id, 'hex') as id`,
    [
      chain.config.id,
      deposits.map(({ txId }) => txId),
      deposits.flatMap(({ requestId }) => (requestId === null ? [] : [toBytea(requestId)])),
    ],
  )
  const next = { action: AWAIT_BLOCK, at: now + AWAIT_BLOCK_MS }
  const requestIds = [...new Set(rows.map(({ id }): Hex => `0x${id}`))]
  await changeStatuses(
    client,
    requestIds.map((requestId) => ({ requestId, to: 'pending', next })),
    now,
  )
}

/**
 * Deposits that can never come: another transaction spends what they spent. Their requests fail, unless another deposit of
 * theirs still waits or was made (chains.md bvm 4): `paid` are the orders that a deposit of the same page pays.
 */
export const recordDropped = async (
  dropped: readonly DepositEvent[],
  orders: ReadonlyMap<Hex, KnownOrder>,
  paid: ReadonlySet<Hex | null>,
  { client, chain, now }: MempoolDeps,
): Promise<void> => {
  const events = dropped.flatMap((event) => {
    const order = event.orderId === null ? undefined : orders.get(event.orderId)
    return order === undefined || order.consumed ? [] : [{ event, requestId: order.terms.requestId }]
  })
  if (events.length === 0) return
  const { rows } = await client.query<{ id: string }>(
    `with d as (
      select decode(d.id, 'hex') as id, d.tx_id from jsonb_to_recordset($2::jsonb) as d(id text, tx_id text)
    ), gone as (
      update request_txs t set status = 'failure' from d
      where t.request_id = d.id and t.direction = 'in' and t.chain_id = $1 and t.tx_id = d.tx_id and t.status = 'pending'
      returning t.request_id, t.tx_id
    )
    select encode(r.id, 'hex') as id from requests r
    where r.id in (select request_id from gone) and r.status = 'pending' and r.next_action = $3 and not exists (
      select 1 from request_txs t where t.request_id = r.id and t.direction = 'in' and t.status <> 'failure'
        and t.tx_id not in (select tx_id from gone))
    -- Until the commit nobody else goes on with it.
    order by r.id for update of r`,
    [
      chain.config.id,
      JSON.stringify(events.map(({ event, requestId }) => ({ id: requestId.slice(2), tx_id: event.tx.id }))),
      AWAIT_BLOCK,
    ],
  )
  const kept = new Set(events.filter(({ event }) => paid.has(event.orderId)).map(({ requestId }) => requestId))
  const failed = rows.map(({ id }): Hex => `0x${id}`).filter((requestId) => !kept.has(requestId))
  await changeStatuses(
    client,
    failed.map((requestId) => ({ requestId, to: 'failure', failReason: 'DOUBLE_SPEND' })),
    now,
  )
}

/** Requests that waited for their deposit's block, and whose deposit is in one now, are to be decided. */
export const decideIncluded = async (client: PoolClient, requestIds: readonly Hex[], now: number): Promise<void> => {
  if (requestIds.length === 0) return
  await client.query({
    name: 'requests_decide_included',
    text: `update requests set next_action = 'decide', next_action_at = to_timestamp($2 / 1000.0), attempts = 0
      where id = any($1) and status = 'pending' and next_action = '${AWAIT_BLOCK}'`,
    values: [requestIds.map((id) => Buffer.from(id.slice(2), 'hex')), now],
  })
}

/** Entries of deposits that were shown as waiting and are in blocks now, on whosever record they are. */
export const settleMempoolDeposits = async (
  client: PoolClient,
  chain: Chain,
  events: readonly DepositEvent[],
): Promise<void> => {
  if (!chain.adapter.capabilities.mempoolVisibility || events.length === 0) return
  const rows = events.map(({ tx, block }) => ({
    tx_id: tx.id,
    height: block?.height.toString() ?? null,
    hash: block?.hash ?? null,
    time: block?.time ?? null,
    locator: locatorText(tx.locator),
  }))
  await client.query({
    name: 'request_txs_settle_mempool',
    text: `update request_txs t set status = 'success', block_height = e.height, block_hash = e.hash,
        block_time = to_timestamp(e.time), locator = coalesce(e.locator, t.locator)
      from jsonb_to_recordset($2::jsonb) as e(tx_id text, height bigint, hash text, time bigint, locator text)
      where t.direction = 'in' and t.chain_id = $1 and t.tx_id = e.tx_id and t.status = 'pending'`,
    values: [chain.config.id, JSON.stringify(rows)],
  })
}

const toTx = (chain: Chain, event: DepositEvent, requestId: Hex): RequestTx => ({
  requestId,
  direction: 'in',
  purpose: 'deposit',
  chainId: chain.config.id,
  txId: event.tx.id,
  ...locatorMember(event.tx),
  position: event.position,
  block: null,
  fee: event.fee,
  status: 'pending',
  data: event.txData,
  reorg: null,
})
