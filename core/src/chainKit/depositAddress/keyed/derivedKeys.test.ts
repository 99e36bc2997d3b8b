import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEd25519Signer } from '../../../keys/ed25519Signer.js'
import type { Hex } from '../../../money/hex.js'
import { indexesOfSalt, saltOfTerms } from './addressSalt.js'
import { hdAccountOfSeed, hdChildOf, readHdAccount } from './hdAccount.js'
import { seedKeyOf, seedPoolKey } from './seedPool.js'
import { deriveEd25519Key } from './slip10.js'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const [SEED_1, SEED_2] = [
  '000102030405060708090a0b0c0d0e0f',
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
].map((text) => Buffer.from(text, 'hex')) as [Buffer, Buffer]
const SEED_3 = Buffer.from(
  '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be',
  'hex',
)

describe('BIP-32, test vectors 1 to 3', () => {
  it.each([
    [
      SEED_1,
      'm',
      'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
    ],
    [
      SEED_1,
      "m/0'",
      'xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw',
    ],
    [
      SEED_1,
      "m/0'/1",
      'xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ',
    ],
    [
      SEED_1,
      "m/0'/1/2'/2/1000000000",
      'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy',
    ],
    [
      SEED_2,
      'm/0',
      'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH',
    ],
    [
      SEED_2,
      "m/0/2147483647'/1/2147483646'/2",
      'xpub6FnCn6nSzZAw5Tw7cgR9bi15UV96gLZhjDstkXXxvCLsUXBGXPdSnLFbdpq8p9HmGsApME5hQTZ3emM2rnY5agb9rXpVGyy3bdW6EEgAtqt',
    ],
    [
      SEED_3,
      "m/0'",
      'xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y',
    ],
  ])('%# path %s', (seed, path, xpub) => {
    expect(hdAccountOfSeed(seed, path).publicExtendedKey).toBe(xpub)
  })
})

describe('SLIP-10, test vectors 1 and 2 for ed25519', () => {
  it.each([
    [
      SEED_1,
      [],
      '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7',
      '90046a93de5380a72b5e45010748567d5ea02bbf6522f979e05c0d8d8ca9fffb',
      'a4b2856bfec510abab89753fac1ac0e1112364e7d250545963f135f2a33188ed',
    ],
    [
      SEED_1,
      [0, 1],
      'b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2',
      'a320425f77d1b5c2505a6b1b27382b37368ee640e3557c315416801243552f14',
      '1932a5270f335bed617d5b935c80aedb1a35bd9fc1e31acafd5372c30f5c1187',
    ],
    [
      SEED_1,
      [0, 1, 2, 2, 1_000_000_000],
      '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
      '68789923a0cac2cd5a29172a475fe9e0fb14cd6adb5ad98a3fa70333e7afa230',
      '3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a',
    ],
    [
      SEED_2,
      [0, 2_147_483_647, 1, 2_147_483_646, 2],
      '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
      '5d70af781f3a37b829f0d060924d5e960bdc02e85423494afc0b1a41bbe196d4',
      '47150c75db263559a70d5778bf36abbab30fb061ad69f69ece61a72b0cfa4fc0',
    ],
  ])('%# path %j', (seed, indexes, key, chainCode, publicKey) => {
    const node = deriveEd25519Key(seed, indexes)
    expect(hex(node.key)).toBe(key)
    expect(hex(node.chainCode)).toBe(chainCode)
    expect(hex(createEd25519Signer(key).publicKey)).toBe(publicKey)
  })

  it('an index of 2^31 or more, below 0 or with a fraction is refused', () => {
    for (const index of [-1, 2 ** 31, 0.5]) expect(() => deriveEd25519Key(SEED_1, [index])).toThrow(RangeError)
  })
})

describe('the salt of an address (faults.md F18)', () => {
  const orderId = `0x${'0a'.repeat(32)}` as const
  const salts = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes): Hex => `0x${hex(bytes)}`)

  it('depends on all 256 bits of the order id and on the depositor, however the id is written', () => {
    const salt = saltOfTerms({ orderId, depositor: 'bc1qa' })
    expect(salt).toMatch(/^0x[0-9a-f]{64}$/)
    expect(saltOfTerms({ orderId: `0x${'0A'.repeat(32)}`, depositor: 'bc1qa' })).toBe(salt)
    const others = Array.from({ length: 256 }, (_, bit) => {
      const flipped = BigInt(orderId) ^ (1n << BigInt(bit))
      return saltOfTerms({ orderId: `0x${flipped.toString(16).padStart(64, '0')}`, depositor: 'bc1qa' })
    })
    expect(new Set([...others, salt, saltOfTerms({ orderId, depositor: 'bc1qb' })]).size).toBe(258)
    expect(() => saltOfTerms({ orderId: '0x12', depositor: 'bc1qa' })).toThrow()
  })

  it('gives eight indexes of 31 bits', () => {
    const salt: Hex = `0x${'ff'.repeat(4)}${'00'.repeat(27)}05`
    expect(indexesOfSalt(salt)).toEqual([2 ** 31 - 1, 0, 0, 0, 0, 0, 0, 5])
    expect(hdChildOf(hdAccountOfSeed(SEED_1, 'm'), salt).path).toBe('0/2147483647/0/0/0/0/0/0/5')
  })

  it('the public account gives the address that the private one signs for, another for each salt', () => {
    const account = hdAccountOfSeed(SEED_1, "m/44'/195'/0'")
    const publicAccount = readHdAccount(account.publicExtendedKey, 'a test network', [undefined])
    const seen = new Set<string>()
    fc.assert(
      fc.property(salts, (salt) => {
        const [child, own] = [hdChildOf(publicAccount, salt), hdChildOf(account, salt)]
        expect(child).toEqual({ ...own, secret: null })
        expect(own.secret).not.toBeNull()
        seen.add(hex(child.publicKey))
      }),
      { numRuns: 5 },
    )
    expect(seen.size).toBeGreaterThan(1)
  })

  it('Solana’s addresses never change between versions: users know them', () => {
    const tree = { root: [44, 501, 0, 0], witness: [44, 501, 0, 1], addressOf: (key: Uint8Array) => base58.encode(key) }
    const seed = Buffer.alloc(64, 7)
    const { address } = seedKeyOf(tree, seed, `0x${'ff'.repeat(4)}${'00'.repeat(27)}05`)
    expect(address).toBe('7cG3ih5hTRzknsRWZTPXE5fESXLsisnszper9k7JKN6Q')
    expect(seedPoolKey(tree, seed)).toBe('8oCxa9KBGHGGA3DBAjQtwV2oJw8U2ynNxfkDMMG2pAKm')
  })
})
