import { readFileSync } from 'node:fs'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { addressOfKey, base58Of, hexAddress, hexOfBase58, isNative, signerOf } from './addresses.js'
import { hexOf } from './protobuf.js'

const { addressPairs } = JSON.parse(readFileSync(new URL('./fixtures/addresses.json', import.meta.url), 'utf8'))

describe('an address', () => {
  it.each<[string, string]>(addressPairs)('%s is %s', (base58, hex) => {
    expect(hexOfBase58(base58)).toBe(hex)
    expect(hexAddress(hex.toUpperCase())).toBe(hex)
    expect(base58Of(hex)).toBe(base58)
  })

  it.each([
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T',
    'tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '42a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    '',
  ])('%s is none', (text) => expect(() => hexAddress(text)).toThrow('is not an address'))

  it('the zero address is TRX', () => {
    expect([`0x${'0'.repeat(40)}`, 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'].map(isNative)).toEqual([true, true])
    expect(isNative('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe(false)
  })
})

describe('the signer of an id', () => {
  const secret = Buffer.alloc(32, 7)
  const id = 'ab'.repeat(32)
  const bytes = secp256k1.sign(Buffer.from(id, 'hex'), secret, { prehash: false, format: 'recovered' })
  const [recovery = 0, ...rest] = bytes
  const signature = (v: number) => hexOf(Uint8Array.from([...rest, v]))

  it('is the key that signed, with v of 27 and of 0', () => {
    const owner = addressOfKey(secp256k1.getPublicKey(secret, true))
    expect([signature(recovery + 27), signature(recovery)].map((one) => signerOf(id, one))).toEqual([owner, owner])
  })

  it('is another one for another id, and none for what is no signature', () => {
    const owner = addressOfKey(secp256k1.getPublicKey(secret, true))
    expect(signerOf('ac'.repeat(32), signature(recovery))).not.toBe(owner)
    expect(['', 'zz', '00'.repeat(65), signature(recovery).slice(0, 128)].map((one) => signerOf(id, one))).toEqual(
      Array(4).fill(null),
    )
  })
})
