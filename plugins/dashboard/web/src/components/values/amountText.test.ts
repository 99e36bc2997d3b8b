import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountPieces, exactText, shortText, usdText } from './amountText.js'

const amounts = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
const decimals = fc.integer({ min: 0, max: 30 })

/** Smallest units of a text in whole units. */
const smallest = (text: string, places: number): bigint => {
  const [, sign = '', whole = '0', rest = ''] = /^(-?)([\d,]+)(?:\.(\d+))?$/.exec(text) ?? []
  const value = BigInt(`${whole.replaceAll(',', '')}${rest.padEnd(places, '0')}`)
  return sign === '-' ? -value : value
}

describe('money that people read', () => {
  it('is exact to the last digit, whatever its size and decimals', () => {
    fc.assert(
      fc.property(amounts, decimals, (amount, places) => {
        expect(smallest(exactText(amount, places), places)).toBe(amount)
      }),
    )
  })

  it('breaks only between groups of three digits, and loses none of them', () => {
    fc.assert(
      fc.property(amounts, decimals, (amount, places) => {
        const exact = exactText(amount, places)
        const pieces = amountPieces(exact)
        expect(pieces.join('')).toBe(exact)
        for (const piece of pieces) expect(piece).toMatch(/^-?\d{0,3},?$|^\.?\d{1,3}$/)
      }),
    )
  })

  it('is cut, never rounded up, when it is shortened, and says so', () => {
    fc.assert(
      fc.property(amounts, decimals, (amount, places) => {
        const text = shortText(amount, places)
        const shown = smallest(text.replace('≈ ', ''), places)
        const size = (value: bigint) => (value < 0n ? -value : value)
        expect(size(shown) <= size(amount)).toBe(true)
        expect(text.startsWith('≈')).toBe(shown !== amount)
      }),
    )
  })

  it('never shows nothing where there is something', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 40n }), decimals, (amount, places) => {
        expect(shortText(amount, places)).toMatch(/[1-9]/)
      }),
    )
  })

  it.each([
    [0n, 6, '0'],
    [1_500_000n, 6, '1.5'],
    [1_234_567_890_123n, 6, '≈ 1,234,567.89'],
    [123_456_789n, 18, '≈ 0.000000000123456'],
    [-1n, 0, '-1'],
  ])('%d with %d decimals is %s', (amount, places, text) => expect(shortText(amount, places)).toBe(text))

  it('dollars have cents, and what is no number stays as it came', () => {
    expect([usdText('1234.5'), usdText('-0.019'), usdText('n/a')]).toEqual(['$1,234.50', '-$0.01', 'n/a'])
  })
})
