import type { PoolClient } from 'pg'
import type { Json } from '../chain/chainAdapter.js'
import type { Hex } from '../money/hex.js'

/** One transaction of a record (wire.md 3.1 TX). */
export interface RequestTx {
  readonly requestId: Hex
  readonly direction: 'in' | 'out'
  readonly purpose: string
  readonly chainId: number
  readonly txId: string
  readonly position: number
  readonly block: { readonly height: bigint; readonly hash: string; readonly time: number } | null
  readonly fee: bigint | null
  readonly status: 'pending' | 'success' | 'failure'
  readonly data: Json
  readonly reorg: Json
}

const SAVE = {
  name: 'request_txs_save',
  text: `insert into request_txs (request_id, direction, purpose, chain_id, tx_id, position, block_height, block_hash,
      block_time, fee, status, data, reorg, created_at)
    select decode(t.request_id, 'hex'), t.direction, t.purpose, t.chain_id, t.tx_id, t.position, t.block_height, t.block_hash,
      to_timestamp(t.block_time), t.fee, t.status, t.data, t.reorg, to_timestamp($2 / 1000.0)
    from jsonb_to_recordset($1::jsonb) as t(request_id text, direction text, purpose text, chain_id bigint, tx_id text,
      position int, block_height bigint, block_hash text, block_time bigint, fee numeric, status text, data text, reorg text)
    on conflict (request_id, direction, chain_id, tx_id, position) do update set
      block_height = coalesce(excluded.block_height, request_txs.block_height),
      block_hash = coalesce(excluded.block_hash, request_txs.block_hash),
      block_time = coalesce(excluded.block_time, request_txs.block_time),
      fee = coalesce(excluded.fee, request_txs.fee), status = excluded.status,
      data = coalesce(excluded.data, request_txs.data), reorg = excluded.reorg`,
}

/** Writes or updates transactions of records, in one statement. */
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
    reorg: tx.reorg === null ? null : JSON.stringify(tx.reorg),
  }))
  await client.query({ ...SAVE, values: [JSON.stringify(rows), now] })
}
