import { readFileSync } from 'node:fs'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { encodeAccountID } from 'ripple-address-codec'
import { describe, expect, it } from 'vitest'
import {
  ACCOUNT_ONE,
  accountOfKey,
  compressedHex,
  isKeyless,
  NATIVE,
  validateAddress,
  xAddressOf,
} from './addresses.js'

const MAIN = 0
const TEST = 1
const GENESIS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'

const accounts = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => encodeAccountID(bytes))
const tags = fc.option(fc.nat(2 ** 32 - 1), { nil: undefined })

describe('validateAddress', () => {
  it('takes an account on every network, as it is written', () => {
    for (const network of [MAIN, TEST, 537_725])
      expect(validateAddress(GENESIS, network)).toEqual({ ok: true, canonical: GENESIS })
  })

  it('takes an X-address of its own network apart into account and tag, and refuses that of another one', () => {
    fc.assert(
      fc.property(accounts, tags, fc.constantFrom(MAIN, TEST, 21_337), (account, tag, network) => {
        const text = xAddressOf(account, tag, network)
        expect(text[0]).toBe(network === MAIN ? 'X' : 'T')
        const expected = { ok: true, canonical: account, ...(tag === undefined ? {} : { tag }) }
        expect(validateAddress(text, network)).toEqual(expected)
        expect(validateAddress(text, network === MAIN ? TEST : MAIN)).toMatchObject({
          ok: false,
          why: expect.stringMatching(/main network/),
        })
      }),
    )
  })

  it('knows the tag 0 from none (faults.md F24)', () => {
    expect(validateAddress(xAddressOf(GENESIS, 0, MAIN), MAIN)).toEqual({ ok: true, canonical: GENESIS, tag: 0 })
    expect(validateAddress(xAddressOf(GENESIS, undefined, MAIN), MAIN)).toEqual({ ok: true, canonical: GENESIS })
  })

  it.each([
    ['', /empty/],
    ['0x0000000000000000000000000000000000000000', /EVM/],
    ['bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8', /Bitcoin/],
    ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTj', /checksum/],
    ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh ', /begins with r/],
    ['sn3nxiW7v8KXzPzAqzyHXbSSKNuN9', /begins with r/],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', /begins with r/],
    ['r'.repeat(10_000), /begins with r/],
  ])('refuses %j and says why', (text, why) => {
    expect(validateAddress(text, MAIN)).toMatchObject({ ok: false, why: expect.stringMatching(why) })
  })

  it('refuses every text whose letters were changed', () => {
    fc.assert(
      fc.property(accounts, fc.nat(), fc.constantFrom(...'abcdefghijkmnopqrstuvwxyz'), (account, at, letter) => {
        const place = at % account.length
        const changed = account.slice(0, place) + letter + account.slice(place + 1)
        expect(validateAddress(changed, MAIN).ok).toBe(changed === account)
      }),
    )
  })

  it('takes accounts that nobody has a key of as addresses, and knows them', () => {
    for (const account of [NATIVE, ACCOUNT_ONE]) {
      expect(validateAddress(account, MAIN)).toEqual({ ok: true, canonical: account })
      expect(isKeyless(account)).toBe(true)
    }
    for (const hole of ['rrrrrrrrrrrrrrrrrNAMEtxvNvQ', 'rrrrrrrrrrrrrrrrrrrn5RM1rHd'])
      expect(isKeyless(hole)).toBe(true)
    expect(isKeyless(GENESIS)).toBe(false)
  })
})

describe('accountOfKey', () => {
  // The example of the ledger's own documentation: the key of the passphrase "masterpassphrase".
  const COMPRESSED = '0330E7FC9D56BB25D6893BA3F317AE5BCF33B3291BD63DB32654A313222F7FD020'

  it('is the account of the compressed key, in whichever form the key is given', () => {
    const point = secp256k1.Point.fromHex(COMPRESSED)
    expect(accountOfKey(point.toBytes(false))).toBe(GENESIS)
    expect(accountOfKey(point.toBytes(true))).toBe(GENESIS)
    expect(compressedHex(point.toBytes(false))).toBe(COMPRESSED)
  })

  it('refuses bytes that are no key', () => {
    expect(() => accountOfKey(new Uint8Array(65))).toThrow()
  })
})

/** Vectors of XRPLF/xrpl.js. */
const vectors: {
  readonly cases: readonly (readonly [account: string, tag: number | null, main: string, test: string])[]
  readonly invalid: readonly string[]
} = JSON.parse(readFileSync(new URL('./fixtures/xAddresses.json', import.meta.url), 'utf8'))

describe('X-addresses of another library', () => {
  it.each(vectors.cases)('%s with the tag %s is %s and %s', (account, tag, main, test) => {
    const expected = { ok: true, canonical: account, ...(tag === null ? {} : { tag }) }
    expect([validateAddress(main, MAIN), validateAddress(test, TEST)]).toEqual([expected, expected])
    expect([xAddressOf(account, tag ?? undefined, MAIN), xAddressOf(account, tag ?? undefined, TEST)]).toEqual([
      main,
      test,
    ])
  })

  it.each(vectors.invalid)('%s is none', (text) => {
    expect([MAIN, TEST].map((network) => validateAddress(text, network).ok)).toEqual([false, false])
  })
})
