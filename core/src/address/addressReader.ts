import type { Pool, PoolClient } from 'pg'
import type { DepositAddress } from '../chain/address/depositAddresses.js'
import { parseDestination } from '../chain/destination.js'
import { toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import type { DepositAddressType } from './newAddress.js'

/** An address that was given to somebody. */
export interface StoredDepositAddress extends DepositAddress {
  readonly id: string
  readonly chainId: number
  readonly type: DepositAddressType
  readonly requestId: Hex
  readonly currency: string
  readonly refundTo: string | null
  readonly recoveryAddress: string | null
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly liveUntil: number
  /** Of the quote that gave it; null: nobody's key. */
  readonly integratorId: string | null
}

/** Exactly one of them. */
export type AddressKey =
  | { readonly address: string; readonly chainId?: number }
  | { readonly requestId: Hex }
  | { readonly orderId: Hex }
  | { readonly id: string }
  /** The one that a stored deposit came by. */
  | { readonly depositId: string }

export interface AddressRow {
  id: string
  chain_id: string
  address: string
  type: DepositAddressType
  order_id: Hex
  request_id: Hex
  depositor: string
  derivation: string
  currency: string
  refund_to: string | null
  recovery_address: string | null
  created_at: Date
  live_until: Date
  integrator_id: string | null
}

/** Columns of `deposit_addresses a`, as `toAddress` reads them. */
export const ADDRESS_COLUMNS = `a.id::text as id, a.chain_id::text as chain_id, a.address, a.type, '0x' || encode(a.order_id, 'hex') as order_id,
  '0x' || encode(a.request_id, 'hex') as request_id, a.depositor, a.derivation, a.currency, a.refund_to, a.recovery_address, a.created_at,
  a.live_until, coalesce((select r.integrator_id from requests r where r.id = a.request_id),
    (select q.integrator_id from quote_rows q where q.id = a.request_id limit 1)) as integrator_id`

export const toAddress = (row: AddressRow): StoredDepositAddress => ({
  id: row.id,
  chainId: Number(row.chain_id),
  destination: parseDestination(row.address),
  derivation: JSON.parse(row.derivation),
  type: row.type,
  orderId: row.order_id,
  requestId: row.request_id,
  depositor: row.depositor,
  currency: row.currency,
  refundTo: row.refund_to,
  recoveryAddress: row.recovery_address,
  createdAt: row.created_at.getTime(),
  liveUntil: row.live_until.getTime(),
  integratorId: row.integrator_id,
})

/** Addresses with that text, of one or of all chains, or the one of a request, order or number; oldest first. */
export const findAddresses = async (
  db: Pool | PoolClient,
  key: AddressKey,
): Promise<readonly StoredDepositAddress[]> => {
  const { where, values } = conditionOf(key)
  const { rows } = await db.query<AddressRow>(
    `select ${ADDRESS_COLUMNS} from deposit_addresses a where ${where} order by a.id limit 16`,
    [...values],
  )
  return rows.map(toAddress)
}

/** What the chain shows with a deposit, whatever order was made for it since. */
const ORDER_OF_DEPOSIT =
  '(select case when d.given then d.shown_order_id else d.order_id end from deposits d where d.id = $1)'

const conditionOf = (key: AddressKey): { readonly where: string; readonly values: readonly unknown[] } => {
  if ('requestId' in key) return { where: 'a.request_id = $1', values: [toBytea(key.requestId)] }
  if ('orderId' in key) return { where: 'a.order_id = $1', values: [toBytea(key.orderId)] }
  if ('id' in key) return { where: 'a.id = $1', values: [key.id] }
  if ('depositId' in key) return { where: `a.order_id = ${ORDER_OF_DEPOSIT}`, values: [key.depositId] }
  return {
    where: 'a.address = $1 and ($2::bigint is null or a.chain_id = $2)',
    values: [key.address, key.chainId ?? null],
  }
}
