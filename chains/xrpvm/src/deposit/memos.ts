import type { Hex } from '@causeway/core'
import { orderIdOf } from '@causeway/core/chain-kit'
import { memberOf } from '../rpc/fields.js'

/** Type of our memos. */
const MEMO_TYPE = 'order-id'

/** One memo as transactions carry it; all of it is hex digits of UTF-8 text. */
export interface MemoJson {
  readonly Memo: { readonly MemoType: string; readonly MemoData: string }
}

const DATA = /^(?:[0-9a-f]{2})+$/i

const hexOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex').toUpperCase()

/** `Memos` of a transaction with one memo, whose data is the text. */
export const memosOf = (text: string): readonly [MemoJson] => [
  { Memo: { MemoType: hexOf(MEMO_TYPE), MemoData: hexOf(text) } },
]

/** Text of hex digits, null where they are none or spell no text. */
const textOf = (data: unknown): string | null => {
  if (typeof data !== 'string' || !DATA.test(data)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(data, 'hex'))
  } catch {
    return null
  }
}

/** Texts of the memos of a transaction in order, null where the data is no text. `memos` is any JSON. */
export const readMemos = (memos: unknown): readonly (string | null)[] =>
  Array.isArray(memos) ? memos.map((entry: unknown) => textOf(memberOf(memberOf(entry, 'Memo'), 'MemoData'))) : []

/** The order that a deposit names: the first memo whose data is an order id and nothing else, in upper or lower case (chains.md xrpvm 3). */
export const depositOrderId = (memos: unknown): Hex | null =>
  readMemos(memos)
    .map((text) => text && orderIdOf(text.toLowerCase()))
    .find((orderId) => orderId) || null

/** The text of a transaction that has one memo and no other, as payments of ours do (chains.md xrpvm 5); else null. */
export const onlyMemo = (memos: unknown): string | null => {
  const [text = null, ...more] = readMemos(memos)
  return more.length === 0 ? text : null
}
