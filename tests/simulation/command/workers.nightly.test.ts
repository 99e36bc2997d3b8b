import { describe, expect, it } from 'vitest'
import { builtFile } from '../builtFile.js'
import { MUTANTS } from '../mutants/mutants.js'
import { examineFailure, failureText } from './failedSeed.js'
import { huntMutants } from './huntMutants.js'
import { Progress } from './progress.js'
import { runSeeds, seedsFrom } from './runSeeds.js'
import { RUN_ENDS } from './seedWorker.js'
import { withSeedWorkers } from './seedWorkers.js'

const program = builtFile('tests/dist/simulation/command/fakeWorker.js')

describe('workers', () => {
  it('run seeds, and go on after one that died, hung or threw', async () => {
    await withSeedWorkers(1, { program, limitMs: 12_000 }, async (workers) => {
      const runs: [number, string][] = []
      const failed = await runSeeds(seedsFrom(12, 6), workers, {
        keepGoing: true,
        onRun: ({ seed, problems }) => runs.push([seed, problems[0]?.invariant ?? 'none']),
      })
      expect(runs).toEqual([
        [12, 'none'],
        [13, RUN_ENDS],
        [14, RUN_ENDS],
        [15, RUN_ENDS],
        [16, 'paid once'],
        [17, 'none'],
      ])
      const words = failed.map(({ problems }) => problems[0]?.words)
      expect(words).toEqual([
        expect.stringMatching(/ended with SIGKILL.\nThese are its last words/),
        'It did not end within 12 s.',
        'It threw.',
        'Order 7 was paid twice.',
      ])
      // Counted in ticks of ten milliseconds.
      expect(workers[0]?.serverCpuMs()).toBeGreaterThanOrEqual(0)
    })
  })

  it('begin nothing after a failure, and tell the first one in order', async () => {
    await withSeedWorkers(2, { program }, async (workers) => {
      const seeds: number[] = []
      const failed = await runSeeds(seedsFrom(15, 100), workers, { onRun: ({ seed }) => seeds.push(seed) })
      expect(failed[0]?.seed).toBe(15)
      expect(seeds.length).toBeLessThan(10)
    })
  })

  it('examine a failure: its story, the smallest plan, and what replays it', async () => {
    await withSeedWorkers(1, { program }, async (workers) => {
      const [failed] = await runSeeds([16], workers)
      const [worker] = workers
      if (failed === undefined || worker === undefined) throw new Error('Seed 16 does not fail.')
      const examined = await examineFailure(failed, worker)
      expect(examined.shrunk).toMatchObject({ steps: [2, 5], run: { story: ['step 2', 'step 5'] } })
      const text = failureText(examined, 'tier-ignored')
      expect(text).toContain('paid once: Order 7 was paid twice.')
      expect(text).toContain('npm run simulate -- --replay 16 --steps 2,5 --mutant tier-ignored')
    })
  })

  it('tell a failure that does not come again', async () => {
    await withSeedWorkers(1, { program }, async ([worker]) => {
      if (worker === undefined) throw new Error('There is no worker.')
      const run = await worker.run({ seed: 1 })
      const failed = { ...run, problems: [{ invariant: 'paid once', words: 'once' }] }
      expect(failureText(await examineFailure(failed, worker), null)).toMatch(/something beside the seed/)
    })
  })

  it('hunt mutants, each in a process without its defence', async () => {
    const mutants = MUTANTS.slice(0, 2)
    const seedsOf = ({ name }: { readonly name: string }) => (name === mutants[0]?.name ? [12, 16, 13] : [12])
    const hunted = await huntMutants(mutants, { program, workers: 2, seedsOf })
    const found = new Map(hunted.map(({ mutant, caught }) => [mutant.name, caught?.seed ?? null]))
    expect([...found]).toEqual(
      expect.arrayContaining([
        [mutants[0]?.name, 16],
        [mutants[1]?.name, null],
      ]),
    )
  })

  it('have the mutant and a PostgreSQL of their own in their environment', async () => {
    await withSeedWorkers(1, { program, mutant: 'tier-ignored' }, async (workers) => {
      const digests: string[] = []
      await runSeeds([1], workers, { onRun: ({ digest }) => digests.push(digest) })
      expect(digests).toEqual(['1:tier-ignored:postgres'])
    })
  })
})

it('progress is one line', () => {
  const progress = new Progress(10, 0)
  const counts = { steps: 8, events: 200, payouts: 3, statements: 100, virtualMs: 60_000, cpuMs: 500, problems: [] }
  const run = { ...counts, seed: 1, digest: '', story: [], plan: [], coverage: null }
  progress.add(run)
  progress.add({ ...run, problems: [{ invariant: 'a', words: 'b' }] })
  expect(progress.line(1_000, 200)).toBe(
    '2 of 10 seeds, 2.0/s, each 0.50 + 0.10 CPU s, 100 statements, 3.0 payouts in 60 s of its time, 1 with problems',
  )
})
