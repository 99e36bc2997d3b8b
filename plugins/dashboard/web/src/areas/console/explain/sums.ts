import type { ShownMoney } from '../parts/money/shownMoney.js'
import type { LedgerMoney, LedgerTransaction } from './explanation.js'

/** Whether what is posted in each currency of each chain sums to zero. */
export const sumsToZero = (entries: readonly LedgerMoney[]): boolean => {
  const sums = new Map<string, bigint>()
  for (const { chainId, currency, amount } of entries) {
    const key = `${chainId} ${currency}`
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount))
  }
  return [...sums.values()].every((sum) => sum === 0n)
}

export interface Flow {
  readonly whole: ShownMoney
  readonly parts: readonly { readonly account: string; readonly amount: string }[]
}

/** Accounts in which a deposit stands until it is decided where it goes. */
const OPEN: ReadonlySet<string> = new Set(['owed', 'parked'])

/**
 * Where a deposit went, by all postings together: what was parked and taken up again, or booked and taken back, is no part of it. Null
 * while nothing of it went anywhere.
 */
export const wentOf = (transactions: readonly LedgerTransaction[], deposited: ShownMoney): Flow | null => {
  const sums = new Map<string, bigint>()
  for (const { entries } of transactions) {
    const own = entries.filter(
      ({ chainId, currency }) => chainId === deposited.chainId && currency === deposited.currency,
    )
    // How it came, and left its chain again, is told by the depository.
    if (own.some(({ account }) => account === 'depository') || !own.some(({ account }) => OPEN.has(account))) continue
    for (const { account, amount } of own) sums.set(account, (sums.get(account) ?? 0n) + BigInt(amount))
  }
  const taken = sums.get('owed') ?? 0n
  const parts = [...sums].filter(([account, sum]) => account !== 'owed' && sum < 0n)
  if (taken <= 0n || parts.length === 0) return null
  return {
    whole: { ...deposited, amount: taken.toString() },
    parts: parts.map(([account, sum]) => ({ account, amount: (-sum).toString() })),
  }
}
