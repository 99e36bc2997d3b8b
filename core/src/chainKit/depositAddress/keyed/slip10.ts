import { createHmac } from 'node:crypto'

const HARDENED = 0x8000_0000
const CURVE = 'ed25519 seed'

/** A key of the tree; both members are 32 bytes, `key` is secret. */
interface DerivedKey {
  readonly key: Uint8Array
  readonly chainCode: Uint8Array
}

/**
 * Derives an ed25519 key by SLIP-10. Every step is hardened: deriving needs the seed, and no child reveals another. Node's HMAC is enough
 * for that; the published libraries bring a curve of their own.
 * @param indexes - below 2^31, without the hardened bit
 * @throws RangeError for any other index
 */
export const deriveEd25519Key = (seed: Uint8Array, indexes: readonly number[]): DerivedKey => {
  let node = split(createHmac('sha512', CURVE).update(seed).digest())
  for (const index of indexes) {
    if (!Number.isInteger(index) || index < 0 || index >= HARDENED) throw new RangeError(`No index of a path: ${index}`)
    const data = Buffer.alloc(37)
    data.set(node.key, 1)
    data.writeUInt32BE(index + HARDENED, 33)
    node = split(createHmac('sha512', node.chainCode).update(data).digest())
  }
  return node
}

const split = (bytes: Buffer): DerivedKey => ({
  key: Uint8Array.from(bytes.subarray(0, 32)),
  chainCode: Uint8Array.from(bytes.subarray(32)),
})
