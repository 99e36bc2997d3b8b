import type { Pool, PoolClient } from 'pg'
import { isTopupSql, topupWalletSql } from '../appBalance/topupMarker.js'
import type { Json } from '../chain/json.js'
import { fromBytea, toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import { parseTerms, type QuoteTerms } from '../quote/quoteTerms.js'
import { ORDER_FACTS_JOIN, QUOTED_SQL } from '../request/orderFacts.js'
import type { RequestStatus } from '../request/requestStatus.js'
import { DATA_OF_TX } from '../request/requestTxs.js'
import { answerOf, PAYMENT_AT_ADDRESS } from './answers.js'

/** A transaction of a record, in or out. */
export interface RecordTx {
  readonly direction: 'in' | 'out'
  /** `deposit`, or the purpose of the payout. */
  readonly purpose: string
  readonly chainId: number
  readonly txId: string
  readonly blockHeight: bigint | null
  readonly blockHash: string | null
  /** Unix seconds. */
  readonly blockTime: number | null
  /** Native fee in the smallest unit. */
  readonly fee: bigint | null
  readonly status: 'pending' | 'success' | 'failure'
  readonly data: Json
  readonly stateChanges: Json
  /** `metadata.reorg` (wire.md 3.1 TX); null when it was not reorged. */
  readonly reorg: Json
}

/** A deposit that belongs to the request. */
export interface RecordDeposit {
  readonly chainId: number
  readonly txId: string
  readonly onchainId: Hex
  readonly depositor: string
  readonly depository: string
  readonly currency: string
  readonly amount: bigint
  readonly state: 'seen' | 'included' | 'dropped' | 'reorged' | 'failed'
  readonly outcome: 'fill' | 'refund' | null
  readonly withdrawn: boolean
}

/** Money sent for the request. */
export interface RecordPayout {
  readonly purpose: string
  readonly chainId: number
  readonly signer: string
  readonly recipient: string
  readonly currency: string
  readonly amount: bigint
  /** Kept from the deposit, in its currency. */
  readonly fees: bigint
  readonly data: Json
  readonly state: 'ready' | 'signed' | 'included' | 'final' | 'dead' | 'abandoned'
  readonly failReason: string | null
  /** Whether a transaction of it was ever signed. */
  readonly attempted: boolean
  /** Hash and fee of the attempt on the chain; null before. */
  readonly txId: string | null
  readonly networkFee: bigint | null
}

/** An app fee that a user's own swap brought to the depository (wire.md D.7). */
export interface CollectedFee {
  /** In lower case. */
  readonly wallet: string
  readonly currency: string
  readonly amount: bigint
}

/** Everything that is known of a request, as its record is built from (architecture.md 6, Records); of an unpaid quote too. */
export interface RecordFacts {
  readonly id: Hex
  readonly status: RequestStatus
  readonly unpaid: boolean
  readonly parentId: Hex | null
  readonly supersededBy: Hex | null
  /** Null for value that the user moves alone. */
  readonly orderId: Hex | null
  readonly terms: QuoteTerms
  /** What the quote answered, and what only the owner may see of it; `{}` where it is not known. */
  readonly quoted: { readonly [name: string]: Json | undefined }
  /** Amount that the transaction of a direct execution took, smallest unit; null if unknown. */
  readonly given: bigint | null
  /** What the recipient of a direct execution, or of a fill with calls, really got, smallest unit; null where it is not known. */
  readonly received: bigint | null
  /** Amount that the refund delivered, smallest unit; null: the whole payment. */
  readonly refunded: bigint | null
  /** The body of the quote, its key removed. */
  readonly body: { readonly [name: string]: Json | undefined }
  readonly order: { readonly [name: string]: Json | undefined } | null
  readonly requestType: string
  readonly features: readonly string[]
  readonly user: string
  readonly recipient: string
  readonly refundTo: string | null
  readonly depositAddress: string | null
  readonly depositor: string | null
  /** The user's payment to the address. */
  readonly transferTx: string | null
  readonly recoveryAddress: string | null
  readonly refundReason: string | null
  readonly failReason: string | null
  readonly refundFailReason: string | null
  readonly details: string | null
  /** The call of a fill that was refused before it was sent; null where there was none. */
  readonly failedCall: Json
  readonly integratorId: string | null
  readonly apiKeyId: string | null
  readonly referrer: string | null
  readonly externalMetadata: Json
  /** Unix milliseconds. */
  readonly quotedAt: number
  readonly createdAt: number
  readonly updatedAt: number
  /** In the order they were seen. */
  readonly txs: readonly RecordTx[]
  readonly deposits: readonly RecordDeposit[]
  readonly payouts: readonly RecordPayout[]
  /** Of a direct execution. */
  readonly collected: readonly CollectedFee[]
}

const TXS = `(select coalesce(json_agg(json_build_object('direction', t.direction, 'purpose', t.purpose, 'chainId', t.chain_id,
    'txId', t.tx_id, 'blockHeight', t.block_height::text, 'blockHash', t.block_hash,
    'blockTime', extract(epoch from t.block_time)::bigint, 'fee', t.fee::text, 'status', t.status, 'data', ${DATA_OF_TX}::json,
    'stateChanges', t.state_changes::json, 'reorg', t.reorg::json) order by t.created_at, t.chain_id, t.tx_id, t.position), '[]')
  from request_txs t where t.request_id = r.id)`

const DEPOSITS = `(select coalesce(json_agg(json_build_object('chainId', d.chain_id, 'txId', d.tx_id,
    'onchainId', '0x' || encode(d.onchain_id, 'hex'), 'depositor', d.depositor, 'depository', d.depository, 'currency', d.currency,
    'amount', d.amount::text, 'state', d.state, 'outcome', d.outcome, 'withdrawn', d.withdrawn_at is not null) order by d.id), '[]')
  from deposits d where d.request_id = r.id)`

const PAYOUTS = `(select coalesce(json_agg(json_build_object('purpose', p.purpose, 'chainId', p.chain_id, 'signer', p.signer,
    'recipient', p.recipient, 'currency', p.currency, 'amount', p.amount::text, 'fees', p.fees::text, 'data', p.data::json,
    'state', p.state, 'failReason', p.fail_reason, 'attempted', p.state in ('signed', 'included', 'final') or exists (select from payout_attempts s where s.payout_id = p.id), 'txId', a.tx_id, 'networkFee', a.fee::text) order by p.id), '[]')
  from payouts p left join lateral (select a.tx_id, a.fee from payout_attempts a
    where a.payout_id = p.id and a.state = 'included' order by a.generation desc, a.version desc limit 1) a on true
  where p.request_id = r.id)`

const COLLECTED = `case when r.terms::jsonb ? 'direct' then (select json_agg(json_build_object('wallet', ${topupWalletSql('d.order_id')},
    'currency', d.currency, 'amount', d.amount::text) order by d.id)
  from request_txs t join deposits d on d.chain_id = t.chain_id and d.tx_id = t.tx_id
  where t.request_id = r.id and t.direction = 'in' and d.state = 'included' and ${isTopupSql('d.order_id')}) end`

/** Of requests that carry the same order it comes with one of them: it may be long, and they many (faults.md F132). */
const ORDER_DATA = `case when row_number() over (partition by r.order_id order by r.id) = 1 then o.data end`

/** Outcome of an id whose own request was not paid, as the status operations state it. */
const ANSWERED = `coalesce(c.status, r.status) as status, c.id as superseded_by, coalesce(c.fail_reason, r.fail_reason) as fail_reason,
  coalesce(c.refund_fail_reason, r.refund_fail_reason) as refund_fail_reason, coalesce(c.details, r.details) as details,
  greatest(c.updated_at, r.updated_at) as updated_at`

const FIND = {
  name: 'record_facts',
  text: `select r.id, ${ANSWERED}, false as unpaid, r.parent_request_id, r.order_id, r.terms, ${QUOTED_SQL} as quoted, f.actual, f.body,
      ${ORDER_DATA} as order_data, r.request_type, r.features, r.user_address, r.recipient, coalesce(r.refund_to, a.refund_to) as refund_to, r.deposit_address, r.depositor,
      r.transfer_tx, a.recovery_address,
      r.refund_reason, f.failed_call::json as failed_call, r.integrator_id, r.api_key_id, r.referrer,
      f.external_metadata, r.quoted_at, r.created_at, ${TXS} as txs, ${DEPOSITS} as deposits, ${PAYOUTS} as payouts, ${COLLECTED} as collected
    from requests r left join request_facts f on f.request_id = r.id ${ORDER_FACTS_JOIN} left join orders o on o.order_id = r.order_id
      left join deposit_addresses a on r.deposit_address is not null and a.request_id = coalesce(r.parent_request_id, r.id)
      left join ${answerOf('r.id')} c on true
    where r.id = any($1)`,
}

const FIND_QUOTES = {
  name: 'record_quote_facts',
  text: `select q.id, coalesce(c.status, 'waiting') as status, true as unpaid, null::bytea as parent_request_id, c.id as superseded_by,
      case when q.terms::jsonb ? 'direct' then null else q.order_id end as order_id, q.terms, q.quoted, null as actual, q.body,
      q.order_data, q.quoted::json->>'requestType' as request_type, s.features,
      q.terms::json->>'user' as user_address, q.terms::json->>'recipient' as recipient, coalesce(q.terms::json->>'refundTo', a.refund_to) as refund_to,
      a.address as deposit_address, p.depositor, p.transfer_tx, a.recovery_address, null as refund_reason, c.fail_reason, c.refund_fail_reason,
      c.details, null::json as failed_call, q.integrator_id, q.api_key_id, q.referrer, null as external_metadata, q.created_at as quoted_at,
      q.created_at, greatest(c.updated_at, q.created_at) as updated_at, '[]'::json as txs, '[]'::json as deposits, '[]'::json as payouts, null::json as collected
    from quotes q left join deposit_addresses a on a.request_id = q.id left join ${PAYMENT_AT_ADDRESS} p on true
      left join ${answerOf('q.id')} c on true, lateral search_columns(q.quoted::jsonb, q.terms::jsonb, false) s where q.id = any($1)`,
}

interface FactsRow {
  id: Buffer
  status: RequestStatus
  unpaid: boolean
  parent_request_id: Buffer | null
  superseded_by: Buffer | null
  order_id: Buffer | null
  terms: string
  quoted: string | null
  actual: string | null
  body: string | null
  order_data: string | null
  request_type: string
  features: string[]
  user_address: string
  recipient: string
  refund_to: string | null
  deposit_address: string | null
  depositor: string | null
  transfer_tx: string | null
  recovery_address: string | null
  refund_reason: string | null
  fail_reason: string | null
  refund_fail_reason: string | null
  details: string | null
  failed_call: Json
  integrator_id: string | null
  api_key_id: string | null
  referrer: string | null
  external_metadata: Json
  quoted_at: Date
  created_at: Date
  updated_at: Date
  txs: Stored[]
  deposits: Stored[]
  payouts: Stored[]
  collected: Stored[] | null
}

type Stored = { readonly [name: string]: Json }

const amount = (value: Json | undefined): bigint | null => (typeof value === 'string' ? BigInt(value) : null)

/** Restores the amounts of a row that was made as JSON. */
const withAmounts = <T>(row: Stored, names: readonly string[]): T =>
  // CAST: the statement above builds these fields; amounts travel as text and come back here.
  ({ ...row, ...Object.fromEntries(names.map((name) => [name, amount(row[name])])) }) as T

const hex = (bytes: Buffer | null): Hex | null => (bytes === null ? null : fromBytea(bytes))

const object = (text: string | null): { readonly [name: string]: Json | undefined } =>
  text === null || text === '' ? {} : JSON.parse(text)

/** Reads the amounts that `saveMoved` stored. */
const movedOf = ({ amountIn, amountOut, refunded }: RecordFacts['quoted']) => ({
  given: amount(amountIn),
  received: amount(amountOut),
  refunded: amount(refunded),
})

const toFacts = (row: FactsRow, order: RecordFacts['order']): RecordFacts => ({
  id: fromBytea(row.id),
  status: row.status,
  unpaid: row.unpaid,
  parentId: hex(row.parent_request_id),
  supersededBy: hex(row.superseded_by),
  orderId: hex(row.order_id),
  terms: parseTerms(row.terms),
  quoted: object(row.quoted),
  ...movedOf(object(row.actual)),
  body: object(row.body),
  order,
  requestType: row.request_type,
  features: row.features,
  user: row.user_address,
  recipient: row.recipient,
  refundTo: row.refund_to,
  depositAddress: row.deposit_address,
  depositor: row.depositor,
  transferTx: row.transfer_tx,
  recoveryAddress: row.recovery_address,
  refundReason: row.refund_reason,
  failReason: row.fail_reason,
  refundFailReason: row.refund_fail_reason,
  details: row.details,
  failedCall: row.failed_call,
  integratorId: row.integrator_id,
  apiKeyId: row.api_key_id,
  referrer: row.referrer,
  externalMetadata: row.external_metadata,
  quotedAt: row.quoted_at.getTime(),
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  txs: row.txs.map((tx) => withAmounts<RecordTx>(tx, ['blockHeight', 'fee'])),
  deposits: row.deposits.map((deposit) => withAmounts<RecordDeposit>(deposit, ['amount'])),
  payouts: row.payouts.map((payout) => withAmounts<RecordPayout>(payout, ['amount', 'fees', 'networkFee'])),
  collected: (row.collected ?? []).map((fee) => withAmounts<CollectedFee>(fee, ['amount'])),
})

const ordersOf = (rows: readonly FactsRow[]): ReadonlyMap<Hex | null, RecordFacts['order']> =>
  new Map(
    rows.flatMap(({ order_id: id, order_data: data }): [Hex | null, RecordFacts['order']][] =>
      data === null || data === '{}' ? [] : [[hex(id), object(data)]],
    ),
  )

/** The facts of requests, and of quotes that nobody has paid, by id; one statement for each kind. Unknown ids are left out. */
export const loadRecordFacts = async (
  db: Pool | PoolClient,
  ids: readonly { readonly id: Hex; readonly unpaid: boolean }[],
): Promise<ReadonlyMap<Hex, RecordFacts>> => {
  const found = new Map<Hex, RecordFacts>()
  for (const [statement, unpaid] of [
    [FIND, false],
    [FIND_QUOTES, true],
  ] as const) {
    const wanted = ids.filter((one) => one.unpaid === unpaid)
    if (wanted.length === 0) continue
    const { rows } = await db.query<FactsRow>({ ...statement, values: [wanted.map(({ id }) => toBytea(id))] })
    const orders = ordersOf(rows)
    for (const row of rows) found.set(fromBytea(row.id), toFacts(row, orders.get(hex(row.order_id)) ?? null))
  }
  return found
}
