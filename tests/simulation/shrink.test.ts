import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shrinkPlan } from './shrink.js'

/** A plan, and the steps of it that together break the invariant. */
const failing = fc.integer({ min: 1, max: 80 }).chain((length) =>
  fc
    .subarray(
      Array.from({ length }, (_, step) => step),
      { minLength: 1, maxLength: Math.min(6, length) },
    )
    .map((needed) => ({ plan: Array.from({ length }, (_, step) => step), needed })),
)

const once = { invariant: 'once' }

/** Breaks `once` with all of the needed steps, and another invariant always. */
const runOf = (needed: readonly number[]) => {
  const tried: (readonly number[])[] = []
  const run = async (plan: readonly number[]) => {
    tried.push(plan)
    return [{ invariant: 'other' }, ...(needed.every((step) => plan.includes(step)) ? [once] : [])]
  }
  return { run, tried }
}

describe('shrinkPlan', () => {
  it('leaves what breaks the invariant and nothing else, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(failing, async ({ plan, needed }) => {
        const { run, tried } = runOf(needed)
        const shrunk = await shrinkPlan(plan, { ...once, run, mostRuns: 10_000 })
        expect(shrunk).toEqual({ plan: needed, runs: tried.length })
      }),
    )
  })

  it('runs no more often than it may, and what it gives still breaks the invariant', async () => {
    await fc.assert(
      fc.asyncProperty(failing, fc.integer({ min: 0, max: 60 }), async ({ plan, needed }, mostRuns) => {
        const { run, tried } = runOf(needed)
        const shrunk = await shrinkPlan(plan, { ...once, run, mostRuns })
        expect(tried.length).toBeLessThanOrEqual(mostRuns)
        expect(shrunk.plan).toEqual(expect.arrayContaining([...needed]))
      }),
    )
  })

  it('finds six steps among eighty in sixty runs, more or less', async () => {
    const { run } = runOf([3, 4, 41, 42, 43, 70])
    const plan = Array.from({ length: 80 }, (_, step) => step)
    const { plan: kept } = await shrinkPlan(plan, { ...once, run })
    expect(kept.length).toBeLessThanOrEqual(10)
  })

  it('takes out what is needed only for another step that can go with it', async () => {
    // Without step 1 the plan breaks nothing as long as step 8 is in it.
    const run = async (plan: readonly number[]) => (plan.includes(8) && !plan.includes(1) ? [] : [once])
    const plan = Array.from({ length: 9 }, (_, step) => step)
    expect((await shrinkPlan(plan, { ...once, run, mostRuns: 200 })).plan).toEqual([])
  })
})
