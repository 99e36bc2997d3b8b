import { parseHexDigits } from '../hexBytes.js'
import { OrderEncodingError } from '../orderEncodingError.js'

/** 32 bytes written as 64 hex digits without `0x` (Bitcoin, Tron, TON and XRP transaction ids). */
export function parseBareHash(id: string, what: string): Uint8Array {
  if (typeof id !== 'string' || id.length !== 64) throw new OrderEncodingError(`${what}: must be 64 hex digits`)
  return parseHexDigits(id, 0, what)
}

/** @throws OrderEncodingError unless `bytes` has one of the lengths. */
export function requireLength(bytes: Uint8Array, what: string, ...lengths: readonly number[]): void {
  if (!lengths.includes(bytes.length)) throw new OrderEncodingError(`${what}: must have ${lengths.join(' or ')} bytes`)
}
