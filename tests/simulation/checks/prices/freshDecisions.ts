import type { CheckState } from '../checkState.js'
import { readPayments, type SignedTransfer } from '../payments.js'
import type { PayoutRow, Rows } from '../rows.js'

/** Longest time from the price that a decision rests on to its commit: 8 s of its quote, 5 s in a cache, 25 s in a frozen host. */
const STALE_MS = 38_000

/** Prices that the decisions since the last check may rest on, per whole unit. */
export interface Prices {
  least(currency: string): bigint
  most(currency: string): bigint
}

const EQUAL = { least: 1n, most: 1n }

export const pricesOf = ({ options, lookedAt, now }: CheckState): Prices => {
  const time = { from: lookedAt - STALE_MS, until: now }
  const of = (currency: string) => options.usdOver?.(currency, time) ?? EQUAL
  return { least: (currency) => of(currency).least, most: (currency) => of(currency).most }
}

const keyOf = ({ purpose, order, chain, amount, fees }: PayoutRow): string =>
  [purpose, order, chain, amount, fees].join(' ')

/**
 * Payouts that were decided since the last check, noted as seen. Excluded are those of orders that were paid in a past that the database
 * lost: their payments were found, and priced when they were made.
 */
export const freshPayouts = (
  { priced, forgotten }: CheckState,
  rows: Rows,
  signed: readonly SignedTransfer[],
): readonly PayoutRow[] => {
  const paid = new Set(readPayments(signed).flatMap(({ tx, order }) => (forgotten.has(tx) ? [order] : [])))
  const fresh = rows.payouts.filter((payout) => !priced.has(keyOf(payout)))
  for (const payout of fresh) priced.add(keyOf(payout))
  return fresh.filter(({ order }) => order === null || !paid.has(order))
}
