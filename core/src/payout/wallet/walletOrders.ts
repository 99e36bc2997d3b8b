import type { Pool, PoolClient } from 'pg'
import type { Json } from '../../chain/json.js'
import { locatorOf } from '../../chain/txLocator.js'
import { wakeLane } from '../../database/notifier.js'
import { ActionRefusedError } from '../../errors/actionRefused.js'
import type { Hex } from '../../money/hex.js'
import { parsePrepared } from '../payoutRecord.js'
import type { PayoutState } from '../payoutState.js'
import { readWalletOrder, walletOrderId } from './walletOrder.js'

/** An order as it was signed; all that is believed of it is what its signature covers. */
export interface SignedWalletOrder {
  readonly text: string
  readonly signature: string
}

/** The id that this database got when it was made, so that an order is good for one database. */
export const readDatabaseId = async (db: Pool | PoolClient): Promise<string> => {
  const { rows } = await db.query<{ id: string }>('select id::text as id from database_id')
  if (rows[0] === undefined) throw new Error('This database has no id: the migrations did not run.')
  return rows[0].id
}

/**
 * Puts an order and its payout down, in the caller's transaction; the amount is reserved from then on. The lane checks the order and
 * signs, or refuses it. Nothing is checked here: whoever writes the database could leave that out. Returns its id.
 * @throws ActionRefusedError for a text that is no order, or one that is there already
 */
export const createWalletOrder = async (
  client: PoolClient,
  { text, signature }: SignedWalletOrder,
  now: number,
): Promise<Hex> => {
  const order = readWalletOrder(text)
  if (order === null) throw new ActionRefusedError('This is no wallet order.')
  const id = walletOrderId(text)
  const { rowCount } = await client.query(
    `insert into wallet_orders (id, chain_id, body, signature, created_at)
     values (decode($1, 'hex'), $2, $3, $4, to_timestamp($5 / 1000.0)) on conflict do nothing`,
    [id.slice(2), order.chainId, text, signature, now],
  )
  if (rowCount !== 1) throw new ActionRefusedError(`Wallet order ${id} is there already.`)
  await client.query(
    `insert into payouts (purpose, cause, order_id, chain_id, signer, recipient, currency, amount, fees, data, state, created_at,
       updated_at, next_action, next_action_at)
     values ($1, 'wallet:' || $2, decode($2, 'hex'), $3, $4, $5, $6, $7, 0, '{}', 'ready', to_timestamp($8 / 1000.0),
       to_timestamp($8 / 1000.0), 'sign', to_timestamp($8 / 1000.0))`,
    [
      order.action,
      id.slice(2),
      order.chainId,
      order.wallet,
      order.recipient,
      order.currency,
      order.amount.toString(),
      now,
    ],
  )
  await wakeLane(client, order.chainId)
  return id
}

/** The signed order of a payout; null where there is none. */
export const findSignedOrder = async (db: Pool | PoolClient, id: Hex): Promise<SignedWalletOrder | null> => {
  const { rows } = await db.query<SignedWalletOrder>({
    name: 'wallet_order',
    text: `select body as text, signature from wallet_orders where id = decode($1, 'hex')`,
    values: [id.slice(2)],
  })
  return rows[0] ?? null
}

/** An order will never be paid: its payout ends, unsigned or proven dead. False where it is on its way. */
export const refuseWalletOrder = async (
  client: PoolClient,
  payoutId: string,
  reason: string,
  now: number,
): Promise<boolean> => {
  const { rowCount } = await client.query(
    `update payouts set state = 'dead', fail_reason = 'WALLET_ORDER_REFUSED', details = $2, next_action = null, next_action_at = null,
       trouble = null, trouble_since = null, updated_at = to_timestamp($3 / 1000.0)
     where id = $1 and state = 'ready' and purpose in ('send', 'approve')`,
    [payoutId, reason.slice(0, 500), now],
  )
  return rowCount === 1
}

/** What was signed for an order before, by generation. */
export interface EarlierGeneration {
  readonly guards: readonly string[]
  readonly txIds: readonly string[]
  readonly locators: Readonly<Record<string, Json>>
}

/** Payouts that claim an order, and every generation that was ever signed for them. */
export const findClaims = async (
  db: Pool | PoolClient,
  id: Hex,
): Promise<{ readonly payouts: readonly string[]; readonly generations: readonly EarlierGeneration[] }> => {
  const { rows } = await db.query<{ payout: string; signed: readonly AttemptRow[] | null }>({
    name: 'wallet_order_claims',
    text: `select p.id::text as payout, (select json_agg(json_build_object('generation', a.generation, 'tx_id', a.tx_id, 'locator', a.locator,
        'prepared', a.prepared) order by a.generation, a.version) from payout_attempts a where a.payout_id = p.id and a.kind = 'pay') as signed
      from payouts p where p.order_id = decode($1, 'hex') and p.purpose in ('send', 'approve')`,
    values: [id.slice(2)],
  })
  return {
    payouts: rows.map(({ payout }) => payout),
    generations: rows.flatMap(({ signed }) => generationsOf(signed ?? [])),
  }
}

interface AttemptRow {
  readonly generation: number
  readonly tx_id: string
  readonly locator: string | null
  readonly prepared: string | null
}

const generationsOf = (attempts: readonly AttemptRow[]): readonly EarlierGeneration[] =>
  [...new Set(attempts.map(({ generation }) => generation))].map((generation) => {
    const own = attempts.filter((attempt) => attempt.generation === generation)
    const guards = own.flatMap(({ prepared }) => (prepared === null ? [] : parsePrepared(prepared).guards))
    const located = own.flatMap(({ tx_id, locator }): [string, Json][] => {
      const known = locatorOf(locator).locator
      return known === undefined ? [] : [[tx_id, known]]
    })
    return {
      guards: [...new Set(guards)],
      txIds: own.map(({ tx_id }) => tx_id),
      locators: Object.fromEntries(located),
    }
  })

/** What was signed away to a recipient within the last 24 hours by other orders, smallest unit; what died counts, as in hourly limits. */
export const sentWithinDay = async (
  db: Pool | PoolClient,
  to: {
    readonly chainId: number
    readonly recipient: string
    readonly currency: string
    /** Payout that is asked for. */
    readonly except: string
  },
  now: number,
): Promise<bigint> => {
  const { rows } = await db.query<{ sent: string }>({
    name: 'wallet_sent',
    text: `select coalesce(sum(p.amount), 0)::text as sent from payouts p
      where p.purpose = 'send' and p.chain_id = $1 and p.recipient = $2 and p.currency = $3 and p.id <> $4 and exists (
        select from payout_attempts a where a.payout_id = p.id and a.kind = 'pay' and a.created_at > to_timestamp(($5 - 86400000.0) / 1000.0))`,
    values: [to.chainId, to.recipient, to.currency, to.except, now],
  })
  return BigInt(rows[0]?.sent ?? '0')
}

/** An order as the operator sees it. */
export interface ShownWalletOrder extends SignedWalletOrder {
  readonly id: Hex
  readonly createdAt: Date
  /** Null: no payout belongs to it, so that nothing is ever paid for it. */
  readonly payoutId: string | null
  readonly state: PayoutState | null
  /** Why it was refused, or waits. */
  readonly why: string | null
  readonly txIds: readonly string[]
}

/**
 * Orders, newest first, and payouts that claim an order which is not there; `open` leaves out those that are over since a day.
 */
export const listWalletOrders = async (
  db: Pool | PoolClient,
  { chainId, now, limit }: { readonly chainId: number | null; readonly now: number; readonly limit: number },
): Promise<readonly ShownWalletOrder[]> => {
  const { rows } = await db.query<{
    id: Hex
    text: string | null
    signature: string | null
    created_at: Date
    payout: string | null
    state: PayoutState | null
    why: string | null
    tx_ids: readonly string[] | null
  }>(
    `select '0x' || encode(coalesce(w.id, p.order_id), 'hex') as id, w.body as text, w.signature, coalesce(w.created_at, p.created_at) as created_at,
       p.id::text as payout, p.state, coalesce(p.details, p.trouble) as why,
       (select array_agg(a.tx_id order by a.generation, a.version) from payout_attempts a where a.payout_id = p.id and a.kind = 'pay') as tx_ids
     from wallet_orders w full join (select * from payouts where purpose in ('send', 'approve')) p on p.order_id = w.id
     where ($1::bigint is null or coalesce(p.chain_id, w.chain_id) = $1)
       and (p.state is null or p.state in ('ready', 'signed', 'included') or p.updated_at > to_timestamp(($2 - 7 * 86400000.0) / 1000.0))
     order by coalesce(w.created_at, p.created_at) desc, p.id desc limit $3`,
    [chainId, now, limit],
  )
  return rows.map((row) => ({
    id: row.id,
    text: row.text ?? '',
    signature: row.signature ?? '',
    createdAt: row.created_at,
    payoutId: row.payout,
    state: row.state,
    why: row.why,
    txIds: row.tx_ids ?? [],
  }))
}
