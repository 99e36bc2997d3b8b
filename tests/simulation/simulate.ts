import 'reflect-metadata'
import { examineFailure, failureText, storyText } from './command/failedSeed.js'
import { huntMutants } from './command/huntMutants.js'
import { Progress } from './command/progress.js'
import { runSeeds, seedsFrom } from './command/runSeeds.js'
import type { SeedRun, SeedWorker } from './command/seedWorker.js'
import { withSeedWorkers } from './command/seedWorkers.js'
import { ALL_MUTANTS, HELP, parseSimulateOptions, type SimulateOptions } from './command/simulateOptions.js'
import { StatusLine } from './command/statusLine.js'
import { CAUGHT_BY_TEST } from './mutants/caughtBy.js'
import { fittingSeeds } from './mutants/fittingSeeds.js'
import { MUTANTS } from './mutants/mutants.js'

// Also a second time, as some shells send it: servers are stopped in any case.
const abort = new AbortController()
const { signal } = abort
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => abort.abort())

/** Exit code: 1 when something was found. */
const simulate = async (options: SimulateOptions): Promise<number> => {
  if (options.mutant === ALL_MUTANTS) return hunt(options)
  const { replay, mutant } = options
  if (replay !== null) return withSeedWorkers(1, { mutant }, ([worker]) => replaySeed(worker, replay, options))
  return withSeedWorkers(options.workers, { mutant }, (workers) => runAll(workers, options))
}

const runAll = async (workers: readonly SeedWorker[], options: SimulateOptions): Promise<number> => {
  const { first, count, keepGoing, mutant } = options
  const progress = new Progress(count, performance.now())
  const status = new StatusLine(process.stdout)
  const before = serverCpuOf(workers)
  const line = () => {
    const now = serverCpuOf(workers)
    return progress.line(performance.now(), now === null || before === null ? null : now - before)
  }
  const failed = await runSeeds(seedsFrom(first, count), workers, {
    keepGoing,
    signal,
    onRun: (run) => {
      progress.add(run)
      if (keepGoing && run.problems.length > 0) console.log(`\n${problemLine(run)}`)
      status.show(line)
    },
  })
  status.end(line())
  console.log(`\n${progress.coverage.picture()}`)
  const [earliest] = failed
  const [worker] = workers
  if (earliest === undefined || worker === undefined) return 0
  if (failed.length > 1) console.log(`\nSeeds with problems:\n${failed.map(problemLine).join('\n')}`)
  if (signal.aborted) return 1
  console.log(`\nSeed ${earliest.seed} failed. Looking for the smallest story that still does ...`)
  console.log(`\n${failureText(await examineFailure(earliest, worker), mutant)}`)
  return 1
}

const problemLine = ({ seed, problems: [first] }: SeedRun): string =>
  `  ${seed}  ${first?.invariant}: ${first?.words.split('\n')[0]}`

const serverCpuOf = (workers: readonly SeedWorker[]): number | null =>
  workers.reduce<number | null>((sum, worker) => {
    const cpu = worker.serverCpuMs()
    return sum === null || cpu === null ? null : sum + cpu
  }, 0)

const replaySeed = async (
  worker: SeedWorker | undefined,
  seed: number,
  { steps }: SimulateOptions,
): Promise<number> => {
  if (worker === undefined) return 1
  const whole = await worker.run({ seed })
  const run = steps === null ? whole : await worker.run({ seed, plan: steps.flatMap((step) => whole.plan[step] ?? []) })
  console.log(storyText(run))
  return run.problems.length === 0 ? 0 : 1
}

/** Among so many seeds the ones that fit a mutant best are looked for. */
const CHOICE = 1_000

const hunt = async ({ first, count, workers }: SimulateOptions): Promise<number> => {
  const choice = [...seedsFrom(first, CHOICE)]
  const mutants = MUTANTS.filter(({ name }) => !(name in CAUGHT_BY_TEST))
  const hunted = await huntMutants(mutants, {
    workers,
    signal,
    seedsOf: (mutant) => fittingSeeds(mutant, choice).slice(0, count),
    onHunted: ({ mutant, caught }) => {
      const [problem] = caught?.problems ?? []
      const words = caught === null ? `survives ${count} seeds` : `seed ${caught.seed}: ${problem?.invariant}`
      console.log(`${mutant.name.padEnd(24)}${words}`)
    },
  })
  return hunted.length === mutants.length && hunted.every(({ caught }) => caught !== null) ? 0 : 1
}

const main = async (): Promise<number> => {
  const options = parseSimulateOptions(process.argv.slice(2))
  if (options !== 'help') return simulate(options)
  console.log(HELP)
  return 0
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  return 2
})
