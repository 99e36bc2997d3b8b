/** JSON form of a message: names and values of its fields. */
export type Fields = Readonly<Record<string, unknown>>

/** How a field is written; `address` is hex with the prefix `41`, `bytes` hex. */
export type FieldKind =
  | 'int64'
  | 'bool'
  | 'string'
  | 'bytes'
  | 'address'
  | { readonly values: readonly string[] }
  | { readonly message: MessageType }

export interface FieldType {
  readonly name: string
  readonly kind: FieldKind
  readonly isRepeated?: boolean
}

/** Fields of a message by their numbers. */
export type MessageType = Readonly<Record<number, FieldType>>

const LENGTH_DELIMITED = 2
const WORD = 1n << 64n
const CONTINUES = 0x80n

/** Bytes of a varint; a negative number takes ten. */
const varint = (value: bigint): number[] => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest >= CONTINUES) {
    bytes.push(Number((rest & 0x7fn) | CONTINUES))
    rest >>= 7n
  }
  return [...bytes, Number(rest)]
}

const delimited = (bytes: Uint8Array): readonly number[] => [...varint(BigInt(bytes.length)), ...bytes]

/** Bytes of hex text. @throws SyntaxError for another text */
export const bytesOf = (hex: unknown): Uint8Array => {
  const text = String(hex)
  if (!/^([0-9a-f]{2})*$/i.test(text)) throw new SyntaxError(`${text.slice(0, 80)} is not hex`)
  return Uint8Array.from(Buffer.from(text, 'hex'))
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const integerOf = (value: unknown): bigint => {
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (!/^-?\d+$/.test(String(value))) throw new SyntaxError(`${String(value).slice(0, 80)} is not an integer`)
  return BigInt(String(value))
}

/** Value of a field as bytes, without its tag. */
const encodeValue = (kind: FieldKind, value: unknown): { readonly wire: number; readonly bytes: readonly number[] } => {
  if (kind === 'int64' || kind === 'bool') return { wire: 0, bytes: varint(integerOf(value)) }
  if (kind === 'string') return { wire: 2, bytes: delimited(Buffer.from(String(value))) }
  if (kind === 'bytes' || kind === 'address') return { wire: 2, bytes: delimited(bytesOf(value)) }
  if ('message' in kind) return { wire: 2, bytes: delimited(encodeMessage(kind.message, Object(value))) }
  // Clients write names of values as ABIs do, without capitals.
  const name = String(value).toLowerCase()
  const number = typeof value === 'number' ? value : kind.values.findIndex((one) => one.toLowerCase() === name)
  if (number < 0) throw new SyntaxError(`${String(value).slice(0, 80)} is not a value of this field`)
  return { wire: 0, bytes: varint(BigInt(number)) }
}

const isDefault = (kind: FieldKind, value: unknown): boolean =>
  typeof kind === 'object'
    ? 'values' in kind && value === 0
    : value === '' || value === false || value === 0 || value === '0' || value === 0n

/** Writes the fields of a message in the order of their numbers. @throws SyntaxError for a value that does not fit */
export const encodeMessage = (type: MessageType, fields: Fields): Uint8Array => {
  const bytes: number[] = []
  for (const [number, { name, kind, isRepeated = false }] of Object.entries(type)) {
    const value = fields[name]
    if (value === undefined || value === null) continue
    for (const one of isRepeated ? [value].flat() : [value]) {
      if (!isRepeated && isDefault(kind, one)) continue
      const { wire, bytes: written } = encodeValue(kind, one)
      for (const byte of varint(BigInt(number) * 8n + BigInt(wire))) bytes.push(byte)
      for (const byte of written) bytes.push(byte)
    }
  }
  return Uint8Array.from(bytes)
}

/** Reads varints and byte strings of a message. */
class Reader {
  #at = 0

  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length
  }

  varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = BigInt(this.take(1)[0] ?? 0)
      value |= (byte & 0x7fn) << shift
      if (byte < CONTINUES) return value % WORD
    }
    throw new SyntaxError('The message has a number that is too long')
  }

  take(length: number): Uint8Array {
    const taken = this.bytes.subarray(this.#at, this.#at + length)
    if (taken.length < length) throw new SyntaxError('The message ends early')
    this.#at += length
    return taken
  }
}

/** Amounts are JSON numbers; greater ones than 2^53 do not come up. */
const jsonNumber = (value: bigint): number => {
  const number = Number(BigInt.asIntN(64, value))
  if (!Number.isSafeInteger(number)) throw new SyntaxError('The message has a number above 2^53')
  return number
}

const decodeValue = (kind: FieldKind, wire: number, reader: Reader): unknown => {
  if (wire !== 0 && wire !== LENGTH_DELIMITED) throw new SyntaxError('The message has a field of an unknown form')
  const raw = wire === 0 ? reader.varint() : reader.take(Number(reader.varint()))
  if (typeof raw === 'bigint') {
    if (kind === 'bool') return raw !== 0n
    if (typeof kind === 'object' && 'values' in kind) return kind.values[Number(raw)] ?? Number(raw)
    return jsonNumber(raw)
  }
  if (kind === 'string') return Buffer.from(raw).toString('utf8')
  if (typeof kind === 'object' && 'message' in kind) return decodeMessage(kind.message, raw)
  return hexOf(raw)
}

/** Reads a message; fields that it does not have are absent. @throws SyntaxError for other bytes */
export const decodeMessage = (type: MessageType, bytes: Uint8Array): Record<string, unknown> => {
  const reader = new Reader(bytes)
  const fields: Record<string, unknown> = {}
  while (!reader.isAtEnd) {
    const tag = Number(reader.varint())
    const field = type[tag >> 3]
    if (field === undefined) throw new SyntaxError(`The message has an unknown field ${tag >> 3}`)
    const value = decodeValue(field.kind, tag & 7, reader)
    const before = fields[field.name]
    fields[field.name] = field.isRepeated === true ? [...(Array.isArray(before) ? before : []), value] : value
  }
  return fields
}
