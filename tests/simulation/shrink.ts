/** What a run of a plan found wrong; see `Problem` of the checks. */
interface Found {
  readonly invariant: string
}

export interface Shrunk<Step> {
  /** The smallest plan found that still breaks the invariant. */
  readonly plan: readonly Step[]
  readonly runs: number
}

export interface ShrinkOptions<Step> {
  readonly invariant: string
  run(plan: readonly Step[]): Promise<readonly Found[]>
  /** Most runs to try; a plan that could be smaller may be left then. Default 60. */
  readonly mostRuns?: number
}

const MOST_RUNS = 60

/**
 * Leaves out of a plan what it does not need to break an invariant: halves first, then ever smaller pieces, the last ones first, since
 * what comes after a fault is seldom its cause (delta debugging by complements). With runs enough, no single step can be left out of
 * what remains.
 */
export const shrinkPlan = async <Step>(
  plan: readonly Step[],
  { invariant, run, mostRuns = MOST_RUNS }: ShrinkOptions<Step>,
): Promise<Shrunk<Step>> => {
  let kept = plan
  let runs = 0
  const breaks = async (tried: readonly Step[]): Promise<boolean> => {
    runs += 1
    return (await run(tried)).some((problem) => problem.invariant === invariant)
  }
  for (let size = Math.ceil(kept.length / 2); size >= 1 && runs < mostRuns; ) {
    const before = kept.length
    for (let end = kept.length; end > 0 && runs < mostRuns; end -= size) {
      const tried = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)]
      if (await breaks(tried)) kept = tried
    }
    // Single steps again until none of them goes: one that was needed may have been so only for another.
    if (size === 1 && kept.length === before) break
    size = size === 1 ? 1 : Math.floor(size / 2)
  }
  return { plan: kept, runs }
}
