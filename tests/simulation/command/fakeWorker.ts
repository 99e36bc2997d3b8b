import { type SeedAnswer, type SeedTask, WORKER_VARIABLES } from './seedTask.js'

/** A worker of tests whose seeds do what their number says; see `workers.nightly.test.ts`. */
const tell = (answer: SeedAnswer): void => {
  process.send?.(answer)
}

const DIES = 13
const HANGS = 14
const THROWS = 15
/** Breaks a rule with steps 2 and 5 of its plan of eight. */
const BREAKS = 16

const breaks = (seed: number, plan: readonly { readonly seed: string }[]): boolean =>
  seed === BREAKS && [2, 5].every((step) => plan.some((item) => item.seed === String(step)))

process.on('message', ({ seed, plan = PLAN }: SeedTask) => {
  if (seed === DIES) {
    console.error('These are its last words.')
    process.kill(process.pid, 'SIGKILL')
  } else if (seed === THROWS) tell({ kind: 'failed', words: 'It threw.', cpuMs: 1 })
  else if (seed !== HANGS)
    tell({
      kind: 'result',
      cpuMs: 2,
      result: {
        seed,
        steps: plan.length,
        payouts: 3,
        statements: 100,
        events: 200,
        virtualMs: 60_000,
        digest: `${seed}:${process.env[WORKER_VARIABLES.mutant]}:${process.env[WORKER_VARIABLES.url]?.slice(0, 8)}`,
        problems: breaks(seed, plan) ? [{ invariant: 'paid once', words: 'Order 7 was paid twice.' }] : [],
        story: plan.map((item) => `step ${item.seed}`),
        plan,
        coverage: { status: {}, payout: {}, failpoint: {}, fault: {}, action: { wait: 8 } },
      },
    })
})

const PLAN = Array.from({ length: 8 }, (_, seed) => ({ action: 'wait', delayMs: 1, seed: String(seed) }))

process.on('disconnect', () => process.exit())
tell({ kind: 'ready' })
