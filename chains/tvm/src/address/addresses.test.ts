import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addressOf, hexOf, NATIVE, normalizeCurrency, payable, validateAddress } from './addresses.js'
import { decodeBase58, encodeBase58 } from './base58check.js'

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const { addresses }: { readonly addresses: readonly string[] } = read('./fixtures/addresses.json')
const { addressPairs }: { readonly addressPairs: readonly (readonly [string, string])[] } =
  read('../rpc/fixtures/facts.json')
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

describe('an address', () => {
  it.each(addressPairs)('%s has the bytes %s', (text, hex) => {
    expect(hexOf(text)).toBe(hex)
    expect(encodeBase58(hex)).toBe(text)
    expect(validateAddress(hex)).toEqual({ ok: true, canonical: text })
    expect(validateAddress(hex.toUpperCase())).toEqual({ ok: true, canonical: text })
  })

  it('comes back from its bytes, of each recorded one', () => {
    expect(addresses.length).toBeGreaterThan(100)
    for (const text of addresses) expect(addressOf(hexOf(text))).toBe(text)
  })

  it('is refused with one digit exchanged, at any place', () => {
    for (const [at, digit] of [...USDT].entries()) {
      if (at === 0) continue
      const other = digit === '9' ? '8' : '9'
      expect(decodeBase58(USDT.slice(0, at) + other + USDT.slice(at + 1)), `place ${at}`).toBeTypeOf('string')
    }
  })

  it.each([
    ['', /empty/],
    ['0xa614f803b6fd780986a42c78ec9c7f77e6ded13c', /EVM chain/],
    [USDT.toLowerCase(), /capital letters/],
    [`${USDT}1`, /T and 33/],
    [` ${USDT}`, /T and 33/],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', /checksum/],
    ['1KT3zCYUrmQxjcveUNs1Rs7WcXDcPQZ4av', /T and 33/],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6\u00e4', /T and 33/],
  ])('%s is none', (text, why) => {
    expect(validateAddress(text)).toMatchObject({ ok: false, why: expect.stringMatching(why) })
  })
})

describe('a currency', () => {
  it('is a token or TRX, which the zero address of EVM chains means too', () => {
    expect(normalizeCurrency(`0x${'0'.repeat(40)}`)).toBe(NATIVE)
    expect(normalizeCurrency(`41${'0'.repeat(40)}`)).toBe(NATIVE)
    expect(normalizeCurrency(USDT)).toBe(USDT)
    expect(normalizeCurrency('0xa614f803b6fd780986a42c78ec9c7f77e6ded13c')).toBeNull()
  })

  it('is paid up to 2^53 sun at once, a token up to any amount', () => {
    expect(payable({ currency: NATIVE, amount: 2n ** 60n })).toBe(2n ** 53n - 1n)
    expect(payable({ currency: NATIVE, amount: 5n })).toBe(5n)
    expect(payable({ currency: USDT, amount: 2n ** 200n })).toBe(2n ** 200n)
  })
})
