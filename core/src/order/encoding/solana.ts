import { base58 } from '@scure/base'
import { OrderEncodingError } from '../orderEncodingError.js'
import type { VmCodec } from './addressCodec.js'
import { requireLength } from './bareHash.js'
import { decodeBase58 } from './checkedBase58.js'

const what = 'Solana address'

/** Base58 of 32 bytes for accounts and mints, of 64 for signatures (chains.md svm 2). The format has no checksum. */
export const solanaCodec: VmCodec = {
  encode: (text) => decodeFixed(text, what, 32, 44),
  decode(bytes) {
    requireLength(bytes, what, 32)
    return base58.encode(bytes)
  },
  encodeTransactionId: (id) => decodeFixed(id, 'Solana signature', 64, 88),
}

function decodeFixed(text: string, name: string, length: number, maxTextLength: number): Uint8Array {
  if (typeof text !== 'string' || text.length < length || text.length > maxTextLength) {
    throw new OrderEncodingError(`${name}: wrong length`)
  }
  const bytes = decodeBase58(base58, text, name)
  requireLength(bytes, name, length)
  return bytes
}
