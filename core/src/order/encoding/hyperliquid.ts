import { bytesToHex, hexToBytes } from '../hexBytes.js'
import { OrderEncodingError } from '../orderEncodingError.js'
import type { VmCodec } from './addressCodec.js'

const what = 'Hyperliquid address or currency'
const tokenLength = 16
const maxDexNameLength = 16

/** Raw bytes: accounts 20, currencies 16 or 16 and the name of a builder's exchange (chains.md hypevm 2). */
export const hyperliquidCodec: VmCodec = {
  encode(text) {
    const bytes = hexToBytes(text, what)
    requireKnownLength(bytes)
    return bytes
  },
  decode(bytes) {
    requireKnownLength(bytes)
    return bytesToHex(bytes)
  },
  encodeTransactionId: (id) => hexToBytes(id, 'Hyperliquid transaction id', 32),
}

function requireKnownLength(bytes: Uint8Array): void {
  if (bytes.length < tokenLength || bytes.length > tokenLength + maxDexNameLength) {
    throw new OrderEncodingError(`${what}: wrong length`)
  }
}
