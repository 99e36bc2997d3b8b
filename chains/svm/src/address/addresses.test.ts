import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOwnerless, NATIVE, normalizeCurrency, validateAddress } from './addresses.js'
import { decodeBase58, encodeBase58 } from './base58.js'

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('chains.md svm 1: an address is 32 bytes in base58', () => {
  test('every 32 bytes have one spelling, which is accepted as it is', () => {
    fc.assert(
      fc.property(bytes32, (bytes) => {
        const address = new PublicKey(bytes).toBase58()
        expect(encodeBase58(bytes)).toBe(address)
        expect(validateAddress(address)).toEqual({ ok: true, canonical: address })
        expect(normalizeCurrency(address)).toBe(address)
      }),
    )
  })

  test('any other number of bytes is refused', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }).filter(({ length }) => length !== 32),
        (bytes) => {
          expect(validateAddress(encodeBase58(bytes)).ok).toBe(false)
        },
      ),
    )
  })

  test('no text makes it throw, and what it accepts a public key accepts too', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const check = validateAddress(text)
        if (check.ok) expect(new PublicKey(text).toBase58()).toBe(text)
        else expect(check.why).not.toBe('')
      }),
    )
  })

  test('a program address off the curve is valid: it can receive', () => {
    const vault = '7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ'
    expect(PublicKey.isOnCurve(new PublicKey(vault).toBytes())).toBe(false)
    expect(validateAddress(vault)).toEqual({ ok: true, canonical: vault })
  })

  test.each([
    ['', /empty/],
    [' ', /32 bytes/],
    ['x'.repeat(10_000), /32 bytes/],
    ['1'.repeat(31), /32 bytes/],
    ['1'.repeat(33), /32 bytes/],
    [`${NATIVE} `, /32 bytes/],
    ['0x00000000000000000000000000000000000000aa', /EVM/],
    ['TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC', /Tron/],
    ['bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu', /Bitcoin/],
  ])('%j is refused with the reason', (text, why) => {
    const check = validateAddress(text)
    expect(check.ok ? '' : check.why).toMatch(why)
  })
})

test('wire.md K.1 10: the zero address is the native currency; wrapped SOL is another one', () => {
  expect(normalizeCurrency('0x0000000000000000000000000000000000000000')).toBe(NATIVE)
  expect(normalizeCurrency(NATIVE)).toBe(NATIVE)
  const wrapped = 'So11111111111111111111111111111111111111112'
  expect(normalizeCurrency(wrapped)).toBe(wrapped)
  for (const text of ['', 'not a currency', '0x12']) expect(normalizeCurrency(text)).toBeNull()
})

test('programs of the runtime, sysvars and the incinerator have no owner; keys have one', () => {
  const ownerless = [
    NATIVE,
    '1nc1nerator11111111111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
    'SysvarRent111111111111111111111111111111111',
    'So11111111111111111111111111111111111111112',
  ]
  for (const address of ownerless) expect(isOwnerless(new PublicKey(address).toBase58())).toBe(true)
  fc.assert(
    fc.property(bytes32, (bytes) => {
      const owned = bytes.filter((byte) => byte !== 0).length > 16
      if (owned) expect(isOwnerless(new PublicKey(bytes).toBase58())).toBe(false)
    }),
  )
})

test('base58 goes there and back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes)
    }),
  )
  expect(decodeBase58('0OIl')).toBeNull()
})
