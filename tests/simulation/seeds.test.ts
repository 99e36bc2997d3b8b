import 'reflect-metadata'
import { expect, it } from 'vitest'
import { requireSeeds } from './command/requireSeeds.js'
import { runSeeds, seedsFrom } from './command/runSeeds.js'
import type { SeedRun } from './command/seedWorker.js'
import { withSeedWorkers } from './command/seedWorkers.js'

const SEEDS = 15
const WORKERS = 2
/** The first of them came after others in its worker, the last came before any: a worker of its own runs them the other way round. */
const AGAIN = [WORKERS + 1, 1] as const

it(`F42: ${SEEDS} seeds of a simulated world leave every invariant true, and the same seed gives the same run to the last row, whatever ran before it`, {
  timeout: 900_000,
}, async () => {
  const [first, again] = [new Map<number, string>(), new Map<number, string>()]
  const into = (digests: Map<number, string>) => (run: SeedRun) => void digests.set(run.seed, run.digest)
  await requireSeeds(seedsFrom(1, SEEDS), WORKERS, { onRun: into(first) })
  await withSeedWorkers(1, {}, (workers) => runSeeds(AGAIN, workers, { keepGoing: true, onRun: into(again) }))
  expect([...again.values()]).not.toContain('')
  expect([...again]).toEqual(AGAIN.map((seed) => [seed, first.get(seed)]))
})
