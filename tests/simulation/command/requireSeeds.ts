import type { Coverage } from '../coverage.js'
import { examineFailure, failureText } from './failedSeed.js'
import { runSeeds } from './runSeeds.js'
import { withSeedWorkers } from './seedWorkers.js'
import { openCoverage } from './worldCoverage.js'

/** A test has to end: a longer search is for the command that its message names. */
const MOST_RUNS = 12

/** Runs seeds for a test; returns what they visited. @throws Error with the story of the first one that fails, and what replays it */
export const requireSeeds = (seeds: Iterable<number>, workers: number): Promise<Coverage> =>
  withSeedWorkers(workers, {}, async (started) => {
    const visited = openCoverage()
    const [failed] = await runSeeds(seeds, started, {
      onRun: ({ coverage }) => {
        if (coverage !== null) visited.merge(coverage)
      },
    })
    const [worker] = started
    if (failed === undefined || worker === undefined) return visited
    throw new Error(failureText(await examineFailure(failed, worker, { mostRuns: MOST_RUNS }), null))
  })
