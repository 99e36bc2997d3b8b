import 'reflect-metadata'
import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { requireSeeds } from './command/requireSeeds.js'
import { runSeeds, seedsFrom } from './command/runSeeds.js'
import { withSeedWorkers } from './command/seedWorkers.js'
import { COVERAGE_KINDS } from './coverage.js'
import { CAUGHT_BY } from './mutants/caughtBy.js'
import { MUTANTS } from './mutants/mutants.js'

/** Worlds still show what is not mended yet (core/docs/simulation.md): they run when they are asked for. */
const ASKED = process.env.CAUSEWAY_SIMULATE === '1'
const SEEDS = Number(process.env.CAUSEWAY_SEEDS ?? 100)
const FIRST = Number(process.env.CAUSEWAY_FIRST_SEED ?? 126)

it.runIf(ASKED)(
  `F42: ${SEEDS} seeds pass every failpoint and fault and leave every invariant true`,
  {
    timeout: 1_800_000,
  },
  async () => {
    const coverage = await requireSeeds(seedsFrom(FIRST, SEEDS), availableParallelism())
    console.info(coverage.picture())
    for (const kind of COVERAGE_KINDS) expect(coverage.unknown(kind), `${kind}: not in the list`).toEqual([])
    for (const kind of ['failpoint', 'fault', 'action'] as const) {
      expect(coverage.missing(kind), `${kind}: never`).toEqual([])
    }
  },
)

describe('without one of its defences the service is caught by the seed that is known for it', () => {
  it('which is known for some of them', () => {
    const names = new Set(MUTANTS.map(({ name }) => name))
    expect(Object.keys(CAUGHT_BY).filter((name) => !names.has(name))).toEqual([])
  })

  it.runIf(ASKED).each(MUTANTS.filter(({ name }) => name in CAUGHT_BY))(
    '$name',
    { timeout: 300_000 },
    async ({ name, harm }) => {
      const seed = CAUGHT_BY[name] ?? 0
      await withSeedWorkers(1, { mutant: name }, async (workers) => {
        const failed = await runSeeds([seed], workers)
        expect(
          failed,
          `Seed ${seed} does not notice: ${harm}. Find another by npm run simulate -- --mutant ${name}`,
        ).toHaveLength(1)
      })
    },
  )
})
