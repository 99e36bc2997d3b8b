import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NATIVE } from './addresses.js'
import { isNative, normalizeCode, normalizeCurrency, parseIssued, symbolOf } from './currencies.js'
import { codeJson } from './issuedValue.js'

const ISSUER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const RLUSD = '524C555344000000000000000000000000000000'
const LETTERS = [...'ABCXYZabcxyz0189?!@#$%^&*<>(){}[]|']

const codes = fc.oneof(
  fc.array(fc.constantFrom(...LETTERS), { minLength: 3, maxLength: 3 }).map((letters) => letters.join('')),
  fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase()),
)

describe('normalizeCurrency', () => {
  it('is the marker of XRP for itself and for the zero address of EVM chains', () => {
    expect(normalizeCurrency(NATIVE)).toBe(NATIVE)
    expect(normalizeCurrency('0x0000000000000000000000000000000000000000')).toBe(NATIVE)
    expect(normalizeCurrency('0X0000000000000000000000000000000000000000')).toBe(NATIVE)
    expect(isNative(NATIVE)).toBe(true)
  })

  it.each([
    [`USD.${ISSUER}`, `USD.${ISSUER}`],
    [`usd.${ISSUER}`, `usd.${ISSUER}`],
    [`xrp.${ISSUER}`, `xrp.${ISSUER}`],
    [`${RLUSD.toLowerCase()}.${ISSUER}`, `${RLUSD}.${ISSUER}`],
    [`0000000000000000000000005553440000000000.${ISSUER}`, `USD.${ISSUER}`],
    [`0000000000000000000000003c3e210000000000.${ISSUER}`, `<>!.${ISSUER}`],
  ])('spells %s as %s', (text, expected) => {
    expect(normalizeCurrency(text)).toBe(expected)
    expect(normalizeCurrency(expected)).toBe(expected)
  })

  it.each([
    '',
    'USD',
    ISSUER,
    `XRP.${ISSUER}`,
    `0000000000000000000000005852500000000000.${ISSUER}`,
    `${'0'.repeat(40)}.${ISSUER}`,
    `00${'A'.repeat(38)}.${ISSUER}`,
    `US.${ISSUER}`,
    `USDT.${ISSUER}`,
    `U D.${ISSUER}`,
    `USD.${NATIVE}`,
    `USD.${ISSUER}x`,
    `USD.${ISSUER}.USD`,
    'USD.XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb',
    `USD/${ISSUER}`,
  ])('%s is none', (text) => {
    expect(normalizeCurrency(text)).toBeNull()
  })

  it('spells a code in one way only, and it has the same meaning in a transaction', () => {
    fc.assert(
      fc.property(codes, (text) => {
        const code = normalizeCode(text)
        if (code === null) return
        expect(normalizeCode(code)).toBe(code)
        expect(normalizeCode(codeJson(code))).toBe(code)
      }),
    )
  })
})

it('an issued currency is taken apart into code and issuer, XRP is none', () => {
  expect(parseIssued(`USD.${ISSUER}`)).toEqual({ code: 'USD', issuer: ISSUER })
  expect(parseIssued(NATIVE)).toBeNull()
})

it('a currency is called by the letters of its code, where those can be seen', () => {
  expect(symbolOf('USD')).toBe('USD')
  expect(symbolOf(RLUSD)).toBe('RLUSD')
  expect(symbolOf('03930D02208264E2E40EC1B0C09E4DB96EE197B1')).toBe('03930D02208264E2E40EC1B0C09E4DB96EE197B1')
})
