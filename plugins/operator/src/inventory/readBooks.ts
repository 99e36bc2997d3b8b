import { isSentForUsers, slotOfNow, WALLET_LINES_SQL } from '@causeway/core/money-path'
import type { Pool } from 'pg'

/** One sum of the database about a currency of a chain. */
export type BookLine =
  | 'wallet'
  | 'depository'
  /** Gas of the keys that send for users. */
  | 'sender'
  /** At addresses to pay to, not swept yet. */
  | 'addresses'
  /** Booked in a block above the one the balance was read at, so not in it. */
  | 'early-wallet'
  | 'early-depository'
  | 'early-sender'
  /** Signed and perhaps on the chain already: out of the wallet, out of the depository, and the most gas it may take. */
  | 'flying-out'
  | 'flying-in'
  | 'flying-gas'
  | 'flying-sender'
  | 'unpaid'
  | 'owed-fills'
  | 'holds'
  | 'withdrawable'
  /** Balance the solver last read, for a chain that cannot be asked now. */
  | 'last-seen'

export interface Books {
  /** Sum of a currency; 0 when there is nothing. */
  get(chainId: number, currency: string, line: BookLine): bigint
  /** Height up to which each chain's deposits were read. */
  readonly readTo: ReadonlyMap<number, bigint>
}

/** Where each chain's balances were read; a height of null counts as the end of time. */
export interface ReadHeight {
  readonly chainId: number
  readonly height: bigint | null
  readonly native: string
}

const BOOKS = `with heights as (
    select * from jsonb_to_recordset($1::jsonb) as h(chain_id bigint, height numeric, native text)
  ), lines as (
    select chain_id, currency, account as line, amount from ledger_entries where account in ('wallet', 'depository', 'addresses', 'sender')
    union all
    ${WALLET_LINES_SQL}
    union all
    select a.chain_id, h.native, 'early-sender', -a.fee
      from payouts p join payout_attempts a on a.payout_id = p.id join heights h on h.chain_id = p.chain_id
      where ${isSentForUsers('p')} and a.state in ('included', 'reverted') and a.block_height > h.height
    union all
    select p.chain_id, h.native, 'flying-sender', max(a.fee_cap)
      from payouts p join payout_attempts a on a.payout_id = p.id and a.generation = p.generation join heights h on h.chain_id = p.chain_id
      where ${isSentForUsers('p')} and p.state = 'signed' group by p.id, p.chain_id, h.native
    union all
    select p.chain_id, p.currency, 'early-depository', -p.amount
      from payouts p join heights h using (chain_id)
      where p.purpose = 'withdraw' and p.state in ('included', 'final') and p.included_height > h.height
    union all
    select d.chain_id, d.currency, 'early-depository', d.amount
      from deposits d join heights h using (chain_id) where d.state = 'included' and d.block_height > h.height
    union all
    select p.chain_id, p.currency, 'unpaid', p.amount from payouts p left join heights h using (chain_id)
      where p.purpose not in ('withdraw', 'approve', 'sweep', 'origin') and (p.state in ('ready', 'signed') or p.state = 'included' and p.included_height > h.height)
    union all
    select p.chain_id, p.topup_currency, 'unpaid', p.topup_amount from payouts p left join heights h using (chain_id)
      where p.topup_currency is not null
        and (p.state in ('ready', 'signed') or p.state = 'included' and p.included_height > h.height)
    union all
    select destination_chain_id, destination_currency, 'owed-fills', amount_out from requests where committed
    union all
    select destination_chain_id, topup_currency, 'owed-fills', topup_amount from requests
      where committed and topup_currency is not null
    union all
    select chain_id, currency, 'holds', amount from hold_slots where slot > $2
    union all
    select d.chain_id, d.currency, 'withdrawable', d.amount from deposits d
      where d.state = 'included' and d.withdrawn_at is null and d.outcome is not null
        and (d.outcome = 'balance'
          or exists (select 1 from payouts p where p.deposit_id = d.id and p.purpose in ('fill', 'refund') and p.state = 'final'))
    union all
    select chain_id, currency, 'last-seen', balance - reserved from inventory
  )
  select chain_id::text as chain_id, currency, line, sum(amount)::text as amount from lines group by 1, 2, 3`

/** Everything the database says of the operator's money, in one snapshot. */
export const readBooks = async (pool: Pool, heights: readonly ReadHeight[], now: number): Promise<Books> => {
  const param = JSON.stringify(
    heights.map(({ chainId, height, native }) => ({ chain_id: chainId, height: height?.toString() ?? null, native })),
  )
  const [lines, cursors] = await Promise.all([
    pool.query<{ chain_id: string; currency: string; line: BookLine; amount: string }>(BOOKS, [param, slotOfNow(now)]),
    pool.query<{ chain_id: string; height: string }>(
      'select chain_id::text as chain_id, height::text as height from chain_cursors',
    ),
  ])
  const sums = new Map(lines.rows.map((row) => [`${row.chain_id} ${row.currency} ${row.line}`, BigInt(row.amount)]))
  return {
    get: (chainId, currency, line) => sums.get(`${chainId} ${currency} ${line}`) ?? 0n,
    readTo: new Map(cursors.rows.map((row) => [Number(row.chain_id), BigInt(row.height)])),
  }
}

/** Currencies that wallet or depository hold by the books, by chain. */
export const readBookedCurrencies = async (pool: Pool): Promise<Map<number, string[]>> => {
  const { rows } = await pool.query<{ chain_id: string; currencies: string[] }>(
    `select chain_id::text as chain_id, array_agg(currency order by currency) as currencies from (
       select chain_id, currency from ledger_entries where account in ('wallet', 'depository')
       group by 1, 2, account having sum(amount) <> 0
     ) booked group by 1`,
  )
  return new Map(rows.map((row) => [Number(row.chain_id), row.currencies]))
}
