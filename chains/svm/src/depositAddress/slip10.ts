import { createHmac } from 'node:crypto'

/** A node of the tree of keys. */
export interface DerivedKey {
  /** 32 secret bytes. */
  readonly key: Uint8Array
  readonly chainCode: Uint8Array
}

const HARDENED = 0x8000_0000
const CURVE = 'ed25519 seed'

/**
 * SLIP-10 for ed25519, where every step is hardened: the seed is needed to derive, and no child tells of another.
 * `indexes` are below 2^31; the hardened bit is added here.
 * @throws RangeError for any other index
 */
export const deriveKey = (seed: Uint8Array, indexes: readonly number[]): DerivedKey => {
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
