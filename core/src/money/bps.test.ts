import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyBps, splitByWeights } from './bps.js'

describe('splitByWeights', () => {
  it('never loses or makes a unit, and no part is a unit away from its share', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10_000n }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 128n), max: 2n ** 256n }), weights, (amount, shares) => {
        const whole = shares.reduce((sum, share) => sum + share, 0n)
        fc.pre(whole > 0n)
        const parts = splitByWeights(amount, shares)
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(amount)
        parts.forEach((part, at) => {
          const off = part * whole - amount * (shares[at] ?? 0n)
          expect(off < whole && off > -whole).toBe(true)
        })
      }),
    )
  })

  it('refuses weights that say nothing', () => {
    expect(() => splitByWeights(1n, [0n, 0n])).toThrow('Weights')
    expect(() => splitByWeights(1n, [2n, -1n])).toThrow('Weights')
  })
})

describe('applyBps', () => {
  it('rounds as told', () => {
    expect(applyBps(999n, 1n, 'down')).toBe(0n)
    expect(applyBps(999n, 1n, 'up')).toBe(1n)
    expect(applyBps(-999n, 1n, 'down')).toBe(-1n)
    expect(applyBps(10n ** 30n, 10_000n, 'down')).toBe(10n ** 30n)
  })
})
