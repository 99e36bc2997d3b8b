import type { Pool, PoolClient } from 'pg'
import type { HolderAccount } from '../ledger/ledger.js'
import type { Hex } from '../money/hex.js'
import type { PayoutEarnings, PayoutSponsorship } from '../payout/payoutRecord.js'
import { NOTHING } from './appBalances.js'
import { type AccountChanges, type BalanceContext, contextOf } from './balanceContext.js'

/** What one posting of the ledger moved of a wallet in one currency. */
export interface BalanceMovement {
  /** Number of the posting. */
  readonly id: string
  readonly cause: string
  readonly event: string
  /** Unix milliseconds. */
  readonly at: number
  readonly chainId: number
  readonly currency: string
  readonly changes: AccountChanges
  readonly context: BalanceContext
  /** The request that it is for; null where it is for none. */
  readonly requestId: Hex | null
  /** The snapshot that the page was asked with does not show it: it was committed since. */
  readonly isLate: boolean
  /** What the wallet earns by the payout that it is of. */
  readonly earnings: PayoutEarnings['list']
  /** What the wallet pays of it as its sponsor. */
  readonly sponsorship: PayoutSponsorship | null
}

/** What a wallet owes is an amount above 0 in the books, what is owed to it one below. `e` is the entry. */
export const OWED_SQL = `e.amount * case when e.account = 'exposure' then 1 else -1 end`

/** Entries of a wallet: of `ledger_entries_wallet`, that an integrator's own account is not in. `$1` is the wallet. */
export const WALLET_ENTRIES_SQL = `e.holder = $1 and e.account <> 'integrator'`

interface MovementRow {
  readonly id: string
  readonly account: HolderAccount
  readonly chain_id: string
  readonly currency: string
  readonly amount: string
  readonly cause: string
  readonly event: string
  readonly at: number
  readonly request: string | null
  readonly late: boolean
  readonly earnings: PayoutEarnings | null
  readonly sponsorship: PayoutSponsorship | null
}

/** The full number of the transaction that wrote `t`: a row has its lower half. */
const WRITTEN_BY = `(select (case when w.xid > s.top then w.xid - 4294967296 else w.xid end)::text::xid8
    from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as top) s,
      lateral (select s.top / 4294967296 * 4294967296 + t.xmin::text::bigint as xid) w)`

/** Number of what a cause is of: `payout` for `payout:12`. */
const numberIn = (kind: string): string =>
  `case when t.cause ~ '^${kind}:[0-9]{1,18}$' then substr(t.cause, ${kind.length + 2})::bigint end`

/** Columns and joins that make a movement of entries `e`. */
const MOVED = `e.transaction_id::text as id, e.account, e.chain_id::text as chain_id, e.currency, (${OWED_SQL})::text as amount,
    t.cause, t.event, (extract(epoch from t.posted_at) * 1000)::float8 as at, encode(coalesce(p.request_id, d.request_id), 'hex') as request,
    nullif(p.data, '')::jsonb -> 'earnings' as earnings, nullif(p.data, '')::jsonb -> 'sponsorship' as sponsorship`
const late = (snapshot: string): string => `not pg_visible_in_snapshot(${WRITTEN_BY}, ${snapshot}::pg_snapshot) as late`
const SOURCES = `join ledger_transactions t on t.id = e.transaction_id
  left join payouts p on p.id = ${numberIn('payout')} left join deposits d on d.id = ${numberIn('deposit')}`
/** The same row by row, each by its key, whatever the planner thinks of how many there are. */
const SOURCES_EACH = `cross join lateral (select t.*, t.xmin from ledger_transactions t where t.id = e.transaction_id offset 0) t
  left join lateral (select p.request_id, p.data from payouts p where p.id = ${numberIn('payout')} offset 0) p on true
  left join lateral (select d.request_id from deposits d where d.id = ${numberIn('deposit')} offset 0) d on true`

/** Compared as pairs and in their order, so that no index but `ledger_entries_wallet` serves: any other goes past what is not the wallet's. */
const PAGE = {
  name: 'balance_movements',
  text: `select ${MOVED}, ${late('coalesce($4, pg_current_snapshot()::text)')} from (
      select transaction_id, account, chain_id, currency, amount from ledger_entries e
      where e.account <> 'integrator' and e.holder is not null and (e.holder, e.transaction_id) >= ($1, 0) and (e.holder, e.transaction_id) < ($1, $2::bigint)
      order by e.holder desc, e.transaction_id desc limit $3) e
    ${SOURCES_EACH} order by e.transaction_id desc, e.chain_id, e.currency`,
}

/** Planned for each call: how much it reads depends on the time. */
const SPAN = {
  text: `select ${MOVED}, false as late from ledger_entries e ${SOURCES}
    where ${WALLET_ENTRIES_SQL} and t.posted_at >= to_timestamp($2 / 1000.0) and t.posted_at < to_timestamp($3 / 1000.0)
    order by e.transaction_id, e.chain_id, e.currency limit $4`,
}

export interface MovementPage {
  /** Newest first, each whole. */
  readonly movements: readonly BalanceMovement[]
  /** The number that older ones are below; null: there are none. */
  readonly next: string | null
}

/** Larger than any number of a posting. */
export const NEWEST = '9223372036854775807'

/**
 * Movements of a wallet (in lower case) older than the posting `before`, from at most `entries` entries, whatever the ledger holds. A
 * posting may be committed after ones with larger numbers: `since` is the snapshot (`readSnapshot`) after which one is late.
 */
export const readMovements = async (
  db: Pool | PoolClient,
  ask: {
    readonly wallet: string
    readonly before?: string
    readonly entries: number
    readonly since?: string
  },
): Promise<MovementPage> => {
  const { wallet, before = NEWEST, entries, since = null } = ask
  const { rows } = await db.query<MovementRow>({ ...PAGE, values: [wallet, before, entries, since] })
  if (rows.length < entries) return { movements: toMovements(wallet, rows), next: null }
  // The last one may go on beyond the limit; it is read again.
  const cut = rows.at(-1)?.id
  const whole = rows.filter(({ id }) => id !== cut)
  const next = whole.at(-1)?.id
  if (next === undefined) return readMovements(db, { ...ask, entries: entries * 2 })
  return { movements: toMovements(wallet, whole), next }
}

/** What the caller's transaction sees, as PostgreSQL writes a snapshot. */
export const readSnapshot = async (client: PoolClient): Promise<string> => {
  const { rows } = await client.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
  return rows[0]?.snapshot ?? ''
}

/** Movements posted from `from` and before `to`, Unix milliseconds, oldest first; null where they have more than `entries` entries. */
export const readMovementsBetween = async (
  db: Pool | PoolClient,
  {
    wallet,
    from,
    to,
    entries,
  }: { readonly wallet: string; readonly from: number; readonly to: number; readonly entries: number },
): Promise<readonly BalanceMovement[] | null> => {
  const { rows } = await db.query<MovementRow>({ ...SPAN, values: [wallet, from, to, entries + 1] })
  return rows.length > entries ? null : toMovements(wallet, rows)
}

/** One movement of each posting and currency, in the order of the rows. */
const toMovements = (wallet: string, rows: readonly MovementRow[]): readonly BalanceMovement[] => {
  const found = new Map<string, { readonly row: MovementRow; readonly changes: Record<HolderAccount, bigint> }>()
  for (const row of rows) {
    const key = `${row.id} ${row.chain_id} ${row.currency}`
    const known = found.get(key) ?? { row, changes: { ...NOTHING } }
    known.changes[row.account] += BigInt(row.amount)
    found.set(key, known)
  }
  return [...found.values()].map(({ row, changes }) => toMovement(wallet, row, changes))
}

const toMovement = (wallet: string, row: MovementRow, changes: AccountChanges): BalanceMovement => {
  const earnings = row.earnings?.list.filter(({ holder }) => holder === wallet) ?? []
  const sponsorship = row.sponsorship?.holder === wallet ? row.sponsorship : null
  const by = {
    event: row.event,
    earned: earnings.map(({ kind }) => kind),
    sponsored:
      sponsorship === null ? null : { amount: BigInt(sponsorship.amount), rateCost: BigInt(sponsorship.rateCost) },
  }
  return {
    id: row.id,
    cause: row.cause,
    event: row.event,
    at: Math.round(row.at),
    chainId: Number(row.chain_id),
    currency: row.currency,
    changes,
    context: contextOf(changes, by),
    requestId: requestOf(row),
    isLate: row.late,
    earnings,
    sponsorship,
  }
}

/** What is posted for a request itself has its id in the cause. */
const requestOf = ({ cause, request }: MovementRow): Hex | null => {
  const [, named] = /^request:(?:0x)?([0-9a-f]{64})$/.exec(cause) ?? []
  const id = request ?? named
  return id === undefined ? null : `0x${id}`
}
