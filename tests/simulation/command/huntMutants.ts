import type { Mutant } from '../mutants/mutant.js'
import { runSeeds } from './runSeeds.js'
import type { SeedRun, SeedWorker, SeedWorkerOptions } from './seedWorker.js'
import { withSeedWorkers } from './seedWorkers.js'

/** The first seed that notices a mutant; null when none of them does. */
export interface Hunted {
  readonly mutant: Mutant
  readonly caught: SeedRun | null
}

export interface HuntOptions extends Omit<SeedWorkerOptions, 'mutant'> {
  /** Mutants hunted at once, each by a worker. */
  readonly workers: number
  readonly seedsOf: (mutant: Mutant) => Iterable<number>
  readonly signal?: AbortSignal
  /** Hears of each mutant as its hunt ends. */
  readonly onHunted?: (hunted: Hunted) => void
}

/** Looks for the first seed that notices each mutant; the same ones however many workers there are. */
export const huntMutants = async (
  mutants: readonly Mutant[],
  { workers, seedsOf, signal, onHunted, ...options }: HuntOptions,
): Promise<readonly Hunted[]> => {
  const waiting = mutants.values()
  const hunted: Hunted[] = []
  const hunt = async (worker: SeedWorker): Promise<void> => {
    for (const mutant of waiting) {
      if (signal?.aborted === true) return
      worker.useMutant(mutant.name)
      const [caught = null] = await runSeeds(seedsOf(mutant), [worker], signal === undefined ? {} : { signal })
      const found = { mutant, caught }
      hunted.push(found)
      onHunted?.(found)
    }
  }
  await withSeedWorkers(workers, options, (started) => Promise.all(started.map(hunt)))
  return hunted
}
