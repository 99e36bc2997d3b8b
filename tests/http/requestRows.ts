import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import type { Pool } from 'pg'

const hexOf = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`

/** Gives a request's quote a platform fee of that many basis points, a third of them the service's. */
export const chargePlatformFee = async (pool: Pool, id: Hex, bps: number): Promise<void> => {
  const fee = { bucket: 'default', ruleId: 1, relayFeeBps: bps / 3, integratorFeeBps: (bps * 2) / 3, totalFeeBps: bps }
  await pool.query(
    `update request_facts f set quoted = (q || jsonb_build_object('platformFee', $2::jsonb || jsonb_build_object(
       'integratorFeeRecipient', null, 'relayFee', a, 'integratorFee', a, 'totalPlatformFee', a)))::text
     from (select request_id, quoted::jsonb as q, quoted::jsonb->'details'->'currencyIn' as a from request_facts) p
     where f.request_id = $1 and p.request_id = $1`,
    [Buffer.from(id.slice(2), 'hex'), JSON.stringify(fee)],
  )
}

/** Far enough that nothing of it is ever due. */
const NEVER = '2100-01-01T00:00:00Z'
const DONE = ['success', 'failure', 'refund']

export interface RequestRow {
  readonly status?: string
  /** Columns of `requests`, as JSON writes them. */
  readonly columns?: Readonly<Record<string, unknown>>
  readonly parent?: Hex
  readonly txs?: readonly { readonly purpose: string; readonly txId: string; readonly height?: number }[]
}

/** Writes a request like a real one but for what is given; returns its id. */
export const addRequest = async (pool: Pool, like: Hex, row: RequestRow = {}): Promise<Hex> => {
  const [id, orderId] = [hexOf(randomBytes(32)), hexOf(randomBytes(32))]
  const status = row.status ?? 'success'
  const isDone = DONE.includes(status)
  const changed = {
    id: `\\x${id.slice(2)}`,
    order_id: `\\x${orderId.slice(2)}`,
    parent_request_id: row.parent === undefined ? null : `\\x${row.parent.slice(2)}`,
    status,
    committed: false,
    next_action: isDone ? null : 'test',
    next_action_at: isDone ? null : NEVER,
    ...row.columns,
  }
  const from = Buffer.from(like.slice(2), 'hex')
  const to = Buffer.from(id.slice(2), 'hex')
  await pool.query(
    `insert into requests overriding system value
     select (jsonb_populate_record(r, $2::jsonb || jsonb_build_object('seq', nextval(pg_get_serial_sequence('requests', 'seq'))))).*
     from requests r where id = $1`,
    [from, JSON.stringify(changed)],
  )
  await pool.query(
    'insert into request_facts (request_id, quoted, body) select $2, quoted, body from request_facts where request_id = $1',
    [from, to],
  )
  for (const { purpose, txId, height } of row.txs ?? []) {
    await pool.query(
      `insert into request_txs (request_id, direction, purpose, chain_id, tx_id, block_height, block_time, fee, status, created_at)
       select id, case when $2 = 'deposit' then 'in' else 'out' end, $2,
         case when $2 = 'fill' then destination_chain_id else origin_chain_id end, $3, $4, created_at, 1, 'success', created_at
       from requests where id = $1`,
      [to, purpose, txId, height ?? 1],
    )
  }
  return id
}
