import type { Hex } from '@causeway/core'
import { orderIdOf } from '@causeway/core/chain-kit'

/** What a memo of ours says that its data is. */
export const MEMO_TYPE = 'order-id'

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

/** What the data of each memo says, in order, null where it is no text. `memos` is whatever stands in a transaction's `Memos`. */
export const readMemos = (memos: unknown): readonly (string | null)[] => {
  if (!Array.isArray(memos)) return []
  return memos.map((entry: unknown) => {
    const memo: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'Memo') : undefined
    return typeof memo === 'object' && memo !== null ? textOf(Reflect.get(memo, 'MemoData')) : null
  })
}

/** The order that a deposit names: the first memo whose data is an order id and nothing else, in whatever case (chains.md xrpvm 3). */
export const depositOrderId = (memos: unknown): Hex | null => {
  for (const text of readMemos(memos)) {
    const orderId = text === null ? null : orderIdOf(text.toLowerCase())
    if (orderId !== null) return orderId
  }
  return null
}

/** What a transaction says that has one memo and no other, as payments of ours do (chains.md xrpvm 5); else null. */
export const onlyMemo = (memos: unknown): string | null => {
  const texts = readMemos(memos)
  return texts.length === 1 ? (texts[0] ?? null) : null
}
