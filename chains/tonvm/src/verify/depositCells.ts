import { hexDigits, UnreadableQuoteError } from '@causeway/core/verify'

/** Bytes of a cell as hex digits, without its references. */
interface PlainCell {
  readonly data: string
  readonly references: number
}

const CHECKSUM_DIGITS = 8
const RAW = /^0:([0-9a-f]{64})$/
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const TRANSFER = 0x0f8a7ea5n
/** Nanotons of the notification. */
const NOTIFICATION_VALUE = 1n

const byte = (value: number): string => value.toString(16).padStart(2, '0')

/**
 * Cells, the first one the root, as `@ton/core` writes them, without the checksum at the end: a wallet refuses a wrong one. Each cell refers to
 * the next one at most.
 */
const bagOf = (cells: readonly PlainCell[]): string => {
  const written = cells
    .map(
      ({ data, references }, at) => byte(references) + byte(data.length) + data + (references > 0 ? byte(at + 1) : ''),
    )
    .join('')
  return `b5ee9c7241${[1, cells.length, 1, 0, written.length / 2, 0].map(byte).join('')}${written}`
}

const commentCell = (text: string): PlainCell => ({
  data: `00000000${hexDigits(new TextEncoder().encode(text))}`,
  references: 0,
})

/** Body of a payment of TON that names an order. */
export const commentBag = (orderId: string): string => bagOf([commentCell(orderId)])

const bits = (value: bigint, count: number): string => value.toString(2).padStart(count, '0')

const coins = (value: bigint): string => {
  const bytes = Math.ceil(value.toString(16).length / 2)
  return bits(BigInt(bytes), 4) + bits(value, bytes * 8)
}

/** @throws UnreadableQuoteError for an address that is not raw, or not of workchain 0 */
const account = (raw: string): string => {
  const [, hash] = RAW.exec(raw) ?? []
  if (hash === undefined) throw new UnreadableQuoteError('An address is not the raw form of an account of workchain 0')
  return `100${bits(0n, 8)}${bits(BigInt(`0x${hash}`), 256)}`
}

interface Jettons {
  readonly orderId: string
  readonly sender: string
  readonly depository: string
  readonly amount: bigint
}

/** Body by which a wallet asks its jetton wallet for a transfer to the depository (TEP-74). Its bits fill whole bytes. */
export const transferBag = ({ orderId, sender, depository, amount }: Jettons): string => {
  const parts = [bits(TRANSFER, 32), bits(0n, 64), coins(amount), account(depository), account(sender)]
  const text = [...parts, '0', coins(NOTIFICATION_VALUE), '1'].join('')
  const data = (text.match(/.{8}/g) ?? []).map((each) => byte(Number.parseInt(each, 2))).join('')
  return bagOf([{ data, references: 1 }, commentCell(orderId)])
}

/** Hex digits of a body in base64 without its checksum; another text is returned as it is. */
export const bodyBag = (base64: string): string => {
  const letters = [...base64.replace(/={0,2}$/, '')].map((letter) => BASE64.indexOf(letter))
  if (letters.includes(-1)) return base64
  const text = letters.map((value) => value.toString(2).padStart(6, '0')).join('')
  const digits = (text.match(/.{8}/g) ?? []).map((each) => byte(Number.parseInt(each, 2))).join('')
  return digits.slice(0, -CHECKSUM_DIGITS)
}
