import { readFileSync } from 'node:fs'
import { smaller } from '@causeway/core'
import fc from 'fast-check'
import { decode, encode } from 'ripple-binary-codec'
import { describe, expect, it } from 'vitest'
import { NATIVE } from './addresses.js'
import { amountJson, MAX_AMOUNT, MAX_DROPS, parseIssuedValue, payableAmount, readAmount } from './amounts.js'

const ISSUER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const USD = `USD.${ISSUER}`
const UNIT = 10n ** 15n

const issued = (value: string) => ({ currency: 'USD', issuer: ISSUER, value })

/** As the ledger itself keeps it. */
const serialised = (amount: unknown): unknown =>
  decode(encode({ TransactionType: 'Payment', Account: ISSUER, Amount: amount as string })).Amount

describe('readAmount', () => {
  it.each([
    ['0', 0n],
    ['1', UNIT],
    ['0.000000000000001', 1n],
    ['0.0000000000000009999', 0n],
    ['1e-15', 1n],
    ['1e-16', 0n],
    ['1000000000000000e-81', 0n],
    ['1e-81', 0n],
    ['9999999999999999e-15', 9_999_999_999_999_999n],
    ['9999999999999999e-16', 999_999_999_999_999n],
    ['-9999999999999999e-16', -999_999_999_999_999n],
    ['-1.5', (-3n * UNIT) / 2n],
    ['1234567890123456', 1_234_567_890_123_456n * UNIT],
    ['12345678901.23456', 12_345_678_901_234_560_000_000_000n],
    ['1.5E+3', 1500n * UNIT],
    ['9999999999999999e80', MAX_AMOUNT],
  ])('reads %s of an issued currency, cut toward zero', (value, amount) => {
    expect(readAmount(issued(value))).toEqual({ currency: USD, amount })
  })

  it('reads drops', () => {
    expect(readAmount('100000000000000000')).toEqual({ currency: NATIVE, amount: MAX_DROPS })
    expect(readAmount('0')).toEqual({ currency: NATIVE, amount: 0n })
  })

  it.each([
    null,
    undefined,
    7,
    '',
    '-1',
    '1.5',
    'unavailable',
    '1000000000000000000000',
    {},
    { currency: 'USD', issuer: ISSUER },
    { ...issued('1'), value: 1 },
    { ...issued('1'), currency: 'XRP' },
    { ...issued('1'), issuer: 'r' },
    issued('1e999'),
    issued('NaN'),
    issued('0x10'),
    issued(`1${'0'.repeat(200)}`),
    { mpt_issuance_id: '0'.repeat(48), value: '100' },
  ])('%j is no amount', (json) => {
    expect(readAmount(json)).toBeNull()
  })

  it('knows a code that is spelt out in bytes', () => {
    const code = '0000000000000000000000005553440000000000'
    expect(readAmount({ ...issued('1'), currency: code })).toEqual({ currency: USD, amount: UNIT })
  })
})

describe('amountJson', () => {
  it('writes exactly what the ledger keeps, and reading it back gives the same amount', () => {
    const digits = fc.bigInt({ min: 1n, max: 10n ** 16n - 1n })
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 55 }), (mantissa, zeros) => {
        const amount = mantissa * 10n ** BigInt(zeros)
        const json = amountJson(USD, amount)
        expect(readAmount(json)).toEqual({ currency: USD, amount })
        expect(readAmount(serialised(json))).toEqual({ currency: USD, amount })
      }),
    )
  })

  it('writes drops', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_DROPS }), (drops) => {
        expect(serialised(amountJson(NATIVE, drops))).toBe(drops.toString())
      }),
    )
  })

  it('refuses an amount that would lose a digit', () => {
    expect(amountJson(USD, 1_234_567_890_123_456n)).toEqual(issued('1.234567890123456'))
    expect(() => amountJson(USD, 12_345_678_901_234_567n)).toThrow(/significant digits/)
  })

  it.each([
    [NATIVE, MAX_DROPS + 1n],
    [NATIVE, -1n],
    [USD, -1n],
    [USD, MAX_AMOUNT + 1n],
  ])('refuses %s %d', (currency, amount) => {
    expect(() => amountJson(currency, amount)).toThrow(/not one that the XRP Ledger knows/)
  })

  it('refuses what is no currency', () => {
    expect(() => amountJson('USD', 1n)).toThrow(/<CURRENCY>.<issuer>/)
  })
})

describe('payableAmount', () => {
  it('is the largest amount not above with 15 significant digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_AMOUNT }), (amount) => {
        const paid = payableAmount(USD, amount)
        expect(paid).toBeLessThanOrEqual(amount)
        // Less than one part in 10^14 is left.
        expect((amount - paid) * 10n ** 14n).toBeLessThanOrEqual(amount)
        expect(payableAmount(USD, paid)).toBe(paid)
        expect(readAmount(amountJson(USD, paid))?.amount).toBe(paid)
      }),
    )
  })

  it('leaves drops as they are, up to all that there are', () => {
    expect(payableAmount(NATIVE, 99_999_999_999_999_999n)).toBe(99_999_999_999_999_999n)
    expect(payableAmount(NATIVE, MAX_DROPS + 1n)).toBe(MAX_DROPS)
    expect(payableAmount(USD, 1_234_567_890_123_456n)).toBe(1_234_567_890_123_450n)
  })
})

it('parses no text that would make a number of any length', () => {
  expect(parseIssuedValue('1e101')).toBeNull()
  expect(parseIssuedValue('1e-101')).toBeNull()
})

interface AmountVector {
  readonly test_json: unknown
  readonly expected_hex?: string
  readonly error?: string
}

/** Amounts of XRPLF/xrpl.js, with the bytes that the ledger keeps. */
const { values }: { readonly values: readonly AmountVector[] } = JSON.parse(
  readFileSync(new URL('./fixtures/amountValues.json', import.meta.url), 'utf8'),
)

describe('amounts of another library', () => {
  /** Sign, exponent and mantissa of the ledger's 64 bits as an amount, cut toward zero. */
  const amountOf = (hex: string): bigint => {
    const bits = BigInt(`0x${hex.slice(0, 16)}`)
    const isPositive = ((bits >> 62n) & 1n) === 1n
    const isIssued = bits >> 63n === 1n
    const mantissa = isIssued ? bits & (2n ** 54n - 1n) : bits & (2n ** 62n - 1n)
    const shift = isIssued ? ((bits >> 54n) & 0xffn) - 97n + 15n : 0n
    const size = shift >= 0n ? mantissa * 10n ** shift : mantissa / 10n ** -shift
    return isPositive ? size : -size
  }

  const kept = values.filter(
    ({ expected_hex: hex, test_json: json }) => hex !== undefined && !Object(json).mpt_issuance_id,
  )

  it.each(kept)('$test_json is what the ledger keeps', ({ test_json: json, expected_hex: hex = '' }) => {
    const amount = amountOf(hex)
    expect(readAmount(json)?.amount).toBe(smaller(amount, MAX_AMOUNT))
  })

  it('are all there', () => {
    expect(kept.length).toBeGreaterThan(25)
  })
})
