import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatAmount } from './amount.js'
import { parseWholeUnits } from './wholeUnits.js'

it('reads what formatAmount writes', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 36 }), (amount, decimals) => {
      expect(parseWholeUnits(formatAmount(amount, decimals), decimals)).toBe(amount)
    }),
  )
})

it.each(['', '-1', '+1', '1e3', '01', '1.', '.5', '1,000', '0x1', ' 1', '1.0000001', 'Infinity'])(
  'refuses %s, with six decimals',
  (text) => {
    expect(parseWholeUnits(text, 6)).toBeNull()
  },
)

it('takes whole numbers and zeros beyond the last decimal', () => {
  expect(parseWholeUnits('25000', 6)).toBe(25_000_000_000n)
  expect(parseWholeUnits('0.50', 1)).toBe(5n)
  expect(parseWholeUnits('7.000', 0)).toBe(7n)
})
