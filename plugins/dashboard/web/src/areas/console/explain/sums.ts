import type { ShownMoney } from '../parts/shownMoney.js'
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
  readonly cause: string
  readonly whole: ShownMoney
  readonly parts: readonly { readonly account: string; readonly amount: string }[]
}

/** Where a deposit went: what a payment took from it, and into which accounts. Null where the posting takes nothing of one. */
export const flowOf = ({ cause, entries }: LedgerTransaction, deposited: ShownMoney): Flow | null => {
  const own = entries.filter(
    ({ chainId, currency }) => chainId === deposited.chainId && currency === deposited.currency,
  )
  const taken = own.filter(({ account, amount }) => (account === 'owed' || account === 'parked') && BigInt(amount) > 0n)
  const whole = taken.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const parts = own.filter(({ amount }) => BigInt(amount) < 0n)
  if (whole === 0n || parts.length === 0) return null
  return {
    cause,
    whole: { ...deposited, amount: whole.toString() },
    parts: parts.map(({ account, amount }) => ({ account, amount: (-BigInt(amount)).toString() })),
  }
}
