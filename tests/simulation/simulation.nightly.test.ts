import 'reflect-metadata'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireSeeds } from './command/requireSeeds.js'
import { runSeeds, seedsFrom } from './command/runSeeds.js'
import { type SeedRun, SeedWorker } from './command/seedWorker.js'
import { withSeedWorkers } from './command/seedWorkers.js'
import { COVERAGE_KINDS } from './coverage.js'
import { CAUGHT_BY_SEED } from './mutants/caughtBy.js'
import { MUTANTS } from './mutants/mutants.js'

/** With the 15 of `npm test` 200. */
const SEEDS = Number(process.env.CAUSEWAY_SEEDS ?? 185)
/** After those of `npm test`. */
const FIRST = Number(process.env.CAUSEWAY_FIRST_SEED ?? 16)

/** Stories of what hardly any tells: a fill that waits for a block when its deposit leaves, and is called back (submitted -> failure). */
const RARE = [364]

/**
 * What a mutant leaves unfinished is noticed by whoever waits long enough. The seeds that notice one are finished far sooner with all
 * defences, which the same limit shows of them.
 */
const SOON_MS = 150_000
const known = new Set(Object.values(CAUGHT_BY_SEED))
const finishMs = (seed: number): number | undefined => (known.has(seed) ? SOON_MS : undefined)

/** These, and those that notice a mutant, come first: with all defences they must show nothing. */
const seeds = [...new Set([...RARE, ...known, ...seedsFrom(FIRST, SEEDS)])].slice(0, SEEDS)

it(`F42: ${SEEDS} seeds pass every move, failpoint and fault, and leave every invariant true`, {
  timeout: 1_800_000,
}, async () => {
  const coverage = await requireSeeds(seeds, availableParallelism(), { finishMs })
  console.info(coverage.picture())
  for (const kind of COVERAGE_KINDS) expect(coverage.unknown(kind), `${kind}: not in the list`).toEqual([])
  for (const kind of ['status', 'failpoint', 'fault', 'action'] as const) {
    expect(coverage.missing(kind), `${kind}: never`).toEqual([])
  }
})

/** Digests by seed, of runs one after another in a process of their own. */
const digestsOf = async (seeds: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const digests = new Map<number, string>()
  const onRun = ({ seed, digest }: SeedRun): void => void digests.set(seed, digest)
  await withSeedWorkers(1, {}, (workers) => runSeeds(seeds, workers, { keepGoing: true, onRun }))
  return digests
}

it('F42: the same seed gives the same run to the last row, whatever ran before it', { timeout: 600_000 }, async () => {
  const [forth, back] = [await digestsOf([1, 2, 3]), await digestsOf([3, 2, 1])]
  for (const seed of [1, 2, 3]) {
    expect(forth.get(seed)).toMatch(/./)
    expect(back.get(seed)).toBe(forth.get(seed))
  }
})

describe('without one of its defences the service is caught by the seed that is known for it', () => {
  let worker: SeedWorker
  beforeAll(async () => {
    worker = await SeedWorker.start()
  })
  afterAll(() => worker?.stop())

  it.each(MUTANTS.filter(({ name }) => name in CAUGHT_BY_SEED))(
    '$name',
    { timeout: 300_000 },
    async ({ name, harm }) => {
      const seed = CAUGHT_BY_SEED[name] ?? 0
      worker.useMutant(name)
      expect(
        await runSeeds([seed], [worker], { finishMs }),
        `Seed ${seed} does not notice: ${harm}. Find another by npm run simulate -- --mutant ${name}`,
      ).toHaveLength(1)
    },
  )
})
