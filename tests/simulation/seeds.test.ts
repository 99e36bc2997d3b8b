import 'reflect-metadata'
import { expect, it } from 'vitest'
import { requireSeeds } from './command/requireSeeds.js'
import { runSeeds, seedsFrom } from './command/runSeeds.js'
import { withSeedWorkers } from './command/seedWorkers.js'

const SEEDS = 15
const REPEATED = 2

/** What each seed came to, by a worker of its own that runs them in this order. */
const digestsOf = (seeds: Iterable<number>): Promise<Map<number, string>> =>
  withSeedWorkers(1, {}, async (workers) => {
    const digests = new Map<number, string>()
    await runSeeds(seeds, workers, { keepGoing: true, onRun: ({ seed, digest }) => digests.set(seed, digest) })
    return digests
  })

it(`F42: ${SEEDS} seeds of a simulated world leave every invariant true`, { timeout: 600_000 }, async () => {
  await requireSeeds(seedsFrom(1, SEEDS), 2)
})

it(`the same seed gives the same run to the last row, whatever ran before it`, { timeout: 300_000 }, async () => {
  const [up, down] = await Promise.all([
    digestsOf(seedsFrom(1, REPEATED)),
    digestsOf([...seedsFrom(1, REPEATED)].reverse()),
  ])
  expect(new Set(up.values())).not.toContain('')
  expect(Object.fromEntries(up)).toEqual(Object.fromEntries(down))
})
