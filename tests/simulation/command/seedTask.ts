import type { SeedOptions, SeedResult } from '../runSeed.js'

/** One seed for a worker to run. */
export interface SeedTask extends SeedOptions {
  readonly seed: number
}

/** What a worker tells of it; `failed` where the run itself threw. */
export type SeedAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly result: SeedResult; readonly cpuMs: number }
  | { readonly kind: 'failed'; readonly words: string; readonly cpuMs: number }

/** Variables by which a worker is told where its server is, which folder both may use, and which mutant it is. */
export const WORKER_VARIABLES = {
  url: 'CAUSEWAY_SIMULATION_DATABASE_URL',
  folder: 'CAUSEWAY_SIMULATION_FOLDER',
  mutant: 'CAUSEWAY_SIMULATION_MUTANT',
} as const
