import { bytesToHex, hexToBytes } from '../hexBytes.js'
import type { VmCodec } from './addressCodec.js'
import { requireLength } from './bareHash.js'

const what = 'EVM address'

/** 20 raw bytes; the case of the digits is irrelevant, so the mixed-case checksum is not looked at (chains.md evm 2). */
export const ethereumCodec: VmCodec = {
  encode: (text) => hexToBytes(text, what, 20),
  decode(bytes) {
    requireLength(bytes, what, 20)
    return bytesToHex(bytes)
  },
  encodeTransactionId: (id) => hexToBytes(id, 'EVM transaction id', 32),
}
