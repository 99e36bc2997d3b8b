const TRANSFER = 0x0f8a7ea5n
const BOC_HEADER = [0xb5, 0xee, 0x9c, 0x72]
/** Flags of the header: with a checksum, numbers of cells and offsets of one byte. */
const [FLAGS, OFFSET_BYTES] = [0x41, 1]
const CRC32C = 0x82f63b78

const bits = (value: bigint, width: number): string => value.toString(2).padStart(width, '0')

const coinBits = (amount: bigint): string => {
  const bytes = amount === 0n ? 0 : Math.ceil(amount.toString(16).length / 2)
  return bits(BigInt(bytes), 4) + (bytes === 0 ? '' : bits(amount, bytes * 8))
}

/** Of a raw address of workchain 0. */
const addressBits = (raw: string): string => `100${bits(0n, 8)}${bits(BigInt(`0x${raw.slice(2)}`), 256)}`

const commentBits = (text: string): string =>
  bits(0n, 32) + [...new TextEncoder().encode(text)].map((byte) => bits(BigInt(byte), 8)).join('')

/** Base64 of the body of a payment with a text of at most 123 bytes. */
export const commentBoc = (text: string): string => bocOf([commentBits(text)])

/** Base64 of the body of a transfer of jettons, as the adapter builds it. Addresses are raw. */
export const jettonTransferBoc = (transfer: {
  readonly amount: bigint
  readonly depository: string
  readonly sender: string
  readonly order: string
}): string => {
  const { amount, depository, sender, order } = transfer
  const accounts = addressBits(depository) + addressBits(sender)
  return bocOf([
    `${bits(TRANSFER, 32)}${bits(0n, 64)}${coinBits(amount)}${accounts}0${coinBits(1n)}1`,
    commentBits(order),
  ])
}

/** A bag of one cell, or of a cell and the one that it refers to. */
const bocOf = (cells: readonly string[]): string => {
  const all = cells.map((data, at) => cellBytes(data, at + 1 < cells.length ? [at + 1] : []))
  const bytes = [...BOC_HEADER, FLAGS, OFFSET_BYTES, cells.length, 1, 0, all.flat().length, 0, ...all.flat()]
  const sum = crc32c(bytes)
  return btoa(String.fromCharCode(...bytes, sum & 255, (sum >>> 8) & 255, (sum >>> 16) & 255, sum >>> 24))
}

const cellBytes = (data: string, refs: readonly number[]): readonly number[] => {
  const [whole, begun] = [Math.floor(data.length / 8), Math.ceil(data.length / 8)]
  const padded = whole === begun ? data : `${data}1`.padEnd(begun * 8, '0')
  const bytes = Array.from({ length: begun }, (_, at) => Number.parseInt(padded.slice(at * 8, at * 8 + 8), 2))
  return [refs.length, whole + begun, ...bytes, ...refs]
}

const crc32c = (bytes: readonly number[]): number => {
  let sum = ~0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? CRC32C : 0)
  }
  return ~sum >>> 0
}
