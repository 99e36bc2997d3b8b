import { base58 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import type { PooledAddress } from '../../../chain/address/depositAddresses.js'
import type { Hex } from '../../../money/hex.js'
import { SeedAddressPool, seedKeyOf, seedPoolKey } from './seedPool.js'

const tree = { root: [44, 501, 0, 0], witness: [44, 501, 0, 1], addressOf: (key: Uint8Array) => base58.encode(key) }
const seed = Buffer.alloc(32, 7)
const other = Buffer.alloc(32, 8)
const SALT: Hex = `0x${'ab'.repeat(32)}`
const OTHER: Hex = `0x${'cd'.repeat(32)}`
const terms = { chain: ['chain 7', 'cluster a'], publicKey: seedPoolKey(tree, seed) }
const pool = new SeedAddressPool(tree, terms)

describe('an address of a pool', () => {
  const made = pool.make(seed, SALT)

  test('is the address of its key, with the salt and no secret', () => {
    expect(made.destination).toEqual({ address: seedKeyOf(tree, seed, SALT).address })
    expect(made.derivation).toEqual({ salt: SALT })
    expect(pool.make(seed, `0x${'AB'.repeat(32)}`)).toEqual(made)
    expect(pool.make(seed, OTHER).destination).not.toEqual(made.destination)
  })

  test('is recognised by the configured key alone', () => {
    expect(pool.publicKey(seed)).toBe(terms.publicKey)
    expect(pool.isGenuine(JSON.parse(JSON.stringify(made)))).toBe(true)
  })

  test('is refused if any part of it was changed', () => {
    const another = pool.make(seed, OTHER)
    const changed: readonly PooledAddress[] = [
      { ...made, signature: another.signature },
      { ...made, destination: another.destination },
      { ...made, destination: { ...made.destination, memo: 'x' } },
      { ...made, destination: { ...made.destination, tag: 0 } },
      { ...made, derivation: another.derivation },
      { ...made, derivation: {} },
      { ...made, derivation: null },
      { ...made, signature: '0x' },
      { ...made, signature: `${made.signature}00` },
      { ...made, signature: 'nonsense' as Hex },
      pool.make(other, SALT),
    ]
    for (const address of changed) expect(pool.isGenuine(address)).toBe(false)
  })

  test('of another chain, or of another cluster with the same chain id, is refused', () => {
    for (const chain of [
      ['chain 8', 'cluster a'],
      ['chain 7', 'cluster b'],
    ]) {
      expect(new SeedAddressPool(tree, { ...terms, chain }).isGenuine(made)).toBe(false)
    }
  })

  test('is not signed by its own key, and the key that signs holds no address', () => {
    expect(terms.publicKey).not.toBe(made.destination.address)
    expect(terms.publicKey).not.toBe(seedPoolKey(tree, other))
  })
})

test.each(['nonsense', '', '1'.repeat(31), `${'z'.repeat(44)}`])(
  'a configured key that is no public key is refused: %j',
  (publicKey) => {
    expect(() => new SeedAddressPool(tree, { ...terms, publicKey })).toThrow(/depositPoolKey must be/)
  },
)
