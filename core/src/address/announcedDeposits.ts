import type { PoolClient } from 'pg'
import type { Chain } from '../chain/chainRegistry.js'
import { toBytea } from '../database/hexBytea.js'
import { findOrders, type KnownOrder } from '../deposit/depositStore.js'
import { AWAIT_BLOCK, AWAIT_BLOCK_MS } from '../deposit/mempoolDeposits.js'
import type { Hex } from '../money/hex.js'
import { changeStatuses } from '../request/changeStatus.js'
import { insertRequests, type NewRequest } from '../request/insertRequests.js'
import type { ChangedArrival } from './arrivalStore.js'

interface AnnounceDeps {
  readonly client: PoolClient
  readonly chain: Chain
  readonly now: number
}

/**
 * What came to an address moves the request of its quote to `pending` where it fits (wire.md K.2 1); what the deposit is that a sweep makes
 * of it decides all else. Nothing is committed or posted for it here. Returns the addresses that about what was asked for came to.
 */
export const announceArrivals = async (
  here: readonly ChangedArrival[],
  deps: AnnounceDeps,
): Promise<ReadonlySet<string>> => {
  const { client, chain, now } = deps
  if (here.length === 0) return new Set()
  const orders = await findOrders(client, [...new Set(here.map(({ orderId }) => orderId))])
  const requests = new Map<string, NewRequest>()
  for (const arrival of here) {
    const order = orders.get(arrival.orderId)
    if (order === undefined || !fits(arrival, order, chain.config.id, now)) continue
    requests.set(arrival.orderId, { terms: order.terms, parent: null, refundReason: null, transferTx: arrival.txId })
  }
  const paid = new Set(here.filter((arrival) => isPayment(arrival, orders, chain)).map(({ addressId }) => addressId))
  if (requests.size === 0) return paid
  await insertRequests(client, [...requests.values()], now, false)
  const next = { action: AWAIT_BLOCK, at: now + AWAIT_BLOCK_MS }
  await changeStatuses(
    client,
    [...requests.values()].map(({ terms: { requestId } }) => ({ requestId, to: 'pending', next })),
    now,
  )
  return paid
}

/** At least half of what the quote asked for, in its currency: dust buys no look before those of others (faults.md F155). */
const isPayment = (
  { orderId, amount, currency }: ChangedArrival,
  orders: ReadonlyMap<Hex, KnownOrder>,
  { config }: Chain,
): boolean => {
  const terms = orders.get(orderId)?.terms
  if (terms === undefined || terms.origin.chainId !== config.id || terms.origin.currency !== currency) return false
  return amount * 2n >= terms.depositAmount
}

/** Whether what came is what the quote asked for; an open address gets another quote for any other amount. */
const fits = (
  { amount, currency }: ChangedArrival,
  { terms, consumed }: KnownOrder,
  chainId: number,
  now: number,
): boolean => {
  const { origin, address, depositAmount, orderDeadline } = terms
  if (consumed || address === undefined || orderDeadline * 1000 <= now) return false
  if (origin.chainId !== chainId || origin.currency !== currency) return false
  return address.type === 'strict' ? amount >= depositAmount : amount === depositAmount
}

/** Another transaction may record the deposit or accept a fast fill at this moment: the lock re-checks the status after it. */
const LOCKED = 'order by r.id for update of r'

/** Requests of which all that arrived left the chain before it was swept wait for a payment again (wire.md K.2 6). */
export const withdrawAnnouncements = async (
  left: readonly ChangedArrival[],
  { client, now }: AnnounceDeps,
): Promise<void> => {
  if (left.length === 0) return
  const { rows } = await client.query<{ id: string }>(
    `select encode(r.id, 'hex') as id from requests r join deposit_addresses a on a.order_id = r.order_id
     where r.order_id = any($1::bytea[]) and r.parent_request_id is null and r.status = 'pending' and r.next_action = '${AWAIT_BLOCK}'
       and not exists (select from deposit_arrivals d where d.address_id = a.id and d.state in ('seen', 'included') and d.taken_by is null)
     ${LOCKED}`,
    [[...new Set(left.map(({ orderId }) => orderId))].map((id) => toBytea(id))],
  )
  await awaitDeposits(client, rows, now)
}

/**
 * Looks at these addresses found nothing that is swept, and expect nothing more: whatever was told of payments there, what their requests
 * wait for does not come of it. A node may have made it up, or its amount; they wait for a payment again.
 */
export const withdrawUnswept = async (
  client: PoolClient,
  addressIds: readonly string[],
  now: number,
): Promise<void> => {
  if (addressIds.length === 0) return
  const { rows } = await client.query<{ id: string }>({
    name: 'announcements_unswept',
    text: `select encode(r.id, 'hex') as id from deposit_addresses a join requests r on r.order_id = a.order_id
      where a.id = any($1::bigint[]) and r.parent_request_id is null and r.status = 'pending' and r.next_action = '${AWAIT_BLOCK}'
        and not exists (select from deposit_address_places p where p.address_id = a.id and p.expected)
        and not exists (select from deposit_arrivals d where d.address_id = a.id and d.state = 'seen')
        and not exists (select from payouts s where s.address_id = a.id and s.state in ('ready', 'signed', 'included'))
      ${LOCKED}`,
    values: [addressIds],
  })
  await awaitDeposits(client, rows, now)
}

const awaitDeposits = async (
  client: PoolClient,
  requests: readonly { readonly id: string }[],
  now: number,
): Promise<void> => {
  const next = { action: 'await-deposit', at: now + AWAIT_BLOCK_MS }
  await changeStatuses(
    client,
    requests.map(({ id }) => ({ requestId: `0x${id}` as const, to: 'waiting', next })),
    now,
  )
}
