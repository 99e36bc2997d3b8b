import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAmount, parseAmount } from './amount.js'

describe('parseAmount', () => {
  it.each(['0', '1', '9007199254740993', '9'.repeat(78)])('reads %s exactly (F76)', (text) => {
    expect(parseAmount(text)?.toString()).toBe(text)
  })

  it.each(['-1', '1e18', '0x10', ' 1', '1 ', '1.0', '1_000', '٣', '', '01', '9'.repeat(100_000), 1, null, undefined])(
    'refuses %j (F75)',
    (text) => {
      expect(parseAmount(text)).toBeNull()
    },
  )
})

describe('formatAmount', () => {
  it.each([
    [0n, 18, '0.0'],
    [100_000_000n, 6, '100.0'],
    [100_000n, 6, '0.1'],
    [99_950_900n, 6, '99.9509'],
    [5n, 0, '5.0'],
    [1n, 24, `0.${'0'.repeat(23)}1`],
    [-1_500_000n, 6, '-1.5'],
  ])('%s with %s decimals is %s (wire.md 0.3)', (amount, decimals, text) => {
    expect(formatAmount(amount, decimals)).toBe(text)
  })

  it('loses no digit and keeps one fraction digit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.integer({ min: 0, max: 30 }),
        (amount, decimals) => {
          const text = formatAmount(amount, decimals)
          expect(text).toMatch(/^-?(0|[1-9][0-9]*)\.(0|[0-9]*[1-9])$/)
          const [whole = '', fraction = ''] = text.split('.')
          const digits = decimals === 0 ? whole : whole + fraction.slice(0, decimals).padEnd(decimals, '0')
          expect(BigInt(digits)).toBe(amount)
        },
      ),
    )
  })
})
