import { createHash } from 'node:crypto'
import { parseUsd, setFailpointHandler } from '@causeway/core/plugin'
import type { Step } from './actions/action.js'
import { ACTIONS } from './actions/actions.js'
import { begin } from './actions/begin.js'
import { worldCoverage } from './actions/worldCoverage.js'
import { type BuildDeps, buildWorld } from './buildWorld.js'
import { BASE_FEE } from './chain/simLedger.js'
import { simId } from './chain/simTransaction.js'
import { createCheckState } from './checks/checkState.js'
import { judgeEnd, judgeStep } from './checks/checkStep.js'
import type { Problem } from './checks/problem.js'
import { type Rows, readRows } from './checks/rows.js'
import type { Coverage, CoverageCounts } from './coverage.js'
import { takePayoutMoves } from './database/payoutMoves.js'
import { currentProcess } from './kernel/simProcess.js'
import { planOf } from './plan.js'
import { usdOver } from './usdOver.js'
import type { World } from './world.js'

export interface SeedOptions {
  /** In place of the seed's own plan. */
  readonly plan?: readonly Step[] | undefined
  /** Virtual milliseconds within which everything must be finished after the last step; default 400,000. */
  readonly finishMs?: number | undefined
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

/** After the last step faults stop, and everything must be finished within this, virtual milliseconds, where no run says less. */
const FINISH_MS = 1_200_000
/** Between two looks whether it is. */
const LOOK_MS = 3_000
/** How long what is due may wait while a host lives: leases, nodes that are away, and the times of the solver. */
const TOLERANCE_MS = 120_000
/** What people do when something is not finished. */
const AT_THE_END = ['releases', 'closing of what was paid', 'named deposits', 'named addresses'] as const
/** The operator comes once in so many looks. */
const OPERATOR_LOOKS = 2
/** With a wrong clock a host may use the price of a quote for so much longer. */
const CLOCK_MS = 40_000
/** Of a world at whose end everything must be finished. */
const END = 'end: '

/** Runs the world of a seed. The same seed, and plan, gives the same run on any machine. */
export const runSeed = async (seed: number, deps: BuildDeps, options: SeedOptions = {}): Promise<SeedResult> => {
  const plan = options.plan ?? planOf(seed, ACTIONS)
  const { database } = deps
  const coverage = worldCoverage()
  const digest = createHash('sha256')
  database.onStatement = (process, text, { error, result }) => {
    digest.update(`${process.name} ${text} ${error?.message ?? ''} ${JSON.stringify(result?.rows ?? [], plainly)}\n`)
  }
  const before = database.statements
  const world = await buildWorld(seed, deps)
  watchPlaces(world, coverage)
  const problems = await live(world, plan, coverage, options.finishMs ?? FINISH_MS)
  setFailpointHandler(null)
  database.onStatement = null
  const { kernel, story } = world
  const result = {
    seed,
    steps: plan.length,
    payouts: world.ledgers.reduce(
      (sum, ledger) =>
        sum + ledger.records().filter(({ transfer }) => transfer.account === ledger.keys.payer.address).length,
      0,
    ),
    statements: database.statements - before,
    events: kernel.events,
    virtualMs: Math.round(kernel.time.now),
    digest: digest.digest('hex'),
    problems,
    story,
    plan,
    coverage: await counted(world, coverage),
  }
  await endWorld(world)
  return result
}

const counted = async (world: World, coverage: Coverage): Promise<CoverageCounts> => {
  const query = await world.query()
  const { events, told } = await readRows(query)
  // Under the id of a quote that an unfit deposit used, what became of that is told too.
  coverage.countStatuses(events.filter(({ request }) => !told.includes(request)))
  coverage.countPayouts(await takePayoutMoves(query))
  for (const [kind, times] of world.faults) coverage.count('fault', kind, times)
  return coverage.toJSON()
}

const plainly = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** Counts the places that hosts pass, and lets them die there where that is planned. */
const watchPlaces = (world: World, coverage: Coverage): void => {
  setFailpointHandler((name) => {
    const process = currentProcess()
    if (process === undefined) return
    coverage.count('failpoint', name)
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
  await kernel.database.forgetAll()
  kernel.close()
}

/** Lives through the plan, checks after every step, and sees everything finish. */
const live = async (
  world: World,
  plan: readonly Step[],
  coverage: Coverage,
  finishMs: number,
): Promise<readonly Problem[]> => {
  const query = await world.query()
  const state = createCheckState({
    query,
    ledgers: world.ledgers,
    limits: world.limits,
    idOf: simId,
    toleranceMs: TOLERANCE_MS,
    signedClaims: () => world.signedClaims,
    signedPermits: () => world.permits.map(({ permit: { signature }, posted }) => ({ signature, posted })),
    addresses: () =>
      world.addresses.map(({ address, toSender, quote: { orderId } }) => ({ address, toSender, orderId })),
    networkFee: BASE_FEE,
    unpaidCap: parseUsd(world.unpaidCapUsd) ?? 0n,
    usdOver: (currency, { from, until }) =>
      usdOver(world.coinPrices, currency, { from: from - (world.faults.has('host clock') ? CLOCK_MS : 0), until }),
  })
  world.checked = state
  let read: { readonly changes: number; readonly rows: Rows } | null = null
  const look = async (check: typeof judgeStep): Promise<readonly Problem[]> => {
    Object.assign(state, { now: world.kernel.time.unix, liveSince: world.liveSince })
    const { changes } = world.kernel.database
    if (read?.changes !== changes) read = { changes, rows: await readRows(query) }
    const found = check(state, read.rows)
    return [...world.complaints.map((words) => ({ invariant: 'no step fails in an unknown way', words })), ...found]
  }
  try {
    for (const step of plan) {
      await world.kernel.run(world.kernel.time.now + step.delayMs)
      begin(world, step)
      coverage.count('action', step.action)
      const problems = await look(judgeStep)
      if (problems.length > 0) return problems
    }
    world.calmDown()
    return await finish(world, finishMs, () => look(judgeEnd))
  } catch (error) {
    return [
      {
        invariant: 'the world goes on',
        words: error instanceof Error ? (error.stack ?? error.message) : String(error),
      },
    ]
  }
}

/** Waits until everything is finished; what must always hold must hold meanwhile. */
const finish = async (
  world: World,
  finishMs: number,
  look: () => Promise<readonly Problem[]>,
): Promise<readonly Problem[]> => {
  const until = world.kernel.time.now + finishMs
  for (let looks = 1; ; looks += 1) {
    await world.kernel.run(world.kernel.time.now + LOOK_MS)
    const problems = await look()
    const always = problems.filter(({ invariant }) => !invariant.startsWith(END))
    if (always.length > 0) return always
    if ((problems.length === 0 && !world.isAwaited) || world.kernel.time.now > until) return problems
    // What waits for an operator is looked at, and users name what nobody tells them of.
    if (looks % OPERATOR_LOOKS !== 0) continue
    for (const action of AT_THE_END) begin(world, { action, delayMs: 0, seed: `${action} ${looks}` })
  }
}
