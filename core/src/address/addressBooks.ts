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

/** What lies at addresses of `deposit_address_books b` by the books: what was swept without having been seen counts as having come. */
export const HELD_SQL = '(greatest(b.arrived, b.swept + b.gone) - b.swept - b.gone)'

/** One row each; locked in one order whoever asks. What two do at once is posted once each: the second one waits for the row, new or not. */
const CHANGE = {
  name: 'address_books_change',
  text: `with c as (
      select c.address_id, c.chain_id, c.currency, sum(c.arrived) as arrived, sum(c.swept) as swept, sum(c.gone) as gone
      from jsonb_to_recordset($1::jsonb) as c(address_id bigint, chain_id bigint, currency text, arrived numeric, swept numeric, gone numeric)
      group by 1, 2, 3 order by 1, 2, 3
    )
    insert into deposit_address_books as b (address_id, chain_id, currency, arrived, swept, gone)
    select address_id, chain_id, currency, arrived, swept, gone from c
    on conflict (address_id, chain_id, currency) do update set arrived = b.arrived + excluded.arrived, swept = b.swept + excluded.swept,
      gone = b.gone + excluded.gone, held_before = ${HELD_SQL}, version = b.version + 1
    returning b.address_id::text as address_id, b.chain_id::text as chain_id, b.currency, b.version::text as version,
      (${HELD_SQL} - b.held_before)::text as change`,
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
