import type { Pool, PoolClient } from 'pg'

/** The accounts of the books, all per chain and currency. Assets grow with positive amounts, promises with negative ones. */
export type LedgerAccount =
  | 'depository'
  | 'owed'
  | 'wallet'
  | 'fees'
  | 'conversion'
  | 'gas'
  | 'parked'
  | 'capital'
  | 'loss'

export interface LedgerEntry {
  readonly account: LedgerAccount
  readonly chainId: number
  readonly currency: string
  readonly amount: bigint
}

/** One balanced transaction; (cause, event) is posted at most once. */
export interface LedgerPosting {
  readonly cause: string
  readonly event: string
  readonly entries: readonly LedgerEntry[]
}

const POST = {
  name: 'ledger_post',
  text: `select post_ledger(p->>'cause', p->>'event', to_timestamp($2 / 1000.0), p->'entries')
    from jsonb_array_elements($1::jsonb) p`,
}

/** Posts inside the caller's transaction; a posting made before changes nothing. */
export const postLedger = async (
  client: PoolClient,
  postings: readonly LedgerPosting[],
  now: number,
): Promise<void> => {
  const useful = postings.filter(({ entries }) => entries.some(({ amount }) => amount !== 0n))
  if (useful.length === 0) return
  const text = JSON.stringify(useful, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
  await client.query({ ...POST, values: [text, now] })
}

/** The same entries with opposite signs: what a reorg posts. */
export const contra = (posting: LedgerPosting, event: string): LedgerPosting => ({
  cause: posting.cause,
  event,
  entries: posting.entries.map((entry) => ({ ...entry, amount: -entry.amount })),
})

export interface LedgerBalance {
  readonly account: LedgerAccount
  readonly chainId: number
  readonly currency: string
  readonly balance: bigint
}

/** Balances of every account, for checks and for people. */
export const readLedgerBalances = async (db: Pool | PoolClient): Promise<LedgerBalance[]> => {
  const { rows } = await db.query<{ account: LedgerAccount; chain_id: string; currency: string; balance: string }>(
    `select account, chain_id::text, currency, sum(amount)::text as balance
     from ledger_entries group by account, chain_id, currency order by chain_id, currency, account`,
  )
  return rows.map((row) => ({
    account: row.account,
    chainId: Number(row.chain_id),
    currency: row.currency,
    balance: BigInt(row.balance),
  }))
}

/** Ledger transactions whose entries do not sum to zero per currency; always empty unless the database was tampered with. */
export const findUnbalanced = async (db: Pool | PoolClient): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `select distinct transaction_id::text as id from ledger_entries
     group by transaction_id, chain_id, currency having sum(amount) <> 0`,
  )
  return rows.map(({ id }) => id)
}
