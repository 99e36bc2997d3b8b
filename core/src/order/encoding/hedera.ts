import { bytesToHex, hexDigits, parseHexDigits } from '../hexBytes.js'
import { OrderEncodingError } from '../orderEncodingError.js'
import type { VmCodec } from './addressCodec.js'
import { requireLength } from './bareHash.js'

const what = 'Hedera address'
const aliasForm = /^(?:0x|0\.0\.)([0-9a-fA-F]{40})$/
const entityForm = /^0\.0\.(0|[1-9][0-9]{0,18})$/
const maxEntity = 2n ** 63n - 1n
const longZeroLength = 12
const nativeTransactionId = /^0\.0\.(0|[1-9][0-9]{0,18})@[0-9]{1,19}\.[0-9]{9}(\?scheduled)?(\/[0-9]{1,10})?$/

/**
 * 20 bytes: the entity number in the last eight, or an EVM alias as it is. Only shard and realm 0; a checksum suffix must
 * be verified and removed before, as it depends on the network (chains.md hederavm 1 and 2).
 */
export const hederaCodec: VmCodec = {
  encode(text) {
    if (typeof text !== 'string') throw new OrderEncodingError(`${what}: not text`)
    const alias = aliasForm.exec(text)?.[1]
    const entity = entityForm.exec(text)?.[1]
    if (alias === undefined && entity === undefined)
      throw new OrderEncodingError(`${what}: not 0.0.number or an EVM address`)
    const bytes = parseHexDigits(
      alias ??
        BigInt(entity ?? 0)
          .toString(16)
          .padStart(40, '0'),
      0,
      what,
    )
    requireEntityRange(bytes)
    return bytes
  },
  decode(bytes) {
    requireLength(bytes, what, 20)
    requireEntityRange(bytes)
    return isLongZero(bytes) ? `0.0.${entityOf(bytes)}` : bytesToHex(bytes)
  },
  /** No source defines these bytes: UTF-8 of the native form `payer@seconds.nanos`. They are not part of the order id. */
  encodeTransactionId(id) {
    if (!nativeTransactionId.test(id)) throw new OrderEncodingError('Hedera transaction id: not payer@seconds.nanos')
    return new TextEncoder().encode(id)
  },
}

const isLongZero = (bytes: Uint8Array) => bytes.subarray(0, longZeroLength).every((byte) => byte === 0)

const entityOf = (bytes: Uint8Array) => BigInt(`0x${hexDigits(bytes.subarray(longZeroLength))}`)

function requireEntityRange(bytes: Uint8Array): void {
  if (isLongZero(bytes) && entityOf(bytes) > maxEntity) throw new OrderEncodingError(`${what}: entity number too large`)
}
