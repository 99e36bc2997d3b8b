import type { Hex } from '@causeway/core'
import { Keypair } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deriveChildKey, indexesOfSalt } from './childKey.js'
import { deriveKey } from './slip10.js'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('SLIP-10, test vector 1 for ed25519', () => {
  const seed = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
  test.each([
    [
      [],
      '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7',
      '90046a93de5380a72b5e45010748567d5ea02bbf6522f979e05c0d8d8ca9fffb',
      'a4b2856bfec510abab89753fac1ac0e1112364e7d250545963f135f2a33188ed',
    ],
    [
      [0],
      '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3',
      '8b59aa11380b624e81507a27fedda59fea6d0b779a778918a2fd3590e16e9c69',
      '8c8a13df77a28f3445213a0f432fde644acaa215fc72dcdf300d5efaa85d350c',
    ],
    [
      [0, 1],
      'b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2',
      'a320425f77d1b5c2505a6b1b27382b37368ee640e3557c315416801243552f14',
      '1932a5270f335bed617d5b935c80aedb1a35bd9fc1e31acafd5372c30f5c1187',
    ],
    [
      [0, 1, 2, 2, 1_000_000_000],
      '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
      '68789923a0cac2cd5a29172a475fe9e0fb14cd6adb5ad98a3fa70333e7afa230',
      '3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a',
    ],
  ])('path %j', (indexes, key, chainCode, publicKey) => {
    const node = deriveKey(seed, indexes)
    expect(hex(node.key)).toBe(key)
    expect(hex(node.chainCode)).toBe(chainCode)
    expect(hex(Keypair.fromSeed(node.key).publicKey.toBytes())).toBe(publicKey)
  })

  test('an index that is none is refused', () => {
    for (const index of [-1, 2 ** 31, 0.5]) expect(() => deriveKey(seed, [index])).toThrow(RangeError)
  })
})

describe('deposit addresses (chains.md svm 8)', () => {
  const seed = Buffer.alloc(64, 7)
  const SALT: Hex = `0x${'ff'.repeat(4)}${'00'.repeat(27)}05`

  test('a path of eight indexes of 31 bits out of the salt', () => {
    expect(indexesOfSalt(SALT)).toEqual([2 ** 31 - 1, 0, 0, 0, 0, 0, 0, 5])
    const { path, address, privateKey } = deriveChildKey(seed, SALT)
    expect(path).toBe("m/44'/501'/0'/0'/2147483647'/0'/0'/0'/0'/0'/0'/5'")
    expect(Keypair.fromSeed(privateKey).publicKey.toBase58()).toBe(address)
  })

  test('the same salt gives the same address, another salt another one (F18)', () => {
    const salts = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes): Hex => `0x${hex(bytes)}`)
    fc.assert(
      fc.property(salts, salts, (left, right) => {
        const same = indexesOfSalt(left).join() === indexesOfSalt(right).join()
        const [first, second] = [deriveChildKey(seed, left), deriveChildKey(seed, right)]
        expect(first.address === second.address).toBe(same)
      }),
      { numRuns: 25 },
    )
  })
})
