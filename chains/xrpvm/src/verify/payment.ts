import { hexDigits, isFields, UnreadableQuoteError } from '@causeway/core/verify'
import { codeJson, issuedValue } from '../address/issuedValue.js'

/** Stands for XRP in orders. */
export const MARKER = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'

const hexOf = (text: string): string => hexDigits(new TextEncoder().encode(text)).toUpperCase()

/** The only memo of a deposit, as text to compare: type and data of it in capital hex digits. */
export const depositMemo = (orderId: string): string => [hexOf('order-id'), hexOf(orderId.toLowerCase())].join(' ')

/** The same of the memos of a transaction; any other form is returned as JSON. */
export const memoOf = (memos: unknown): string => {
  const [entry, ...more] = Array.isArray(memos) ? memos : []
  const memo: unknown = isFields(entry) ? entry.Memo : undefined
  const isPlain = isFields(memo) && isFields(entry) && Object.keys(entry).length === 1 && Object.keys(memo).length === 2
  if (more.length > 0 || !isPlain) return JSON.stringify(memos)?.slice(0, 200) ?? 'none'
  return [memo.MemoType, memo.MemoData].map((part) => String(part).toUpperCase()).join(' ')
}

/** Code and issuer of a currency as a transaction has them. @throws UnreadableQuoteError */
export const issuedOf = (currency: string): { readonly currency: string; readonly issuer: string } => {
  const at = currency.indexOf('.')
  if (at < 0) throw new UnreadableQuoteError('The currency is neither XRP nor an issued one')
  return { currency: codeJson(currency.slice(0, at)), issuer: currency.slice(at + 1) }
}

/** An amount of an issued currency, or what stands in its place, as text to compare. */
export const issuedText = (amount: unknown): string =>
  isFields(amount) && Object.keys(amount).length === 3
    ? `${String(amount.value)} ${String(amount.currency)}.${String(amount.issuer)}`
    : String(JSON.stringify(amount)).slice(0, 200)

/** Smallest units of an issued currency as such a text. */
export const issuedUnits = (currency: string, amount: bigint): string =>
  issuedText({ ...issuedOf(currency), value: issuedValue(amount) })
