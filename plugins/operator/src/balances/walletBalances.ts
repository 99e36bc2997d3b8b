import type { CurrencyRegistry } from '@causeway/core'
import { type BalanceMovement, readMovements } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { type ShownMoney, shown } from '../text/moneyText.js'

/** What a wallet's accounts hold of a currency, and what quotes keep of it; amounts as decimal text, smallest unit. */
export interface WalletBalance extends Omit<ShownMoney, 'amount'> {
  /** Owed and free: account `app`. */
  readonly free: string
  /** Of `free`, what live quotes keep for their sponsor's part. */
  readonly reserved: string
  readonly earned: string
  readonly sponsored: string
  readonly collateral: string
  readonly claimed: string
  /** What the wallet owes: no part of what it is owed. */
  readonly exposure: string
}

export interface WalletBalances {
  readonly wallet: string
  /** Integrators that it pays for. */
  readonly integrators: readonly string[]
  readonly balances: readonly WalletBalance[]
}

export interface ShownMovement {
  readonly at: string
  readonly context: string
  readonly cause: string
  readonly event: string
  readonly requestId: string | null
  readonly changes: readonly (ShownMoney & { readonly account: string })[]
}

interface BalanceRow {
  readonly holder: string
  readonly chain_id: string
  readonly currency: string
  readonly free: string
  readonly reserved: string
  readonly earned: string
  readonly sponsored: string
  readonly collateral: string
  readonly claimed: string
  readonly exposure: string
}

const of = (account: string, name = account): string =>
  `coalesce(sum(amount) filter (where account = '${account}'), 0)::text as ${name}`

/** `$1` wallets, `$2` now. What is live of reservations is few beside the balances. */
const BALANCES = `with moved as (
    select holder, chain_id, currency, account, amount from app_balances where holder = any($1)
    union all
    select holder, chain_id, currency, 'reserved', amount from sponsor_reservations where holder = any($1) and until > to_timestamp($2 / 1000.0)
  )
  select holder, chain_id::text as chain_id, currency, ${of('app', 'free')}, ${of('reserved')}, ${of('earned')}, ${of('sponsored')},
    ${of('collateral')}, ${of('claimed')}, ${of('exposure')}
  from moved group by holder, moved.chain_id, currency having sum(amount) > 0 order by holder, moved.chain_id, currency`

/** The balances of wallets (in lower case), by two statements; those that have none and pay for nobody are left out. */
export const readWallets = async (
  { pool, currencies }: { readonly pool: Pool; readonly currencies: CurrencyRegistry },
  wallets: readonly string[],
  now: number,
): Promise<readonly WalletBalances[]> => {
  const [balances, links] = await Promise.all([
    pool.query<BalanceRow>(BALANCES, [wallets, now]),
    pool.query<{ wallet: string; integrator_id: string }>(
      'select wallet, integrator_id from funding_wallets where wallet = any($1) order by integrator_id',
      [wallets],
    ),
  ])
  return wallets.flatMap((wallet) => {
    const own = balances.rows.filter(({ holder }) => holder === wallet)
    const integrators = links.rows.filter((link) => link.wallet === wallet).map(({ integrator_id }) => integrator_id)
    if (own.length === 0 && integrators.length === 0) return []
    return [{ wallet, integrators, balances: own.map((row) => toBalance(currencies, row)) }]
  })
}

const toBalance = (currencies: CurrencyRegistry, row: BalanceRow): WalletBalance => {
  const { holder: _, chain_id, currency, ...amounts } = row
  const { amount: __, ...named } = shown(currencies, { chainId: Number(chain_id), currency, amount: 0n })
  return { ...named, ...amounts }
}

/** Wallets that have something, or pay for an integrator: those with the most units first, at most `limit` and one more. */
export const findWallets = async (pool: Pool, limit: number): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ wallet: string }>(
    `select wallet from (
       select holder as wallet, amount from app_balances union all select wallet, 0 from funding_wallets) w
     group by wallet order by sum(amount) desc, wallet limit $1`,
    [limit + 1],
  )
  return rows.map(({ wallet }) => wallet)
}

/** The newest movements of a wallet, as many as `entries` entries of the ledger tell. */
export const readNewest = async (
  { pool, currencies }: { readonly pool: Pool; readonly currencies: CurrencyRegistry },
  wallet: string,
  entries: number,
): Promise<readonly ShownMovement[]> => {
  const { movements } = await readMovements(pool, { wallet, entries })
  return movements.map((movement) => showMovement(currencies, movement))
}

const showMovement = (currencies: CurrencyRegistry, movement: BalanceMovement): ShownMovement => {
  const { at, context, cause, event, requestId, changes, chainId, currency } = movement
  return {
    at: new Date(at).toISOString(),
    context,
    cause,
    event,
    requestId,
    changes: Object.entries(changes)
      .filter(([, amount]) => amount !== 0n)
      .map(([account, amount]) => ({ account, ...shown(currencies, { chainId, currency, amount }) })),
  }
}
