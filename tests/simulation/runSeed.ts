import { createHash } from 'node:crypto'
import { setFailpointHandler } from '@causeway/core'
import type { Step } from './actions/action.js'
import { ACTIONS } from './actions/actions.js'
import { checkEnd, checkStep, newCheckState, type Problem } from './checks/checks.js'
import { type CoverageCounts, newCoverage } from './coverage.js'
import { currentProcess, outside } from './kernel/simProcess.js'
import { planOf } from './plan.js'
import type { World } from './world.js'
import { type BuildDeps, buildWorld } from './buildWorld.js'

export interface SeedOptions {
  /** In place of the seed's own plan. */
  readonly plan?: readonly Step[] | undefined
}

export interface SeedResult {
  readonly seed: number
  readonly steps: number
  /** Payments on the chains, of whatever purpose. */
  readonly payouts: number
  readonly statements: number
  readonly events: number
  readonly virtualMs: number
  /** Of every statement with its answer, in order: equal for equal runs. */
  readonly digest: string
  readonly problems: readonly Problem[]
  readonly story: readonly string[]
  readonly plan: readonly Step[]
  readonly coverage: CoverageCounts
}

/** After the last step faults stop, and everything must be finished within this, virtual milliseconds. */
const FINISH_MS = 900_000
/** Between two looks whether it is. */
const LOOK_MS = 3_000

/** Runs the world of a seed. The same seed, and plan, gives the same run on any machine. */
export const runSeed = async (seed: number, deps: BuildDeps, options: SeedOptions = {}): Promise<SeedResult> => {
  const plan = options.plan ?? planOf(seed, ACTIONS)
  const coverage = newCoverage()
  const world = await buildWorld(seed, deps)
  const digest = createHash('sha256')
  world.kernel.database.onStatement = (process, text, { error, result }) => {
    digest.update(`${process.name} ${text} ${error?.message ?? ''} ${JSON.stringify(result?.rows ?? [], plainly)}\n`)
  }
  const before = world.kernel.database.statements
  watchPlaces(world, coverage)
  const problems = await live(world, plan, coverage)
  setFailpointHandler(null)
  for (const [kind, count] of world.faults) coverage.faults[kind] = count
  const { kernel } = world
  const result: SeedResult = {
    seed,
    steps: plan.length,
    payouts: world.ledgers.reduce((sum, ledger) => sum + ledger.records().filter(({ transfer }) => transfer.account === ledger.keys.payer.address).length, 0),
    statements: kernel.database.statements - before,
    events: kernel.events,
    virtualMs: Math.round(kernel.time.now),
    digest: digest.digest('hex'),
    problems,
    story: world.story,
    plan,
    coverage,
  }
  await endWorld(world)
  return result
}

const plainly = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** Counts the places that hosts pass, and lets them die there where that is planned. */
const watchPlaces = (world: World, coverage: CoverageCounts): void => {
  setFailpointHandler((name) => {
    const process = currentProcess()
    if (process === undefined) return
    coverage.failpoints[name] = (coverage.failpoints[name] ?? 0) + 1
    const at = world.failpointCrashes.findIndex(({ failpoint }) => failpoint === name)
    const place = world.places.find((item) => item.process === process)
    if (at < 0 || place === undefined || world.calm) return
    const [crash] = world.failpointCrashes.splice(at, 1)
    crash?.run(place)
    // Whoever died here goes no further.
    return new Promise(() => undefined)
  })
  world.kernel.onEvent = (event) => {
    for (const crash of world.crashes.filter((item) => item.due(event))) {
      world.crashes.splice(world.crashes.indexOf(crash), 1)
      if (!world.calm) crash.run()
    }
  }
}

/** Nothing of it is left for the next one. */
const endWorld = async ({ kernel, places }: World): Promise<void> => {
  for (const place of places) place.kill()
  await outside(() => kernel.database.forgetAll())
  kernel.close()
}

/** Lives through the plan, checks after every step, and sees everything finish. */
const live = async (world: World, plan: readonly Step[], coverage: CoverageCounts): Promise<readonly Problem[]> => {
  const state = newCheckState()
  const look = async (): Promise<readonly Problem[]> => {
    const found = await outside(async () => checkStep(state, { query: await world.query(), world }, coverage))
    return [...world.complaints.map((words) => ({ invariant: 'no unexpected error', words })), ...found]
  }
  try {
    for (const step of plan) {
      await world.kernel.run(world.kernel.time.now + step.delayMs)
      world.begin(step)
      coverage.actions[step.action] = (coverage.actions[step.action] ?? 0) + 1
      const problems = await look()
      if (problems.length > 0) return problems
    }
    await world.kernel.run(world.kernel.time.now + 1_000)
    world.calmDown()
    const until = world.kernel.time.now + FINISH_MS
    for (;;) {
      await world.kernel.run(world.kernel.time.now + LOOK_MS)
      const problems = await look()
      if (problems.length > 0) return problems
      const rest = await outside(async () => checkEnd(state, { query: await world.query() }))
      if (rest.length === 0) return []
      if (world.kernel.time.now > until) return rest
    }
  } catch (error) {
    return [{ invariant: 'the world goes on', words: error instanceof Error ? (error.stack ?? error.message) : String(error) }]
  }
}
