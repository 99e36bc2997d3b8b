import type { SeedRun, SeedWorker } from './seedWorker.js'

export interface RunSeedsOptions {
  /** Runs all of them, whatever fails. */
  readonly keepGoing?: boolean
  /** Begins no further seed once it aborts. */
  readonly signal?: AbortSignal
  /** Virtual milliseconds that the world of a seed has to finish in; by default what all have. */
  readonly finishMs?: (seed: number) => number | undefined
  /** Hears of each seed as it ends. */
  readonly onRun?: (run: SeedRun) => void
}

/**
 * Hands seeds to workers, in their order, one at a time to each. After a seed that fails no further one is begun; those before it still
 * end, so that the first of them in order is the same however many workers there are. Returns the failed ones, in order.
 */
export const runSeeds = async (
  seeds: Iterable<number>,
  workers: readonly Pick<SeedWorker, 'run'>[],
  { keepGoing = false, signal, finishMs, onRun }: RunSeedsOptions = {},
): Promise<readonly SeedRun[]> => {
  const waiting = seeds[Symbol.iterator]()
  const failed: SeedRun[] = []
  const work = async (worker: Pick<SeedWorker, 'run'>): Promise<void> => {
    while (signal?.aborted !== true && (keepGoing || failed.length === 0)) {
      const next = waiting.next()
      if (next.done === true) return
      const run = await worker.run({ seed: next.value, finishMs: finishMs?.(next.value) })
      if (run.problems.length > 0) failed.push(run)
      onRun?.(run)
    }
  }
  await Promise.all(workers.map(work))
  return failed.toSorted((left, right) => left.seed - right.seed)
}

/** So many seeds from one on. */
export function* seedsFrom(first: number, count: number): Generator<number> {
  for (let seed = first; seed < first + count; seed += 1) yield seed
}
