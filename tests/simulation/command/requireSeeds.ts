import { worldCoverage } from '../actions/worldCoverage.js'
import type { Coverage } from '../coverage.js'
import { examineFailure, failureText } from './failedSeed.js'
import { type RunSeedsOptions, runSeeds } from './runSeeds.js'
import { withSeedWorkers } from './seedWorkers.js'

/** A test has to end: a longer search is for the command that its message names. */
const MOST_RUNS = 12

/** Runs seeds for a test. @throws Error with the story of the first one that fails, and what replays it */
export const requireSeeds = (
  seeds: Iterable<number>,
  workers: number,
  options: Pick<RunSeedsOptions, 'finishMs' | 'onRun'> = {},
): Promise<Coverage> =>
  withSeedWorkers(workers, {}, async (started) => {
    const counted = worldCoverage()
    const [failed] = await runSeeds(seeds, started, {
      ...options,
      onRun: (run) => {
        if (run.coverage !== null) counted.merge(run.coverage)
        options.onRun?.(run)
      },
    })
    const [worker] = started
    if (failed === undefined || worker === undefined) return counted
    throw new Error(failureText(await examineFailure(failed, worker, { mostRuns: MOST_RUNS }), null))
  })
