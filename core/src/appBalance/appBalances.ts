import type { Pool, PoolClient } from 'pg'
import type { HolderAccount } from '../ledger/ledger.js'

/** What a wallet's accounts hold of one currency, smallest unit; `exposure` is what it owes, all others what it is owed. */
export interface AppBalance extends Readonly<Record<HolderAccount, bigint>> {
  readonly chainId: number
  readonly currency: string
}

/** A wallet that has nothing. */
export const NOTHING: Readonly<Record<HolderAccount, bigint>> = {
  app: 0n,
  earned: 0n,
  sponsored: 0n,
  collateral: 0n,
  claimed: 0n,
  exposure: 0n,
}

/** The balances of a wallet (address in lower case), by currency; a few rows for each account, however much was ever posted. */
export const readAppBalances = async (db: Pool | PoolClient, wallet: string): Promise<readonly AppBalance[]> => {
  const { rows } = await db.query<{ account: HolderAccount; chain_id: string; currency: string; amount: string }>({
    name: 'app_balances',
    // By the columns of the key and in its order, so that nothing is sorted.
    text: `select b.account, b.chain_id::text as chain_id, b.currency, sum(b.amount)::text as amount from app_balances b
      where b.holder = $1 group by b.account, b.chain_id, b.currency having sum(b.amount) > 0`,
    values: [wallet],
  })
  const balances = new Map<string, AppBalance>()
  for (const { account, chain_id, currency, amount } of rows) {
    const key = `${chain_id}:${currency}`
    const before = balances.get(key) ?? { ...NOTHING, chainId: Number(chain_id), currency }
    balances.set(key, { ...before, [account]: BigInt(amount) })
  }
  return [...balances.values()].sort((a, b) => a.chainId - b.chainId || (a.currency < b.currency ? -1 : 1))
}

/** Whether the database refused a posting, or a quote, because a wallet's balance does not cover it; nothing was written. */
export const isBalanceTooLow = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === 'CW004'
