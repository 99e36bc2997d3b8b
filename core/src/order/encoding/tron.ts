import { base58 } from '@scure/base'
import { parseHexDigits } from '../hexBytes.js'
import { OrderEncodingError } from '../orderEncodingError.js'
import type { VmCodec } from './addressCodec.js'
import { parseBareHash, requireLength } from './bareHash.js'
import { checkedBase58 } from './checkedBase58.js'

const what = 'Tron address'
const version = 0x41
const base58Check = checkedBase58(base58, what, 64)
const hexForm = /^41[0-9a-fA-F]{40}$/

/** 21 bytes: `0x41` and 20 more; read from base58check or from the hex form `41...` (chains.md tvm 1 and 2). */
export const tronCodec: VmCodec = {
  encode(text) {
    const bytes = hexForm.test(text) ? parseHexDigits(text, 0, what) : base58Check.decode(text)
    requireAddress(bytes)
    return bytes
  },
  decode(bytes) {
    requireAddress(bytes)
    return base58Check.encode(bytes)
  },
  encodeTransactionId: (id) => parseBareHash(id, 'Tron transaction id'),
}

function requireAddress(bytes: Uint8Array): void {
  requireLength(bytes, what, 21)
  if (bytes[0] !== version) throw new OrderEncodingError(`${what}: wrong version byte`)
}
