import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextLook, retryLook } from './lookSchedule.js'

const DAY = 86_400_000

describe('when an address is looked at again', () => {
  it('ever more rarely with its age, and never for the last time', () => {
    const ages = fc.integer({ min: 0, max: 4_000 * DAY })
    fc.assert(
      fc.property(ages, ages, (one, other) => {
        const [younger, older] = [Math.min(one, other), Math.max(one, other)]
        const next = (age: number) => nextLook({ age, over: age - 180 * DAY, crowd: 1 })
        expect(next(younger)).toBeLessThanOrEqual(next(older))
        expect(next(older)).toBeLessThanOrEqual(older + DAY)
      }),
    )
    expect(nextLook({ age: 0, over: -180 * DAY, crowd: 1 })).toBe(30_000)
  })

  it('F155: so rarely that all of one holder together are looked at no more often than a hundred, and yet once a day', () => {
    const crowds = fc.integer({ min: 1, max: 10_000 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 * DAY }), crowds, (age, crowd) => {
        const alone = nextLook({ age, over: -DAY, crowd: 1 })
        const next = nextLook({ age, over: -DAY, crowd })
        expect(next).toBeGreaterThanOrEqual(alone)
        expect(next).toBeLessThanOrEqual(Math.max(alone, DAY))
        // Looks at all of them in a millisecond, against those at a hundred.
        if (next < DAY) expect(crowd / next).toBeLessThanOrEqual((100 / alone) * (1 + 1e-9))
      }),
    )
  })

  it('at once where something came that no node shows yet, for about a quarter of an hour', () => {
    const tries = Array.from({ length: 100 }, (_, looks) => retryLook(looks))
    const waited = tries.filter((delay) => delay !== null)
    expect(waited[0]).toBe(250)
    expect(tries.indexOf(null)).toBe(waited.length)
    const total = waited.reduce((sum, delay) => sum + delay, 0)
    expect(total).toBeGreaterThan(15 * 60_000)
    expect(total).toBeLessThan(20 * 60_000)
  })
})
