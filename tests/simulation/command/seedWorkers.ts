import { SeedWorker, type SeedWorkerOptions } from './seedWorker.js'

/** Starts so many workers, has them work, and stops them whatever happens. */
export const withSeedWorkers = async <T>(
  count: number,
  options: SeedWorkerOptions,
  work: (workers: readonly SeedWorker[]) => Promise<T>,
): Promise<T> => {
  const started = await Promise.allSettled(Array.from({ length: count }, () => SeedWorker.start(options)))
  const workers = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  try {
    for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason
    return await work(workers)
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}
