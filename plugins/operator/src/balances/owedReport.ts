import { type ChainBalances, readChainBalances } from '../inventory/readChainBalances.js'
import type { OperatorDeps } from '../operatorDeps.js'
import { shown } from '../text/moneyText.js'
import { findWallets, readWallets, type WalletBalance, type WalletBalances } from './walletBalances.js'

/** The answer of `causeway balances --json`; amounts as decimal text, smallest unit. */
export interface OwedReport {
  readonly schemaVersion: 1
  readonly at: string
  readonly wallets: readonly WalletBalances[]
  /** There are more wallets: raise `--limit`. The totals are of all. */
  readonly more: boolean
  readonly totals: readonly CurrencyTotal[]
}

export interface CurrencyTotal extends Omit<WalletBalance, 'reserved'> {
  /** All that wallets are owed: everything but `exposure`. */
  readonly owed: string
  /** What the solver's wallet and the depository hold of it; null where the chain could not be asked. */
  readonly held: { readonly wallet: string; readonly depository: string } | null
  /** Why it could not. */
  readonly why: string | null
}

interface TotalRow {
  readonly chain_id: string
  readonly currency: string
  readonly account: string
  readonly amount: string
}

const ACCOUNTS = ['app', 'earned', 'sponsored', 'collateral', 'claimed', 'exposure'] as const

/** Who is owed what; where all wallets are asked for also the totals, and what is held against them on the chains. */
export const readOwed = async (deps: OperatorDeps, limit: number): Promise<OwedReport> => {
  const now = deps.clock.now()
  const wallets = await findWallets(deps.pool, limit)
  return {
    schemaVersion: 1,
    at: new Date(now).toISOString(),
    wallets: await readWallets(deps, wallets.slice(0, limit), now),
    more: wallets.length > limit,
    totals: await readTotals(deps),
  }
}

const readTotals = async (deps: OperatorDeps): Promise<readonly CurrencyTotal[]> => {
  const { rows } = await deps.pool.query<TotalRow>(
    `select chain_id::text as chain_id, currency, account, sum(amount)::text as amount from app_balances
     group by app_balances.chain_id, 2, 3 having sum(amount) > 0 order by app_balances.chain_id, 2`,
  )
  const moneys = [...new Map(rows.map((row) => [`${row.chain_id} ${row.currency}`, row])).values()]
  const ids = new Set(moneys.map(({ chain_id }) => Number(chain_id)))
  const chains = deps.chains.all().filter(({ config }) => ids.has(config.id))
  const balances = await readChainBalances(deps, new Map(), chains)
  return moneys.map(({ chain_id, currency }) => {
    const own = rows.filter((row) => row.chain_id === chain_id && row.currency === currency)
    const amountOf = (account: string): bigint => BigInt(own.find((row) => row.account === account)?.amount ?? '0')
    const { amount: _, ...named } = shown(deps.currencies, { chainId: Number(chain_id), currency, amount: 0n })
    const owed = ACCOUNTS.reduce((sum, account) => sum + (account === 'exposure' ? 0n : amountOf(account)), 0n)
    return {
      ...named,
      free: amountOf('app').toString(),
      earned: amountOf('earned').toString(),
      sponsored: amountOf('sponsored').toString(),
      collateral: amountOf('collateral').toString(),
      claimed: amountOf('claimed').toString(),
      exposure: amountOf('exposure').toString(),
      owed: owed.toString(),
      ...heldOf(
        balances.find(({ chain }) => chain.config.id === Number(chain_id)),
        currency,
      ),
    }
  })
}

const heldOf = (balances: ChainBalances | undefined, currency: string): Pick<CurrencyTotal, 'held' | 'why'> => {
  const seen = balances?.seen
  const [wallet, depository] = [seen?.wallet.get(currency), seen?.depository.get(currency)]
  if (wallet === undefined || wallet === null)
    return { held: null, why: balances?.why ?? 'It is no currency of a configured chain.' }
  return { held: { wallet: wallet.toString(), depository: (depository ?? 0n).toString() }, why: null }
}
