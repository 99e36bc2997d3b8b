import type { PoolClient } from 'pg'
import { type LedgerPosting, postLedger } from '../ledger/ledger.js'

/** A change of what came to an address, of what left it for the depository, or of what is not there after all; smallest unit. */
export interface AddressChange {
  readonly addressId: string
  readonly chainId: number
  readonly currency: string
  readonly arrived?: bigint
  readonly swept?: bigint
  readonly gone?: bigint
}

/** What lies at an address by the books: what was swept without having been seen counts as having come. */
const held = (row: string): string =>
  `(greatest(${row}.arrived, ${row}.swept + ${row}.gone) - ${row}.swept - ${row}.gone)`

/** What lies at addresses of `deposit_address_books b` by the books. */
export const HELD_SQL = held('b')

/** One row each; locked in one order whoever asks. */
const CHANGE = {
  name: 'address_books_change',
  text: `with c as (
      select c.address_id, c.chain_id, c.currency, sum(c.arrived) as arrived, sum(c.swept) as swept, sum(c.gone) as gone
      from jsonb_to_recordset($1::jsonb) as c(address_id bigint, chain_id bigint, currency text, arrived numeric, swept numeric, gone numeric)
      group by 1, 2, 3 order by 1, 2, 3
    ), before as materialized (
      -- One after the other by their key: few change, and the books are many.
      select c.address_id, c.chain_id, c.currency, l.held from c cross join lateral (select ${held('b')} as held from deposit_address_books b
        where b.address_id = c.address_id and b.chain_id = c.chain_id and b.currency = c.currency offset 0 for update) l
    ), b as (
      insert into deposit_address_books as b (address_id, chain_id, currency, arrived, swept, gone)
      select address_id, chain_id, currency, arrived, swept, gone from c where (select count(*) from before) >= 0
      on conflict (address_id, chain_id, currency) do update set arrived = b.arrived + excluded.arrived, swept = b.swept + excluded.swept,
        gone = b.gone + excluded.gone, version = b.version + 1
      returning b.*
    )
    select b.address_id::text as address_id, b.chain_id::text as chain_id, b.currency, b.version::text as version,
      (${held('b')} - coalesce(before.held, 0))::text as change
    from b left join before using (address_id, chain_id, currency)`,
}

/** Keeps the books of addresses, in the caller's transaction: what lies there is ours to deposit, and nobody's yet. */
export const changeAddressBooks = async (
  client: PoolClient,
  changes: readonly AddressChange[],
  now: number,
): Promise<void> => {
  if (changes.length === 0) return
  const rows = changes.map(({ addressId, chainId, currency, arrived = 0n, swept = 0n, gone = 0n }) => ({
    address_id: addressId,
    chain_id: chainId,
    currency,
    arrived: arrived.toString(),
    swept: swept.toString(),
    gone: gone.toString(),
  }))
  const { rows: changed } = await client.query<{
    address_id: string
    chain_id: string
    currency: string
    version: string
    change: string
  }>({ ...CHANGE, values: [JSON.stringify(rows)] })
  const postings = changed.map((row): LedgerPosting => {
    const money = { chainId: Number(row.chain_id), currency: row.currency }
    const amount = BigInt(row.change)
    return {
      cause: `address:${row.address_id}:${row.chain_id}:${row.currency}`,
      event: row.version,
      entries: [
        { ...money, account: 'addresses', amount },
        { ...money, account: 'unswept', amount: -amount },
      ],
    }
  })
  await postLedger(client, postings, now)
}
