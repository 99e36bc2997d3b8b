import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Currency } from './currency/currency.js'
import { amountForUsd, formatPercent, formatUsd, ONE_USD, parseUsd, roundUsd, usdValue } from './usdMath.js'

const currencyWith = (decimals: number): Currency => ({
  chainId: 1,
  address: '0x00',
  symbol: 'T',
  name: 'T',
  decimals,
  vmType: 'evm',
  groupId: 't',
  metadata: { logoURI: '', verified: true, isNative: false },
})

describe('parseUsd', () => {
  it.each([
    ['1.23', 1_230_000_000_000_000_000n],
    ['-0.5', -500_000_000_000_000_000n],
    ['3', 3n * ONE_USD],
    ['0.0000000000000000019', 1n],
  ])('reads %s', (text, usd) => {
    expect(parseUsd(text)).toBe(usd)
  })

  it.each(['NaN', '1e3', '+1', ' 1', '', '.5', '1.', 'Infinity', '0x1', 1.5, null])('refuses %j', (text) => {
    expect(parseUsd(text)).toBeNull()
  })
})

describe('formatUsd (wire.md H.2)', () => {
  it.each([
    [0n, '0.000000'],
    [-1n, '0.000000'],
    [-400_000_000_000n, '0.000000'],
    [-500_000_000_000n, '-0.000001'],
    [41_623_000_000_000_000n, '0.041623'],
    [-12n * ONE_USD, '-12.000000'],
  ])('%s is %s', (usd, text) => {
    expect(formatUsd(usd)).toBe(text)
  })

  it('shows exactly the rounded value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (usd) => {
        expect(parseUsd(formatUsd(usd))).toBe(roundUsd(usd))
        expect(formatUsd(usd)).not.toBe('-0.000000')
      }),
    )
  })
})

describe('usdValue and amountForUsd', () => {
  const prices = fc.bigInt({ min: 1n, max: 10n ** 24n })
  const decimals = fc.constantFrom(0, 6, 18, 24)

  it('round a cost up so that it is covered, and a gain down so that it is not exceeded', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), prices, decimals, (usd, price, places) => {
        const currency = currencyWith(places)
        const one = 10n ** BigInt(places)
        const up = amountForUsd(usd, currency, price, 'up')
        const down = amountForUsd(usd, currency, price, 'down')
        expect(up * price >= usd * one && (up - 1n) * price < usd * one).toBe(true)
        expect(down * price <= usd * one && (down + 1n) * price > usd * one).toBe(true)
      }),
    )
  })

  it('never value an amount above its price', () => {
    expect(usdValue({ currency: currencyWith(6), amount: 1n }, ONE_USD)).toBe(10n ** 12n)
    expect(usdValue({ currency: currencyWith(24), amount: 1n }, ONE_USD)).toBe(0n)
  })
})

describe('formatPercent (wire.md D.4)', () => {
  it.each([
    [-2n, 10_000n, '-0.02'],
    [2n, 100n, '2.00'],
    [199n, 10_000n, '1.99'],
    [-1n, 1_000_000n, '0.00'],
    [1n, 0n, '0.00'],
    [-150n, 100n, '-150.00'],
  ])('%s of %s is %s', (part, whole, text) => {
    expect(formatPercent(part, whole)).toBe(text)
  })
})
