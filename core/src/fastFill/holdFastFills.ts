import type { PoolClient } from 'pg'
import { toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import { FAST_FILL_COLUMNS, type FastFill, type FastFillRow, type FastFillState, toFastFill } from './fastFill.js'

/** While it is in one of these its request moves with its payout, and no deposit of its order is decided. */
const LIVE: readonly FastFillState[] = ['queued', 'filling', 'paid']

/** Whether the deposits of an order wait for its fast fill, or have become the wallet's. */
export const isAhead = (state: FastFillState | undefined): boolean => state !== undefined && state !== 'ended'

/**
 * Locks are taken in one order by everybody: stored deposits of an order, its fast fill, payouts, requests. So a fast fill never
 * changes between what a watcher reads of it and what it writes, nor a deposit between what is done about its fast fill.
 */
export const lockFastFill = async (
  client: PoolClient,
  { requestId, orderId }: Pick<FastFill, 'requestId' | 'orderId'>,
  states: readonly FastFillState[] = LIVE,
): Promise<FastFill | null> => {
  await client.query({
    name: 'fast_fill_deposits',
    text: 'select from deposits where order_id = $1 order by id for no key update',
    values: [toBytea(orderId)],
  })
  const { rows } = await client.query<FastFillRow>({
    name: 'fast_fill_lock',
    text: `select ${FAST_FILL_COLUMNS} from fast_fills f where f.request_id = $1 and f.state = any($2) for update`,
    values: [toBytea(requestId), states],
  })
  return rows[0] === undefined ? null : toFastFill(rows[0])
}

/** How fast fills of orders stand, by order; they stay so until the caller's commit. */
export const holdFastFills = async (
  client: PoolClient,
  orderIds: readonly Hex[],
): Promise<ReadonlyMap<Hex, FastFillState>> => {
  if (orderIds.length === 0) return new Map()
  const { rows } = await client.query<{ order_id: string; state: FastFillState }>({
    name: 'fast_fills_hold',
    text: `select encode(order_id, 'hex') as order_id, state from fast_fills where order_id = any($1::bytea[]) order by order_id for share`,
    values: [orderIds.map((id) => toBytea(id))],
  })
  return new Map(rows.map(({ order_id, state }) => [`0x${order_id}`, state]))
}

/** Whether a request moves with its fast fill and not with its deposit; in a transaction that holds that deposit's row. */
export const isFilledAhead = async (client: PoolClient, requestId: Hex): Promise<boolean> => {
  const { rows } = await client.query<{ state: FastFillState }>({
    name: 'fast_fill_state',
    text: 'select state from fast_fills where request_id = $1',
    values: [toBytea(requestId)],
  })
  return isAhead(rows[0]?.state)
}

/**
 * Gives undecided deposits of requests to the wallet that paid for their fill: the collateral has, or the fill was told as a success and
 * turned out dead. They become its balance once they are settled.
 */
export const giveLateDeposits = async (client: PoolClient, requestIds: readonly Hex[]): Promise<void> => {
  if (requestIds.length === 0) return
  await client.query({
    name: 'fast_fill_late',
    text: `update deposits d set holder = f.wallet from fast_fills f join requests r on r.id = f.request_id
      where f.request_id = any($1::bytea[]) and d.request_id = f.request_id and d.state = 'included' and d.outcome is null
        and (f.state = 'debited' or f.state = 'ended' and r.status = 'success')`,
    values: [requestIds.map((id) => toBytea(id))],
  })
}
