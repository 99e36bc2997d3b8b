import type { ShownMoney } from './shownMoney.js'

/** Sums of each currency of each chain, in the order in which the currencies first appear. */
export const sumMoney = (moneys: readonly ShownMoney[]): readonly ShownMoney[] => {
  const sums = new Map<string, ShownMoney>()
  for (const money of moneys) {
    const key = `${money.chainId} ${money.currency}`
    const before = BigInt(sums.get(key)?.amount ?? '0')
    sums.set(key, { ...money, amount: (before + BigInt(money.amount)).toString() })
  }
  return [...sums.values()]
}
