import { parseIssuedValue } from '../currency/amounts.js'
import { type IssuedCurrency, normalizeCode, parseIssued } from '../currency/currencies.js'
import type { TransactionMeta } from '../ledger/transactions.js'

/** How an account's holding of an issued currency changed, by the trust lines that the ledger shows; 0 where it shows none. */
export const holdingChange = (meta: TransactionMeta | undefined, account: string, currency: string): bigint => {
  const issued = parseIssued(currency)
  if (issued === null) return 0n
  return (meta?.AffectedNodes ?? []).reduce<bigint>((sum, node) => sum + lineChange(node, account, issued), 0n)
}

/** Whether a transaction made an account. */
export const createsAccount = (meta: TransactionMeta | undefined, account: string): boolean =>
  (meta?.AffectedNodes ?? []).some((node) => {
    const created = member(node, 'CreatedNode')
    return (
      member(created, 'LedgerEntryType') === 'AccountRoot' &&
      member(member(created, 'NewFields'), 'Account') === account
    )
  })

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const valueIn = (fields: unknown): bigint => {
  const value = member(member(fields, 'Balance'), 'value')
  return (typeof value === 'string' ? parseIssuedValue(value) : null) ?? 0n
}

/** A line's balance is told from the side of the account that it calls low. */
const lineChange = (node: unknown, account: string, { code, issuer }: IssuedCurrency): bigint => {
  const created = member(node, 'CreatedNode')
  const changed = created ?? member(node, 'ModifiedNode') ?? member(node, 'DeletedNode')
  if (member(changed, 'LedgerEntryType') !== 'RippleState') return 0n
  const now = member(changed, 'FinalFields') ?? member(changed, 'NewFields')
  const before = created === undefined ? member(changed, 'PreviousFields') : { Balance: { value: '0' } }
  if (member(before, 'Balance') === undefined) return 0n
  const shown = member(member(now, 'Balance'), 'currency')
  if (typeof shown !== 'string' || normalizeCode(shown) !== code) return 0n
  const [low, high] = ['LowLimit', 'HighLimit'].map((side) => member(member(now, side), 'issuer'))
  const change = valueIn(now) - valueIn(before)
  if (low === account && high === issuer) return change
  return high === account && low === issuer ? -change : 0n
}
