import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scaleAmount } from './scale.js'

const DECIMALS = [0, 6, 18, 24] as const
const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const decimals = fc.constantFrom(...DECIMALS)

describe('scaleAmount (F73)', () => {
  it('is exact towards finer units, and back', () => {
    fc.assert(
      fc.property(amounts, decimals, decimals, (amount, left, right) => {
        const coarse = Math.min(left, right)
        const fine = Math.max(left, right)
        const finer = scaleAmount(amount, coarse, fine, 'down')
        expect(finer).toBe(amount * 10n ** BigInt(fine - coarse))
        expect(scaleAmount(finer, fine, coarse, 'up')).toBe(amount)
        expect(scaleAmount(finer, fine, coarse, 'down')).toBe(amount)
      }),
    )
  })

  it('is off by less than one unit towards coarser units, in the direction stated', () => {
    fc.assert(
      fc.property(amounts, decimals, decimals, (amount, from, to) => {
        const down = scaleAmount(amount, from, to, 'down')
        const up = scaleAmount(amount, from, to, 'up')
        const one = from > to ? 10n ** BigInt(from - to) : 1n
        const exact = to > from ? amount * 10n ** BigInt(to - from) : amount
        expect(down * one <= exact && exact - down * one < one).toBe(true)
        expect(up * one >= exact && up * one - exact < one).toBe(true)
        expect(up - down <= 1n).toBe(true)
      }),
    )
  })

  it('keeps the digits of a double beyond its precision (F76)', () => {
    expect(scaleAmount(9_007_199_254_740_993n, 6, 18, 'down')).toBe(9_007_199_254_740_993_000_000_000_000n)
  })
})
