import type { Problem } from './checks/problem.js'
import type { CoverageCounts } from './coverage.js'

/** One thing that happens in a story; it has a random stream of its own. */
export interface Step {
  readonly action: string
  readonly delayMs: number
  readonly seed: number
}

export interface SeedResult {
  readonly seed: number
  readonly steps: number
  readonly payouts: number
  readonly statements: number
  readonly virtualMs: number
  /** Of every row and every record at the end: the same for the same seed and plan. */
  readonly digest: string
  readonly problems: readonly Problem[]
  readonly story: readonly string[]
  readonly plan: readonly Step[]
  readonly coverage: CoverageCounts
}

export interface SeedOptions {
  /** In place of the plan that the seed makes. */
  readonly plan?: readonly Step[]
  /** Whether the story is told. */
  readonly story?: boolean
}

export const runSeed = async (seed: number, _options: SeedOptions): Promise<SeedResult> => {
  throw new Error(`There is no world yet for seed ${seed}.`)
}
