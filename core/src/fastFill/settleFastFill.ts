import type { Pool, PoolClient } from 'pg'
import { locatorOf } from '../chain/txLocator.js'
import { toBytea } from '../database/hexBytea.js'
import type { DepositInDoubt } from '../deposit/depositTrust.js'
import { debitedPostings, settledPostings } from '../ledger/fastFillPostings.js'
import { postLedger } from '../ledger/ledger.js'
import { larger, smaller } from '../money/compare.js'
import { divide, type Rounding } from '../money/rounding.js'
import { isFirm } from '../payout/ground/payoutGround.js'
import type { PayoutFastFill } from '../payout/payoutRecord.js'
import { giveDeposit } from '../payout/settlement/giveDeposit.js'
import { coveredBy, FAST_FILL_COLUMNS, type FastFill, type FastFillRow, toFastFill } from './fastFill.js'
import { lockFastFill } from './holdFastFills.js'

const LIMIT = 64

/** A deposit as its chain is asked about it. */
export interface SettledDeposit extends DepositInDoubt {
  readonly id: string
}

/** A fast fill whose payment is final, and the deposit that pays it, settled. */
export interface SettlingFastFill {
  readonly fill: FastFill
  readonly deposit: SettledDeposit
}

export interface SettledDepositRow {
  deposit_id: string
  tx_id: string
  locator: string | null
  position: number
  deposit_chain: string
  deposit_currency: string
  deposit_amount: string
  height: string
  shown_order: string | null
}

/** Columns of `deposits d` that `toSettledDeposit` reads. */
export const SETTLED_DEPOSIT_COLUMNS = `d.id::text as deposit_id, d.tx_id, d.locator, d.position, d.chain_id::text as deposit_chain,
  d.currency as deposit_currency, d.amount::text as deposit_amount, d.block_height::text as height,
  encode(case when d.given then d.shown_order_id else d.order_id end, 'hex') as shown_order`

export const toSettledDeposit = (row: SettledDepositRow): SettledDeposit => ({
  id: row.deposit_id,
  txId: row.tx_id,
  ...locatorOf(row.locator),
  position: row.position,
  chainId: Number(row.deposit_chain),
  currency: row.deposit_currency,
  amount: BigInt(row.deposit_amount),
  height: BigInt(row.height),
  orderId: row.shown_order === null ? null : `0x${row.shown_order}`,
})

/** Fast fills whose payment is final and whose deposits on one chain lie at `height` or below, where they are settled. */
export const findSettlingFastFills = async (
  db: Pool | PoolClient,
  { chainId, height }: { readonly chainId: number; readonly height: bigint },
): Promise<readonly SettlingFastFill[]> => {
  const { rows } = await db.query<FastFillRow & SettledDepositRow>({
    name: 'fast_fills_settling',
    text: `select ${FAST_FILL_COLUMNS}, ${SETTLED_DEPOSIT_COLUMNS}
      from fast_fills f join orders o on o.order_id = f.order_id join deposits d on d.id = o.consumed_by and d.request_id = f.request_id
      where f.origin_chain_id = $1 and f.state = 'paid' and d.outcome is null and d.holder is null and ${isFirm('d')} and d.block_height <= $2
      order by d.block_height, d.id limit ${LIMIT}`,
    values: [chainId, height.toString()],
  })
  return rows.map((row) => ({ fill: toFastFill(row), deposit: toSettledDeposit(row) }))
}

/** Converts an amount of the deposit's currency into the collateral's at the current price. */
export type WorthNow = (amount: bigint, rounding: Rounding) => bigint

/**
 * The deposit of a fast fill pays it: its outcome is that fill, and the collateral is free again, less what the deposit is worth too little
 * now, or with what it brought beyond what was lent (`surplusOf`). In the caller's transaction. False where one of them has changed.
 */
export const settleFastFill = async (
  client: PoolClient,
  { fill: reference, deposit }: SettlingFastFill,
  worthNow: WorthNow,
  now: number,
): Promise<boolean> => {
  const fill = await lockFastFill(client, reference, ['paid'])
  if (fill === null) return false
  const { requestId, payoutId } = fill
  const { rows } = await client.query<{ lent: PayoutFastFill }>(
    `select p.data::jsonb -> 'fastFill' as lent from payouts p, deposits d
     where p.id = $1 and p.state = 'final' and d.id = $2 and d.request_id = $3 and d.outcome is null and d.holder is null
       and d.amount = $4 and ${isFirm('d')}`,
    [payoutId, deposit.id, toBytea(requestId), deposit.amount.toString()],
  )
  const [row] = rows
  if (row === undefined || payoutId === null) return false
  const exposure = exposureOf(row.lent)
  const surplus = surplusOf(fill, { lent: exposure.amount, deposit: deposit.amount }, worthNow)
  await giveDeposit(client, payoutId, deposit.id, now)
  await finish(client, fill, { state: 'settled', depositId: deposit.id }, now)
  await client.query(`update deposits set outcome = 'fill', outcome_at = to_timestamp($2 / 1000.0) where id = $1`, [
    deposit.id,
    now,
  ])
  const postings = settledPostings({ ...coveredBy(fill), payoutId, exposure, deposit: deposit.amount, surplus })
  await postLedger(client, postings, now)
  return true
}

/**
 * What a deposit leaves the wallet beyond its collateral, below 0 what the collateral pays, all rounded in favour of the books (faults.md
 * F141). The wallet bears the price: what was lent counts as it was worth when it was lent, the deposit as it is worth now. Of a price that
 * rose it has nothing, so it cannot choose the moment. What is lacking pays the margin too.
 */
export const surplusOf = (
  { amount, cover }: Pick<FastFill, 'amount' | 'cover'>,
  { lent, deposit }: { readonly lent: bigint; readonly deposit: bigint },
  worthNow: WorthNow,
): bigint => {
  const then = (part: bigint, rounding: Rounding) => divide(part * cover.worth, amount, rounding)
  const brought = smaller(deposit, lent)
  const lost = larger(then(brought, 'up') - worthNow(brought, 'down'), 0n)
  const lacking = lent - brought
  const margin = divide(larger(then(lacking, 'up'), worthNow(lacking, 'up')) * cover.collateral, cover.worth, 'up')
  const more = deposit - brought
  const surplus = smaller(then(more, 'down'), worthNow(more, 'down')) - lost - margin
  return larger(surplus, -cover.collateral)
}

const exposureOf = ({ chainId, currency, amount }: PayoutFastFill) => ({ chainId, currency, amount: BigInt(amount) })

/**
 * Fast fills whose payment is final, whose deadline is over and for which no deposit is in, although its chain was read beyond that time.
 */
export const findUnpaidFastFills = async (
  db: Pool | PoolClient,
  chainId: number,
  now: number,
): Promise<readonly FastFill[]> => {
  const { rows } = await db.query<FastFillRow>({
    name: 'fast_fills_unpaid',
    text: `select ${FAST_FILL_COLUMNS} from fast_fills f join chain_cursors c on c.chain_id = f.origin_chain_id
      where f.origin_chain_id = $1 and f.state = 'paid' and f.next_action_at <= to_timestamp($2 / 1000.0) and c.updated_at > f.deadline
        and not ${HAS_DEPOSIT}
      order by f.next_action_at, f.request_id limit ${LIMIT}`,
    values: [chainId, now],
  })
  return rows.map(toFastFill)
}

const HAS_DEPOSIT = `exists (select from deposits d where d.request_id = f.request_id and d.state = 'included')`

/**
 * No deposit came for a fast fill by its deadline: its collateral pays, once (faults.md F70); a deposit that comes later is the
 * wallet's. In the caller's transaction. False where one is in by now, or it is over.
 */
export const debitFastFill = async (
  client: PoolClient,
  reference: Pick<FastFill, 'requestId' | 'orderId'>,
  now: number,
): Promise<boolean> => {
  const fill = await lockFastFill(client, reference, ['paid'])
  if (fill === null) return false
  const { rows } = await client.query<{ lent: PayoutFastFill }>(
    `select p.data::jsonb -> 'fastFill' as lent from fast_fills f join payouts p on p.id = f.payout_id
     where f.request_id = $1 and p.state = 'final' and f.deadline <= to_timestamp($2 / 1000.0) and not ${HAS_DEPOSIT}`,
    [toBytea(fill.requestId), now],
  )
  const [row] = rows
  const { payoutId } = fill
  if (row === undefined || payoutId === null) return false
  await finish(client, fill, { state: 'debited', depositId: null }, now)
  await postLedger(client, debitedPostings({ ...coveredBy(fill), payoutId, exposure: exposureOf(row.lent) }), now)
  return true
}

const finish = async (
  client: PoolClient,
  { requestId }: FastFill,
  { state, depositId }: { readonly state: 'settled' | 'debited'; readonly depositId: string | null },
  now: number,
): Promise<void> => {
  await client.query(
    `update fast_fills set state = $2, deposit_id = $3, next_action = null, next_action_at = null, updated_at = to_timestamp($4 / 1000.0)
     where request_id = $1`,
    [toBytea(requestId), state, depositId, now],
  )
}
