import type { Hex } from '@causeway/core'
import type { PooledAddress } from '@causeway/core/chain'
import { describe, expect, test } from 'vitest'
import { poolKeyOf, SvmAddressPool } from './addressPool.js'
import { deriveChildKey, saltOf } from './childKey.js'

const seed = Buffer.alloc(32, 7)
const stranger = Buffer.alloc(32, 8)
const SALT: Hex = `0x${'ab'.repeat(32)}`
const OTHER: Hex = `0x${'cd'.repeat(32)}`
const terms = { chainId: 792_703_809, genesisHash: 'cluster', publicKey: poolKeyOf(seed) }
const pool = new SvmAddressPool(terms)

describe('an address of a pool', () => {
  const made = pool.make(seed, SALT)

  test('is the address of its key, with what derives it and no secret', () => {
    expect(made.destination).toEqual({ address: deriveChildKey(seed, SALT).address })
    expect(made.derivation).toEqual({ salt: SALT })
    expect(saltOf(made.derivation)).toBe(SALT)
    expect(pool.make(seed, `0x${'AB'.repeat(32)}`)).toEqual(made)
    expect(pool.make(seed, OTHER).destination).not.toEqual(made.destination)
  })

  test('is known by the configured key alone', () => {
    expect(pool.publicKey(seed)).toBe(terms.publicKey)
    expect(pool.isGenuine(JSON.parse(JSON.stringify(made)))).toBe(true)
  })

  test('is not told when anything of it was changed', () => {
    const other = pool.make(seed, OTHER)
    const lies: readonly PooledAddress[] = [
      { ...made, signature: other.signature },
      { ...made, destination: other.destination },
      { ...made, destination: { ...made.destination, memo: 'x' } },
      { ...made, destination: { ...made.destination, tag: 0 } },
      { ...made, derivation: other.derivation },
      { ...made, derivation: {} },
      { ...made, derivation: null },
      { ...made, signature: '0x' },
      { ...made, signature: `${made.signature}00` },
      { ...made, signature: 'nonsense' as Hex },
      pool.make(stranger, SALT),
    ]
    for (const lie of lies) expect(pool.isGenuine(lie)).toBe(false)
  })

  test('of another chain, or of another cluster under the same number, is none of this one', () => {
    for (const change of [{ chainId: 1 }, { genesisHash: 'another' }]) {
      expect(new SvmAddressPool({ ...terms, ...change }).isGenuine(made)).toBe(false)
    }
  })

  test('is not signed by its own key, and the key that signs holds no address', () => {
    expect(poolKeyOf(seed)).not.toBe(made.destination.address)
    expect(poolKeyOf(seed)).not.toBe(poolKeyOf(stranger))
  })
})

test.each(['nonsense', '', '1'.repeat(31), `${'z'.repeat(44)}`])(
  'a configured key that is none is refused: %j',
  (text) => {
    expect(() => new SvmAddressPool({ ...terms, publicKey: text })).toThrow(/depositPoolKey must be/)
  },
)
