import { describe, expect, it } from 'vitest'
import { amountText, inPlaces, readAmount } from './amounts.js'

describe('amounts of the exchange are decimal text', () => {
  it.each([
    ['10.0', 6, 10_000_000n],
    ['0.000001', 6, 1n],
    ['0', 8, 0n],
    ['12345678901234567890.12345678', 8, 1234567890123456789012345678n],
    // Recorded answers carry the noise of floating point numbers.
    ['2703997.4500000002', 6, 2_703_997_450_000n],
    ['2684105.0099999998', 6, 2_684_105_010_000n],
    ['9.9999995', 6, 10_000_000n],
    ['9.99999949', 6, 9_999_999n],
  ])('%s with %i places is %s', (text, places, amount) => {
    expect(readAmount(text, places)).toBe(amount)
  })

  it.each(['', '.', '1.', '.5', '-1', '+1', '1e3', '1,0', ' 1', '0x1', 'NaN', '1'.repeat(41)])('%s is none', (text) => {
    expect(() => readAmount(text, 6)).toThrow()
  })

  it.each([
    [1_000_000_000n, 8, '10'],
    [1_050_000_000n, 8, '10.5'],
    [1n, 8, '0.00000001'],
    [0n, 8, '0'],
    [7n, 0, '7'],
  ])('%s in 10^-%i is written %s', (amount, places, text) => {
    expect(amountText(amount, places)).toBe(text)
    expect(readAmount(text, places)).toBe(amount)
  })

  it('other units round down', () => {
    expect(inPlaces(1_234_567n, 6, 8)).toBe(123_456_700n)
    expect(inPlaces(199n, 8, 6)).toBe(1n)
  })
})
