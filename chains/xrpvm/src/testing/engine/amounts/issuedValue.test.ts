import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addValues,
  compareValues,
  formatValue,
  negate,
  parseValue,
  subtractValues,
  withoutRate,
  withRate,
} from './issuedValue.js'

const shown = (text: string) => formatValue(parseValue(text))
const sum = (one: string, other: string) => formatValue(addValues(parseValue(one), parseValue(other)))

describe('values of issued currencies', () => {
  it.each([
    ['0', '0'],
    ['-0.0', '0'],
    ['1', '1'],
    ['1.50', '1.5'],
    ['-12.000', '-12'],
    ['0.001', '0.001'],
    ['1000000', '1000000'],
    ['1e12', '1000000000000000e-3'],
    ['1234567890123456', '1234567890123456'],
    ['1e-10', '0.0000000001'],
    ['1e-11', '1000000000000000e-26'],
    ['1e-30', '1000000000000000e-45'],
    ['99999999999999995', '1000000000000000e2'],
    ['1e-97', '0'],
  ])('%s is spelt as the ledger spells it: %s', (text, spelt) => {
    expect(shown(text)).toBe(spelt)
  })

  it('what is no number, or larger than the ledger can hold, is none', () => {
    for (const text of ['', 'x', '1.2.3', '0x1', '1e97']) expect(() => parseValue(text)).toThrow()
  })

  it('sums keep 16 digits', () => {
    expect(sum('1', '2')).toBe('3')
    expect(sum('1000000000000000', '0.1')).toBe('1000000000000000')
    expect(sum('1000000000000000', '0.6')).toBe('1000000000000001')
    expect(sum('5', '-5')).toBe('0')
  })

  it('a sum of what 15 digits hold is exact, and what is spelt reads as it was', () => {
    const units = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
    fc.assert(
      fc.property(units, units, (a, b) => {
        const [x, y] = [parseValue(`${a}`), parseValue(`${b}`)]
        expect(addValues(x, y)).toEqual(parseValue(`${a + b}`))
        expect(subtractValues(x, y)).toEqual(parseValue(`${a - b}`))
        expect(Math.sign(compareValues(x, y))).toBe(a < b ? -1 : a > b ? 1 : 0)
        expect(parseValue(formatValue(x))).toEqual(x)
        expect(negate(negate(x))).toEqual(x)
      }),
    )
  })

  it('an issuer never loses by its rate', () => {
    const rate = 1_002_000_000n
    expect(formatValue(withRate(parseValue('100'), rate))).toBe('100.2')
    expect(formatValue(withoutRate(parseValue('100.2'), rate))).toBe('100')
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 16n }), (size) => {
        const value = parseValue(`${size}`)
        expect(compareValues(withRate(withoutRate(value, rate), rate), value)).toBeLessThanOrEqual(0)
      }),
    )
  })
})
