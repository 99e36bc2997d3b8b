import { formatValue, parseValue } from './issuedValue.js'

export interface IssuedAmount {
  readonly currency: string
  readonly issuer: string
  readonly value: string
}

/** Drops of XRP as decimal text, or an amount of an issued currency. */
export type Amount = string | IssuedAmount

export const isIssued = (amount: unknown): amount is IssuedAmount =>
  typeof amount === 'object' && amount !== null && 'issuer' in amount && 'value' in amount

export const sameCurrency = (one: Amount, other: Amount): boolean =>
  isIssued(one) && isIssued(other)
    ? one.currency === other.currency && one.issuer === other.issuer
    : isIssued(one) === isIssued(other)

/** Any part of a transaction with its issued amounts spelt as the ledger spells them. */
export const spellAmounts = <T>(part: T): T => {
  if (isIssued(part)) return { ...part, value: formatValue(parseValue(part.value)) }
  // CAST: an array stays one, and an object keeps its fields.
  if (Array.isArray(part)) return part.map(spellAmounts) as T
  if (typeof part !== 'object' || part === null) return part
  // CAST: as above.
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, spellAmounts(value)])) as T
}
