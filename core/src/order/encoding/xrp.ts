import { base58xrp } from '@scure/base'
import { OrderEncodingError } from '../orderEncodingError.js'
import type { VmCodec } from './addressCodec.js'
import { parseBareHash, requireLength } from './bareHash.js'
import { checkedBase58 } from './checkedBase58.js'

const what = 'XRP address'
const base58Check = checkedBase58(base58xrp, what, 64)
const classicVersion = 0x00
const classicLength = 21
/** First bytes of an X-address of the main network; then account id, tag flag and eight tag bytes. */
const extendedVersion = [0x05, 0x44] as const
const extendedLength = 31

/**
 * The 20-byte account id. An X-address counts as its account, except that one with a destination tag is refused: the tag
 * would be lost and the money with it (chains.md xrpvm 1 and 2).
 */
export const xrpCodec: VmCodec = {
  encode(text) {
    const payload = base58Check.decode(text)
    if (payload.length === classicLength && payload[0] === classicVersion) return payload.slice(1)
    if (payload.length === extendedLength) return accountOfExtended(payload)
    throw new OrderEncodingError(`${what}: neither a classic nor an X-address`)
  },
  decode(bytes) {
    requireLength(bytes, what, 20)
    const payload = new Uint8Array(classicLength)
    payload[0] = classicVersion
    payload.set(bytes, 1)
    return base58Check.encode(payload)
  },
  encodeTransactionId: (id) => parseBareHash(id, 'XRP transaction id'),
}

function accountOfExtended(payload: Uint8Array): Uint8Array {
  if (payload[0] !== extendedVersion[0] || payload[1] !== extendedVersion[1]) {
    throw new OrderEncodingError(`${what}: not a main network address`)
  }
  if (payload.subarray(22).some((byte) => byte !== 0)) {
    throw new OrderEncodingError(`${what}: carries a destination tag`)
  }
  return payload.slice(2, 22)
}
