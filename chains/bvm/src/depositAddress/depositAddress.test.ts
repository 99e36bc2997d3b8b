import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ecc } from '../address/curve.js'
import { NETWORKS } from '../address/networks.js'
import { addressOfScript } from '../address/scriptAddress.js'
import { keyScript } from '../payout/payoutTransaction.js'
import {
  accountOfSeed,
  depositAddressSigner,
  deriveDepositAddress,
  indexesOfSalt,
  readAccountKey,
  saltOf,
} from './depositAddress.js'

const { mainnet, regtest } = NETWORKS

// Test vectors of BIP-84.
const SEED = Buffer.from(
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
  'hex',
)
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const ZPRV =
  'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE'

const salts = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)

describe('chains.md bvm 8: deposit addresses by BIP-84', () => {
  test('the account and its first address are those of BIP-84', () => {
    const account = readAccountKey(ZPUB, mainnet)
    expect(addressOfScript(keyScript(account.derive(0).derive(0).publicKey), mainnet)).toBe(
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    )
    expect(accountOfSeed(SEED, mainnet).neutered().toBase58()).toBe(
      readAccountKey(accountOfSeed(SEED, mainnet).neutered().toBase58(), mainnet).toBase58(),
    )
    expect(accountOfSeed(SEED, mainnet).publicKey).toEqual(account.publicKey)
  })

  test('the public key gives the address that the private key spends from, another one for each salt', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(salts, (salt) => {
        const { address, script, path } = deriveDepositAddress(readAccountKey(ZPUB, mainnet), salt, mainnet)
        expect(path).toBe(`m/84'/0'/0'/0/${indexesOfSalt(salt).join('/')}`)
        expect(depositAddressSigner(accountOfSeed(SEED, mainnet), salt).publicKey).toSatisfy(
          (key: Uint8Array) => Buffer.compare(keyScript(key), script) === 0,
        )
        expect(address).toMatch(/^bc1q/)
        seen.add(address)
      }),
      { numRuns: 5 },
    )
    expect(seen.size).toBeGreaterThan(1)
  })

  test('F18: the salt is of all 256 bits of the order id and of the depositor, however the id is written', () => {
    const orderId = `0x${'0a'.repeat(32)}` as const
    const salt = saltOf({ orderId, depositor: 'bc1qa' })
    expect(salt).toMatch(/^0x[0-9a-f]{64}$/)
    expect(saltOf({ orderId: `0x${'0A'.repeat(32)}`, depositor: 'bc1qa' })).toBe(salt)
    const others = Array.from({ length: 256 }, (_, bit) => {
      const flipped = BigInt(orderId) ^ (1n << BigInt(bit))
      return saltOf({ orderId: `0x${flipped.toString(16).padStart(64, '0')}`, depositor: 'bc1qa' })
    })
    expect(new Set([...others, salt, saltOf({ orderId, depositor: 'bc1qb' })]).size).toBe(258)
    expect(() => saltOf({ orderId: '0x12', depositor: 'bc1qa' })).toThrow()
  })

  test('its signatures are valid', async () => {
    const signer = depositAddressSigner(accountOfSeed(SEED, regtest), `0x${'12'.repeat(32)}`)
    const digest = new Uint8Array(32).fill(3)
    expect(ecc.verify(digest, signer.publicKey, await signer.sign(digest), true)).toBe(true)
  })

  test('a private key, another network’s and no account’s are refused in plain words', () => {
    expect(() => readAccountKey(ZPRV, mainnet)).toThrow(/private key/)
    expect(() => readAccountKey(ZPUB, regtest)).toThrow(/no extended public key/)
    expect(() => readAccountKey('xpub', mainnet)).toThrow(/no extended public key/)
    const child = accountOfSeed(SEED, mainnet).derive(0).neutered().toBase58()
    expect(() => readAccountKey(child, mainnet)).toThrow(/account/)
  })
})
