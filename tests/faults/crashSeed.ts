import { FAILPOINTS, setFailpointHandler } from '@causeway/core/plugin'
import { startDeployment } from '../harness/host/deployment.js'
import type { LocalNetwork } from '../harness/localNetwork.js'
import { quoteTransfer } from '../harness/transfer.js'
import { findProblems, quoteScenario, waitForOrders } from './scenario.js'

/** What a scenario passes. */
const PLACES = FAILPOINTS.filter((name) => /^(deposit|decide|fill|refund|excess|withdraw)\./.test(name))

/** Deterministic randomness from a seed (mulberry32). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = <T>(items: readonly T[], random: () => number): T => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('Nothing to pick from')
  return item
}

/** The service "dies" here: from the first hit on, no marked place is passed any more. */
class Crash extends Error {}

interface CrashPlan {
  readonly point: string
  readonly pass: number
}

/** Arms one crash; resolves when it happened. */
const armCrash = (plan: CrashPlan): { readonly crashed: Promise<void>; happened(): boolean } => {
  let passes = 0
  let dead = false
  let resolve: () => void = () => undefined
  const crashed = new Promise<void>((done) => {
    resolve = done
  })
  setFailpointHandler((name) => {
    if (!dead && name === plan.point) {
      passes += 1
      if (passes === plan.pass) {
        dead = true
        resolve()
      }
    }
    if (dead) throw new Crash(`crashed at ${plan.point}`)
  })
  return { crashed, happened: () => dead }
}

export interface SeedResult {
  readonly seed: number
  readonly crashes: readonly string[]
  /** What is wrong, in words; empty when the deposit of every order has exactly one final payment. */
  readonly problems: readonly string[]
}

export interface SeedDeps {
  readonly network: LocalNetwork
  readonly databaseUrl: string
}

/** One seed: a fill, a refund, a fill with excess, crashes at random places, restarts, and a check on the chains. */
export const runSeed = async (seed: number, deps: SeedDeps): Promise<SeedResult> => {
  const random = seededRandom(seed)
  const plans = Array.from({ length: 1 + Math.floor(random() * 2) }, () => ({
    point: pick(PLACES, random),
    pass: 1 + Math.floor(random() * 2),
  }))
  const crashes: string[] = []
  const heights = await Promise.all(deps.network.chains.map(({ chain }) => chain.rpc<string>('eth_blockNumber')))
  let deployment = await startDeployment(deps)
  try {
    const orders = await quoteScenario(deps.network, (request) => quoteTransfer(deployment.engine, request))
    const sending = Promise.all(orders.map((order) => order.deposit()))
    for (const plan of plans) {
      const crash = armCrash(plan)
      const done = sending.then(() => waitForOrders(deployment.pool, orders))
      // After a crash nobody waits for it any more.
      done.catch(() => undefined)
      await Promise.race([crash.crashed, done])
      if (crash.happened()) {
        crashes.push(plan.point)
        await deployment.kill()
        setFailpointHandler(null)
        deployment = await startDeployment(deps)
      }
      setFailpointHandler(null)
    }
    await sending
    await waitForOrders(deployment.pool, orders)
    return { seed, crashes, problems: await findProblems(deployment.pool, deps.network, orders, heights.map(Number)) }
  } finally {
    setFailpointHandler(null)
    await deployment.kill()
  }
}
