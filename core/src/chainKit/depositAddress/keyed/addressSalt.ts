import { createHash } from 'node:crypto'
import type { DepositAddressTerms } from '../../../chain/address/depositAddresses.js'
import type { Json } from '../../../chain/json.js'
import type { Hex } from '../../../money/hex.js'
import { bytesToHex, hexToBytes } from '../../../order/hexBytes.js'

const SALT_BYTES = 32
const INDEX_BITS = 0x7fff_ffff

/** Returns the salt of an order's address: a hash of the order id, which has 256 random bits, and the depositor (faults.md F18). */
export const saltOfTerms = ({ orderId, depositor }: DepositAddressTerms): Hex =>
  bytesToHex(
    createHash('sha256')
      .update(hexToBytes(orderId, 'order id', SALT_BYTES))
      .update(depositor)
      .digest(),
  )

/** Returns the eight indexes of a salt: four bytes each without the highest bit, so that each is below 2^31. */
export const indexesOfSalt = (salt: Hex): readonly number[] => {
  const bytes = Buffer.from(hexToBytes(salt, 'salt', SALT_BYTES))
  return Array.from({ length: SALT_BYTES / 4 }, (_, at) => bytes.readUInt32BE(4 * at) & INDEX_BITS)
}

/** Returns the salt in the derivation of a pooled address; null if the derivation has no salt. */
export const saltOfDerivation = (derivation: Json): Hex | null => {
  const { salt }: { readonly salt?: unknown } = Object(derivation)
  // CAST: the pattern says what it is.
  return typeof salt === 'string' && /^0x[0-9a-f]{64}$/.test(salt) ? (salt as Hex) : null
}
