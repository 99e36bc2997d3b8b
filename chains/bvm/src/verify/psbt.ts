import { hexDigits, parseHexDigits, UnreadableQuoteError } from '@causeway/core/verify'

/** An output of a transaction; the script as hex digits. */
export interface PsbtOutput {
  readonly script: string
  /** Satoshis. */
  readonly value: bigint
}

/** What a PSBT asks a wallet to sign, as far as it is looked at. */
export interface PsbtView {
  readonly outputs: readonly PsbtOutput[]
  /** Ways of signing that its inputs ask for, where they do. */
  readonly sighashes: readonly bigint[]
}

const MAGIC = '70736274ff'
/** Types of entries (BIP-174): the unsigned transaction, and an input's way of signing. */
const UNSIGNED_TRANSACTION = '00'
const SIGHASH_TYPE = '03'
const OUTPOINT_BYTES = 36
const SIGHASH_BYTES = 4

/** A map of a PSBT, by what it is about. */
type PsbtMap = 'global' | 'input' | 'output'

/** Types of BIP-174 and BIP-371 whose key is the type alone, and those whose key goes on with a public key. */
const KEYS: Readonly<Record<PsbtMap, { readonly bare: RegExp; readonly ofPublicKey: RegExp | null }>> = {
  global: { bare: /^00/, ofPublicKey: null },
  input: { bare: /^(00|01|03|04|05|07|08|13|17|18)/, ofPublicKey: /^(02|06)/ },
  output: { bare: /^(00|01|05|06)/, ofPublicKey: /^02/ },
}
const PUBLIC_KEY = /^(0[23][0-9a-f]{64}|04[0-9a-f]{128})$/

const isKey = (key: string, map: PsbtMap): boolean => {
  const { bare, ofPublicKey } = KEYS[map]
  if (bare.test(key)) return key.length === 2
  return ofPublicKey?.test(key) !== true || PUBLIC_KEY.test(key.slice(2))
}

/** Reads a PSBT of version 0 from hex digits (wire.md A.5 bvm). @throws UnreadableQuoteError, OrderEncodingError */
export const readPsbt = (digits: string): PsbtView => {
  const reader = new Reader(parseHexDigits(digits, 0, 'The PSBT'))
  if (hexDigits(reader.take(MAGIC.length / 2)) !== MAGIC) throw unreadable()
  const transaction = reader.entries('global').get(UNSIGNED_TRANSACTION)
  if (transaction === undefined) throw unreadable()
  const { inputs, outputs } = readTransaction(new Reader(transaction))
  const sighashes: bigint[] = []
  for (let at = 0; at < inputs; at += 1) {
    const type = reader.entries('input').get(SIGHASH_TYPE)
    if (type === undefined) continue
    if (type.length !== SIGHASH_BYTES) throw unreadable()
    sighashes.push(littleEndian(type))
  }
  for (const _ of outputs) reader.entries('output')
  if (!reader.isAtEnd) throw unreadable()
  return { outputs, sighashes }
}

/** Without signatures and without the mark of witnesses. */
const readTransaction = (reader: Reader): { readonly inputs: number; readonly outputs: readonly PsbtOutput[] } => {
  reader.take(4)
  const inputs = reader.count()
  for (let at = 0; at < inputs; at += 1) {
    reader.take(OUTPOINT_BYTES)
    if (reader.count() !== 0) throw unreadable()
    reader.take(4)
  }
  const outputs: PsbtOutput[] = []
  for (let left = reader.count(); left > 0; left -= 1) {
    const value = littleEndian(reader.take(8))
    outputs.push({ value, script: hexDigits(reader.take(reader.count())) })
  }
  reader.take(4)
  if (inputs === 0 || !reader.isAtEnd) throw unreadable()
  return { inputs, outputs }
}

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((value, byte) => (value << 8n) + BigInt(byte), 0n)

const unreadable = (): UnreadableQuoteError => new UnreadableQuoteError('The PSBT cannot be read')

/** Bytes from the front on. */
class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(count: number): Uint8Array {
    const end = this.#at + count
    if (end > this.#bytes.length) throw unreadable()
    const part = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return part
  }

  /** A number of the length that its first byte tells. */
  count(): number {
    const [first = 0] = this.take(1)
    if (first < 0xfd) return first
    return Number(littleEndian(this.take(first === 0xfd ? 2 : first === 0xfe ? 4 : 8)))
  }

  /** Entries up to their end, by key as hex digits. */
  entries(map: PsbtMap): ReadonlyMap<string, Uint8Array> {
    const entries = new Map<string, Uint8Array>()
    for (;;) {
      const length = this.count()
      if (length === 0) return entries
      const key = hexDigits(this.take(length))
      if (entries.has(key) || !isKey(key, map)) throw unreadable()
      entries.set(key, this.take(this.count()))
    }
  }
}
