import type { Pool, PoolClient } from 'pg'

/** Accounts of a wallet (wire.md 4.12): what is owed to it, but for `exposure`, which is what it owes (`appBalancesSql.ts`). */
export type HolderAccount = 'app' | 'earned' | 'sponsored' | 'collateral' | 'claimed' | 'exposure'

/** The accounts of the books, all per chain and currency. Assets grow with positive amounts, promises with negative ones. */
export type LedgerAccount =
  | 'depository'
  | 'owed'
  | 'wallet'
  | 'fees'
  | 'integrator'
  | 'conversion'
  | 'gas'
  | 'parked'
  | 'capital'
  | 'loss'
  | 'addresses'
  | 'unswept'
  /** Gas of the keys that send for users. */
  | 'sender'
  | HolderAccount

export interface LedgerEntry {
  readonly account: LedgerAccount
  readonly chainId: number
  readonly currency: string
  readonly amount: bigint
  /** Of the account `integrator`: id of the integrator that it is owed to; of a wallet's accounts its address in lower case. */
  readonly holder?: string
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

/**
 * Posts as `event` the opposite of what stands under a cause's event, those that begin with it and a colon included; nothing where
 * nothing does.
 */
export const reversePostings = async (
  client: PoolClient,
  { cause, of, event }: { readonly cause: string; readonly of: string; readonly event: string },
  now: number,
): Promise<void> => {
  const { rows } = await client.query<{
    account: LedgerAccount
    chain_id: string
    currency: string
    amount: string
    holder: string | null
  }>(
    `select e.account, e.chain_id::text as chain_id, e.currency, (-sum(e.amount))::text as amount, e.holder
     from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
     where t.cause = $1 and (t.event = $2 or t.event like $2 || ':%') group by 1, 2, 3, 5`,
    [cause, of],
  )
  const entries = rows.map(({ account, chain_id, currency, amount, holder }) => ({
    account,
    chainId: Number(chain_id),
    currency,
    amount: BigInt(amount),
    ...(holder === null ? {} : { holder }),
  }))
  await postLedger(client, [{ cause, event, entries }], now)
}

export interface LedgerBalance {
  readonly account: LedgerAccount
  readonly chainId: number
  readonly currency: string
  readonly balance: bigint
  /** As in `LedgerEntry`. */
  readonly holder?: string
}

/** Balances of every account, of integrators one by one and of wallets together, for checks and for people. */
export const readLedgerBalances = async (db: Pool | PoolClient): Promise<LedgerBalance[]> => {
  const { rows } = await db.query<BalanceRow>(
    `select account, chain_id::text, currency, sum(amount)::text as balance, case when account = 'integrator' then holder end as holder
     from ledger_entries group by account, ledger_entries.chain_id, currency, 5 order by ledger_entries.chain_id, currency, account, 5`,
  )
  return rows.map(toBalance)
}

/** What is owed to integrators for their parts of fees (wire.md 3.1 `platformFee`); `balance` is negative where something is. */
export const readIntegratorBalances = async (db: Pool | PoolClient): Promise<LedgerBalance[]> => {
  const { rows } = await db.query<BalanceRow>(
    `select account, chain_id::text, currency, sum(amount)::text as balance, holder
     from ledger_entries where account = 'integrator'
     group by account, holder, chain_id, currency having sum(amount) <> 0 order by holder, chain_id, currency`,
  )
  return rows.map(toBalance)
}

interface BalanceRow {
  account: LedgerAccount
  chain_id: string
  currency: string
  balance: string
  holder: string | null
}

const toBalance = ({ account, chain_id, currency, balance, holder }: BalanceRow): LedgerBalance => ({
  account,
  chainId: Number(chain_id),
  currency,
  balance: BigInt(balance),
  ...(holder === null ? {} : { holder }),
})

/** Ledger transactions whose entries do not sum to zero per currency; always empty unless the database was tampered with. */
export const findUnbalanced = async (db: Pool | PoolClient): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `select distinct transaction_id::text as id from ledger_entries
     group by transaction_id, chain_id, currency having sum(amount) <> 0`,
  )
  return rows.map(({ id }) => id)
}
