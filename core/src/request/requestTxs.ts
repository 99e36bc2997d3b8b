import type { PoolClient } from 'pg'
import type { Json } from '../chain/json.js'
import { locatorText } from '../chain/txLocator.js'
import type { Hex } from '../money/hex.js'
import { type BalanceMove, stateChangesOf } from './balanceMoves.js'

/** One transaction of a record (wire.md 3.1 TX). */
export interface RequestTx {
  readonly requestId: Hex
  readonly direction: 'in' | 'out'
  readonly purpose: string
  readonly chainId: number
  readonly txId: string
  /** What else the chain needs to find it. */
  readonly locator?: Json
  readonly position: number
  readonly block: { readonly height: bigint; readonly hash: string; readonly time: number } | null
  readonly fee: bigint | null
  readonly status: 'pending' | 'success' | 'failure'
  readonly data: Json
  /** What it moved, of a successful one; absent: not known. */
  readonly moves?: readonly BalanceMove[]
  readonly reorg: Json
}

const SAVE = {
  name: 'request_txs_save',
  text: `insert into request_txs (request_id, direction, purpose, chain_id, tx_id, position, block_height, block_hash,
      block_time, fee, status, data, state_changes, reorg, created_at, locator)
    select decode(t.request_id, 'hex'), t.direction, t.purpose, t.chain_id, t.tx_id, t.position, t.block_height, t.block_hash,
      to_timestamp(t.block_time), t.fee, t.status, t.data, t.state_changes, t.reorg, to_timestamp($2 / 1000.0), t.locator
    from jsonb_to_recordset($1::jsonb) as t(request_id text, direction text, purpose text, chain_id bigint, tx_id text,
      position int, block_height bigint, block_hash text, block_time bigint, fee numeric, status text, data text, state_changes text,
      reorg text, locator text)
    on conflict (request_id, direction, chain_id, tx_id, position) do update set
      block_height = coalesce(excluded.block_height, request_txs.block_height),
      block_hash = coalesce(excluded.block_hash, request_txs.block_hash),
      block_time = coalesce(excluded.block_time, request_txs.block_time),
      fee = coalesce(excluded.fee, request_txs.fee), status = excluded.status,
      data = coalesce(excluded.data, request_txs.data), reorg = excluded.reorg,
      -- The lane that sent a user's transaction does not know what it moved; the watcher does.
      state_changes = case when excluded.status = 'success' then coalesce(excluded.state_changes, request_txs.state_changes) else excluded.state_changes end,
      locator = coalesce(excluded.locator, request_txs.locator)`,
}

/**
 * The same entries with the data of each transaction in the first of them alone: that of a transaction that makes thousands of deposits
 * may be as large as a transaction can be (faults.md F132). Records of the others read it from there where it is short (`DATA_OF_TX`).
 */
export const withDataOnce = (txs: readonly RequestTx[]): readonly RequestTx[] => {
  const held = new Set<string>()
  return txs.map((tx) => {
    if (held.has(tx.txId)) return { ...tx, data: null }
    held.add(tx.txId)
    return tx
  })
}

/** Characters of a transaction's data that the records of all its deposits repeat. */
const REPEATED_DATA = 8_192

/** Data of the transaction of an entry `t`, its own or that of another deposit of the same transaction. */
export const DATA_OF_TX = `coalesce(t.data, (select s.data from request_txs s
    where t.direction = 'in' and s.tx_id = t.tx_id and s.chain_id = t.chain_id and s.direction = 'in' and length(s.data) <= ${REPEATED_DATA}
    limit 1))`

/**
 * Writes or updates transactions of records, in one statement and one order. To be called before the statuses of their requests change:
 * whoever locks both locks the transactions first.
 */
export const saveRequestTxs = async (client: PoolClient, txs: readonly RequestTx[], now: number): Promise<void> => {
  if (txs.length === 0) return
  const rows = txs.map((tx) => ({
    request_id: tx.requestId.slice(2),
    direction: tx.direction,
    purpose: tx.purpose,
    chain_id: tx.chainId,
    tx_id: tx.txId,
    position: tx.position,
    block_height: tx.block?.height.toString() ?? null,
    block_hash: tx.block?.hash ?? null,
    block_time: tx.block?.time ?? null,
    fee: tx.fee?.toString() ?? null,
    status: tx.status,
    data: tx.data === null ? null : JSON.stringify(tx.data),
    state_changes: tx.moves === undefined || tx.moves.length === 0 ? null : JSON.stringify(stateChangesOf(tx.moves)),
    reorg: tx.reorg === null ? null : JSON.stringify(tx.reorg),
    locator: locatorText(tx.locator),
  }))
  rows.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
  await client.query({ ...SAVE, values: [JSON.stringify(rows), now] })
}

const keyOf = (row: {
  readonly request_id: string
  readonly direction: string
  readonly chain_id: number
  readonly tx_id: string
  readonly position: number
}): string => `${row.request_id} ${row.direction} ${row.chain_id} ${row.tx_id} ${row.position}`
