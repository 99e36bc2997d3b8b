/** A value of an action, as JSON has it. */
export type ActionValue =
  | null
  | boolean
  | number
  | string
  | readonly ActionValue[]
  | { readonly [key: string]: ActionValue }

const uint = (value: bigint, bytes: number): Buffer => Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex')

/** Head of a text, a list or a map: short in one byte, else with a size of 8, 16 or 32 bits. */
const head = (size: number, short: number, shortMost: number, codes: readonly (number | null)[]): Buffer => {
  if (size <= shortMost) return Buffer.from([short | size])
  const width = [1, 2, 4].findIndex((bytes, at) => codes[at] !== null && size < 2 ** (8 * bytes))
  return Buffer.concat([Buffer.from([codes[width] ?? 0]), uint(BigInt(size), 2 ** width)])
}

const integer = (value: number): Buffer => {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('Actions have natural numbers and texts alone')
  if (value < 0x80) return Buffer.from([value])
  const bytes = [1, 2, 4].find((width) => value < 2 ** (8 * width)) ?? 8
  return Buffer.concat([Buffer.from([0xcc + Math.log2(bytes)]), uint(BigInt(value), bytes)])
}

/** MessagePack of an action; its keys stay in their order. */
export const msgpack = (value: ActionValue): Buffer => {
  if (value === null) return Buffer.from([0xc0])
  if (typeof value === 'boolean') return Buffer.from([value ? 0xc3 : 0xc2])
  if (typeof value === 'number') return integer(value)
  if (typeof value === 'string') {
    const bytes = Buffer.from(value, 'utf8')
    return Buffer.concat([head(bytes.length, 0xa0, 31, [0xd9, 0xda, 0xdb]), bytes])
  }
  if (isList(value)) return Buffer.concat([head(value.length, 0x90, 15, [null, 0xdc, 0xdd]), ...value.map(msgpack)])
  const entries = Object.entries(value)
  return Buffer.concat([head(entries.length, 0x80, 15, [null, 0xde, 0xdf]), ...entries.flat().map(msgpack)])
}

const isList = (value: ActionValue): value is readonly ActionValue[] => Array.isArray(value)
