import type { Hex } from '@causeway/core'

/** A view call to one contract. */
export interface ChainRead {
  readonly to: string
  readonly data: Hex
  /** Runs much code: it goes last, so that the others are answered even if it burns all gas. */
  readonly heavy?: boolean
}

/** What to ask the chain, and what the answers mean; null stands for a call that failed. */
export interface ReadPlan<Result> {
  readonly reads: readonly ChainRead[]
  finish(answers: readonly (Hex | null)[]): Result
}

/** A plan that needs nothing of the chain. */
export const settled = <Result>(result: Result): ReadPlan<Result> => ({ reads: [], finish: () => result })

/** Several plans as one. */
export const together = <Result>(plans: readonly ReadPlan<Result>[]): ReadPlan<readonly Result[]> => ({
  reads: plans.flatMap(({ reads }) => reads),
  finish: (answers) => {
    let at = 0
    return plans.map(({ reads, finish }) => {
      at += reads.length
      return finish(answers.slice(at - reads.length, at))
    })
  },
})

/** A plan whose result is worked on. */
export const after = <First, Last>(plan: ReadPlan<First>, work: (result: First) => Last): ReadPlan<Last> => ({
  reads: plan.reads,
  finish: (answers) => work(plan.finish(answers)),
})
