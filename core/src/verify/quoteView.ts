/** Something in a quote is missing or has another form than wire.md 1.3 says; the message names where. */
export class UnreadableQuoteError extends Error {
  override readonly name = 'UnreadableQuoteError'
}

export type Fields = Readonly<Record<string, unknown>>

/** What stands at `path` (names and positions with points between); undefined where there is nothing. */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined), value)

// CAST: an object's own properties are all that is ever read of it.
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const wrong = (path: string, form: string): UnreadableQuoteError => new UnreadableQuoteError(`${path} is no ${form}`)

/** @throws UnreadableQuoteError */
export const textAt = (value: unknown, path: string): string => {
  const text = valueAt(value, path)
  if (typeof text !== 'string') throw wrong(path, 'text')
  return text
}

/** An amount: decimal text of whole smallest units. @throws UnreadableQuoteError */
export const amountAt = (value: unknown, path: string): bigint => {
  const text = textAt(value, path)
  if (!/^[0-9]{1,78}$/.test(text)) throw wrong(path, 'amount')
  return BigInt(text)
}

/** @throws UnreadableQuoteError */
export const integerAt = (value: unknown, path: string): number => {
  const number = valueAt(value, path)
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw wrong(path, 'whole number')
  return number
}

/** @throws UnreadableQuoteError */
export const listAt = (value: unknown, path: string): readonly unknown[] => {
  const list = valueAt(value, path)
  if (!Array.isArray(list)) throw wrong(path, 'list')
  return list
}
