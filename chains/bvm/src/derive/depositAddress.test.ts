import { indexesOfSalt } from '@causeway/core/chain-kit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressOfScript } from '../address/scriptAddress.js'
import { ecc } from '../network/curve.js'
import { NETWORKS } from '../network/networks.js'
import { keyScript } from '../payout/payoutTransaction.js'
import { accountOfSeed, depositAddressSigner, deriveDepositAddress, readAccountKey } from './depositAddress.js'

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
    expect(
      addressOfScript(keyScript(account.deriveChild(0).deriveChild(0).publicKey ?? new Uint8Array()), mainnet),
    ).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu')
    const xpub = accountOfSeed(SEED, mainnet).publicExtendedKey
    expect(readAccountKey(xpub, mainnet).publicExtendedKey).toBe(xpub)
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

  test('never changes between versions: users know the addresses', () => {
    const { address } = deriveDepositAddress(readAccountKey(ZPUB, mainnet), `0x${'ab'.repeat(32)}`, mainnet)
    expect(address).toBe('bc1qlyqyp0wtsa7zzg3lt26r8856lzalmpld70c5vw')
  })

  test('its signatures are valid', async () => {
    const signer = depositAddressSigner(accountOfSeed(SEED, regtest), `0x${'12'.repeat(32)}`)
    const digest = new Uint8Array(32).fill(3)
    expect(ecc.verify(digest, signer.publicKey, (await signer.sign(digest)).subarray(0, 64), true)).toBe(true)
  })

  test('a private key, another network’s and no account’s are refused in plain words', () => {
    expect(() => readAccountKey(ZPRV, mainnet)).toThrow(/private key/)
    expect(() => readAccountKey(ZPUB, regtest)).toThrow(/no extended public key/)
    expect(() => readAccountKey('xpub', mainnet)).toThrow(/no extended public key/)
    const child = accountOfSeed(SEED, mainnet).deriveChild(0).publicExtendedKey
    expect(() => readAccountKey(child, mainnet)).toThrow(/account/)
  })
})
