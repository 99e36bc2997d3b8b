import type { PoolClient } from 'pg'
import type { DepositEvent } from '../chain/chainAdapter.js'
import type { Json } from '../chain/json.js'
import { locatorOf, locatorText } from '../chain/txLocator.js'
import { fromBytea } from '../database/hexBytea.js'
import type { FailReason } from '../errors/failReason.js'
import type { Hex } from '../money/hex.js'
import { PACKED_COLUMNS, type PackedQuote, type QuoteTexts, unpackQuote } from '../quote/packing/quotePacking.js'
import { parseTerms, type QuoteTerms } from '../quote/quoteTerms.js'
import { type BalanceMove, moveOf } from '../request/balanceMoves.js'

/** What a deposit moved, for the record. */
export const depositMoves = ({ source, depository, money }: DepositEvent): readonly BalanceMove[] =>
  moveOf(source ?? null, depository, money)

/** A stored deposit, as the watcher's side needs it. */
export interface StoredDeposit {
  readonly id: string
  readonly txId: string
  readonly locator?: Json
  readonly position: number
  readonly state: string
  readonly blockHash: string | null
  readonly blockHeight: bigint | null
  readonly inclusions: number
  readonly currency: string
  readonly amount: bigint
  readonly orderId: Hex | null
  readonly requestId: Hex | null
  readonly outcome: 'fill' | 'refund' | 'balance' | null
  readonly outcomeReason: FailReason | null
  /** The wallet whose balance it becomes; null: nobody's. */
  readonly holder: string | null
}

interface DepositRow {
  id: string
  tx_id: string
  locator: string | null
  position: number
  state: string
  block_hash: string | null
  block_height: string | null
  inclusions: number
  currency: string
  amount: string
  order_id: string | null
  request_id: string | null
  outcome: StoredDeposit['outcome']
  outcome_reason: FailReason | null
  holder: string | null
}

const COLUMNS = `d.id::text as id, d.tx_id, d.locator, d.position, d.state, d.block_hash, d.block_height::text as block_height, d.inclusions, d.currency, d.amount::text as amount,
  '0x' || encode(d.order_id, 'hex') as order_id, '0x' || encode(d.request_id, 'hex') as request_id, d.outcome, d.outcome_reason, d.holder`

const toStored = (row: DepositRow): StoredDeposit => ({
  id: row.id,
  txId: row.tx_id,
  ...locatorOf(row.locator),
  position: row.position,
  state: row.state,
  blockHash: row.block_hash,
  blockHeight: row.block_height === null ? null : BigInt(row.block_height),
  inclusions: row.inclusions,
  currency: row.currency,
  amount: BigInt(row.amount),
  // CAST: made by encode(..., 'hex') with its prefix, in SQL above.
  orderId: row.order_id as Hex | null,
  requestId: row.request_id as Hex | null,
  outcome: row.outcome,
  outcomeReason: row.outcome_reason,
  holder: row.holder,
})

/** Stored deposits among transactions of a page, locked until the page is committed. */
export const findDeposits = async (
  client: PoolClient,
  chainId: number,
  txIds: readonly string[],
): Promise<StoredDeposit[]> => {
  if (txIds.length === 0) return []
  const { rows } = await client.query<DepositRow>({
    name: 'deposits_find',
    text: `select ${COLUMNS} from deposits d where d.chain_id = $1 and d.tx_id = any($2) order by d.id for update of d`,
    values: [chainId, txIds],
  })
  return rows.map(toStored)
}

/** Deposits the chain may have dropped: those included above a height. Not locked; read before the chain is asked. */
export const findDepositsAbove = async (
  db: Pick<PoolClient, 'query'>,
  chainId: number,
  height: bigint,
): Promise<StoredDeposit[]> => {
  const { rows } = await db.query<DepositRow>(
    `select ${COLUMNS} from deposits d where d.chain_id = $1 and d.block_height > $2 and d.state = 'included'`,
    [chainId, height],
  )
  return rows.map(toStored)
}

/** Deposits that stand in blocks above a height and up to another. Not locked. */
export const findDepositsBetween = async (
  db: Pick<PoolClient, 'query'>,
  chainId: number,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<StoredDeposit[]> => {
  const { rows } = await db.query<DepositRow>(
    `select ${COLUMNS} from deposits d where d.chain_id = $1 and d.block_height > $2 and d.block_height <= $3 and d.state = 'included'`,
    [chainId, after, upTo],
  )
  return rows.map(toStored)
}

export interface KnownOrder {
  readonly terms: QuoteTerms
  /** Texts of a packed quote. */
  readonly texts?: QuoteTexts
  readonly consumed: boolean
  /** Its request is `pending` and waits for its deposit. */
  readonly announced: boolean
  /** We sent a call for its user that is to deposit (wire.md B.2 depositing). */
  readonly executed: boolean
}

/** Terms of the quotes behind order ids, from requests where the quote was used, else from quotes; one statement. */
export const findOrders = async (client: PoolClient, orderIds: readonly Hex[]): Promise<Map<Hex, KnownOrder>> => {
  if (orderIds.length === 0) return new Map()
  const { rows } = await client.query<PackedQuote & { consumed: boolean; announced: boolean; executed: boolean }>({
    name: 'orders_find',
    text: `select distinct on (order_id) ${PACKED_COLUMNS},
        exists (select 1 from orders o where o.order_id = found.order_id and o.consumed_by is not null)
          -- Its deposit was spent elsewhere: the order was given up.
          or exists (select 1 from requests r where r.order_id = found.order_id and r.parent_request_id is null
            and r.status = 'failure' and r.fail_reason = 'DOUBLE_SPEND') as consumed,
        exists (select 1 from requests r where r.order_id = found.order_id and r.parent_request_id is null and r.status = 'pending'
          and r.next_action = 'await-block') as announced,
        exists (select 1 from payouts p where p.order_id = found.order_id and p.purpose = 'origin' and p.cause like 'execute:%') as executed
      from (
        select id, order_id, null::bytea as packed, terms, '' as body, '' as quoted, '' as order_data, 0 as preference
        from requests where order_id = any($1) and parent_request_id is null
        union all
        select ${PACKED_COLUMNS}, 1 from quote_rows where order_id = any($1)
      ) found order by order_id, preference`,
    values: [orderIds.map((id) => Buffer.from(id.slice(2), 'hex'))],
  })
  return new Map(
    rows.map((row) => {
      const { consumed, announced, executed } = row
      const texts = unpackQuote(row)
      const order = { terms: parseTerms(texts.terms), consumed, announced, executed }
      return [fromBytea(row.order_id), row.packed === null ? order : { ...order, texts }]
    }),
  )
}

export interface NewDeposit {
  readonly event: DepositEvent
  readonly onchainId: Hex
  readonly requestId: Hex | null
  readonly parkedReason: string | null
  readonly holder: string | null
}

/** Inserts deposits in one statement and returns their ids in the order given. */
export const insertDeposits = async (
  client: PoolClient,
  chainId: number,
  deposits: readonly NewDeposit[],
  now: number,
): Promise<string[]> => {
  if (deposits.length === 0) return []
  const rows = deposits.map(({ event, onchainId, requestId, parkedReason, holder }) => ({
    tx_id: event.tx.id,
    locator: locatorText(event.tx.locator),
    position: event.position,
    onchain_id: onchainId.slice(2),
    order_id: event.orderId?.slice(2) ?? null,
    depositor: event.depositor,
    depository: event.depository,
    currency: event.money.currency,
    amount: event.money.amount.toString(),
    block_height: event.block?.height.toString() ?? null,
    block_hash: event.block?.hash ?? null,
    block_time: event.block?.time ?? null,
    request_id: requestId?.slice(2) ?? null,
    parked_reason: parkedReason,
    holder,
  }))
  const { rows: inserted } = await client.query<{ id: string; tx_id: string; position: number }>({
    name: 'deposits_insert',
    text: `insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount,
        block_height, block_hash, block_time, state, request_id, parked_reason, created_at, locator, holder)
      select $1, d.tx_id, d.position, decode(d.onchain_id, 'hex'), decode(d.order_id, 'hex'), d.depositor, d.depository,
        d.currency, d.amount, d.block_height, d.block_hash, to_timestamp(d.block_time), 'included',
        decode(d.request_id, 'hex'), d.parked_reason, to_timestamp($3 / 1000.0), d.locator, d.holder
      from jsonb_to_recordset($2::jsonb) as d(tx_id text, position int, onchain_id text, order_id text, depositor text,
        depository text, currency text, amount numeric, block_height bigint, block_hash text, block_time bigint,
        request_id text, parked_reason text, locator text, holder text)
      returning id::text as id, tx_id, position`,
    values: [chainId, JSON.stringify(rows), now],
  })
  const idOf = new Map(inserted.map((row) => [`${row.tx_id}:${row.position}`, row.id]))
  return deposits.map(({ event }) => idOf.get(`${event.tx.id}:${event.position}`) ?? '')
}

/** A deposit is on the chain (again): its block, and one inclusion more when it had been gone. */
export const includeDeposit = async (
  client: PoolClient,
  id: string,
  { tx, block }: Pick<DepositEvent, 'tx' | 'block'>,
  again: boolean,
): Promise<void> => {
  await client.query({
    name: 'deposit_include',
    text: `update deposits set state = 'included', block_height = $2, block_hash = $3, block_time = to_timestamp($4),
      inclusions = inclusions + case when $5 then 1 else 0 end, locator = coalesce($6, locator) where id = $1`,
    values: [
      id,
      block?.height.toString() ?? null,
      block?.hash ?? null,
      block?.time ?? null,
      again,
      locatorText(tx.locator),
    ],
  })
}

/** A deposit left the chain (K.2 6): the evidence stays on it. */
export const removeDeposit = async (
  client: PoolClient,
  id: string,
  state: 'reorged' | 'failed',
  evidence: string,
): Promise<void> => {
  await client.query({
    name: 'deposit_remove',
    text: 'update deposits set state = $2, reorg = $3, block_height = null, block_hash = null, block_time = null where id = $1',
    values: [id, state, evidence],
  })
}
