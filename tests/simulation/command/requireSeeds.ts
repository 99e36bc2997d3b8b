import { type CoverageCounts, mergeCoverage } from '../coverage.js'
import { examineFailure, failureText } from './failedSeed.js'
import { runSeeds } from './runSeeds.js'
import { withSeedWorkers } from './seedWorkers.js'

/** Runs seeds for a test. @throws Error with the story of the first one that fails, and what replays it */
export const requireSeeds = (seeds: Iterable<number>, workers: number): Promise<CoverageCounts> =>
  withSeedWorkers(workers, {}, async (started) => {
    const counts: CoverageCounts[] = []
    const [failed] = await runSeeds(seeds, started, { onRun: ({ coverage }) => counts.push(coverage) })
    const [worker] = started
    if (failed === undefined || worker === undefined) return mergeCoverage(counts)
    throw new Error(failureText(await examineFailure(failed, worker), null))
  })
