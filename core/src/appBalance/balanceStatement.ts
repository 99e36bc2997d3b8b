import type { Pool, PoolClient } from 'pg'
import { withTransaction } from '../database/pool.js'
import type { HolderAccount } from '../ledger/ledger.js'
import { type BalanceMovement, OWED_SQL, readMovementsBetween, WALLET_ENTRIES_SQL } from './balanceMovements.js'

/** What an account of a wallet held of one currency when a statement begins and when it ends. */
export interface StatementAccount {
  readonly chainId: number
  readonly currency: string
  readonly account: HolderAccount
  readonly opening: bigint
  readonly closing: bigint
}

/** All that was posted for a wallet within a time: each opening with its movements is the closing. */
export interface BalanceStatement {
  readonly wallet: string
  /** Unix milliseconds; `to` is not in it. */
  readonly from: number
  readonly to: number
  /** Those that ever held something before `to`. */
  readonly accounts: readonly StatementAccount[]
  /** Oldest first. */
  readonly movements: readonly BalanceMovement[]
}

/** A wallet moved more often within the time than one statement tells. */
export class StatementTooLongError extends Error {
  override readonly name = 'StatementTooLongError'
  constructor(readonly entries: number) {
    super(`More than ${entries} entries were posted for the wallet in that time; ask for less of it`)
  }
}

const ENDS = {
  text: `select e.account, e.chain_id::text as chain_id, e.currency,
      coalesce(sum(${OWED_SQL}) filter (where t.posted_at < to_timestamp($2 / 1000.0)), 0)::text as opening, sum(${OWED_SQL})::text as closing
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where ${WALLET_ENTRIES_SQL} and t.posted_at < to_timestamp($3 / 1000.0)
    group by 1, e.chain_id, 3 order by e.chain_id, 3, 1`,
}

interface EndsRow {
  readonly account: HolderAccount
  readonly chain_id: string
  readonly currency: string
  readonly opening: string
  readonly closing: string
}

const readEnds = async (
  db: Pool | PoolClient,
  { wallet, from, to }: StatementPeriod,
): Promise<readonly StatementAccount[]> => {
  const { rows } = await db.query<EndsRow>({ ...ENDS, values: [wallet, from, to] })
  return rows.map(({ account, chain_id, currency, opening, closing }) => ({
    chainId: Number(chain_id),
    currency,
    account,
    opening: BigInt(opening),
    closing: BigInt(closing),
  }))
}

export interface StatementPeriod {
  /** In lower case. */
  readonly wallet: string
  readonly from: number
  readonly to: number
}

/**
 * The statement of a wallet, of one moment and from the entries alone; its cost grows with what was ever posted for the wallet.
 *
 * @throws StatementTooLongError beyond `entries` entries within the time
 */
export const readStatement = (
  pool: Pool,
  period: StatementPeriod & { readonly entries: number },
): Promise<BalanceStatement> =>
  withTransaction(
    pool,
    async (client) => {
      const movements = await readMovementsBetween(client, period)
      if (movements === null) throw new StatementTooLongError(period.entries)
      const { wallet, from, to } = period
      return { wallet, from, to, accounts: await readEnds(client, period), movements }
    },
    { isolation: 'repeatable read' },
  )
