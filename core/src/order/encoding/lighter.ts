import { hexDigits, parseHexDigits } from '../hexBytes.js'
import { OrderEncodingError } from '../orderEncodingError.js'
import type { VmCodec } from './addressCodec.js'
import { requireLength } from './bareHash.js'

const what = 'Lighter account or asset index'
const indexText = /^[0-9]{1,64}$/
const byteLength = 16

/** The index as a 16-byte big-endian integer, for accounts and assets alike (chains.md lvm 2). */
export const lighterCodec: VmCodec = {
  encode(text) {
    if (typeof text !== 'string' || !indexText.test(text)) throw new OrderEncodingError(`${what}: not decimal digits`)
    const digits = BigInt(text).toString(16)
    if (digits.length > 2 * byteLength) throw new OrderEncodingError(`${what}: too large`)
    return parseHexDigits(digits.padStart(2 * byteLength, '0'), 0, what)
  },
  decode(bytes) {
    requireLength(bytes, what, byteLength)
    return BigInt(`0x${hexDigits(bytes)}`).toString()
  },
  encodeTransactionId(id) {
    const bytes = parseHexDigits(id, id.startsWith('0x') ? 2 : 0, 'Lighter transaction id')
    if (bytes.length === 0) throw new OrderEncodingError('Lighter transaction id: empty')
    return bytes
  },
}
