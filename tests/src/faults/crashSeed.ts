import { FAILPOINTS, type Hex, setFailpointHandler } from '@causeway/core'
import { findDiscrepancies, paymentsByOrder, unfinished, waitForQuiet } from '../harness/books.js'
import { type Deployment, startDeployment } from '../harness/deployment.js'
import { depositNative } from '../harness/depositing.js'
import { ether, type LocalNetwork, NATIVE, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, quoteTransfer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

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

const SEED_LIMIT_MS = 20_000

/** One seed: a fill, a forced refund, a fill with excess, crashes at random places, restarts, and a check on the chains. */
export const runSeed = async (seed: number, deps: SeedDeps): Promise<SeedResult> => {
  const random = seededRandom(seed)
  const plans = Array.from({ length: 1 + Math.floor(random() * 2) }, () => ({
    point: pick(FAILPOINTS, random),
    pass: 1 + Math.floor(random() * 2),
  }))
  const crashes: string[] = []
  const heights = await Promise.all(deps.network.chains.map(({ chain }) => chain.rpc<string>('eth_blockNumber')))
  let deployment = await startDeployment(deps)
  try {
    const orders = await quoteScenario(deployment, deps.network)
    const sending = sendDeposits(orders)
    for (const plan of plans) {
      const crash = armCrash(plan)
      const done = sending.then(() => waitForOrders(deployment, orders))
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
    await waitForOrders(deployment, orders).catch(async (error: Error) => {
      throw new Error(
        `${error.message}, crashes ${crashes.join(', ')}: ${JSON.stringify(await unfinished(deployment.pool))}`,
      )
    })
    return { seed, crashes, problems: await findProblems(deployment, deps, orders, heights.map(Number)) }
  } finally {
    setFailpointHandler(null)
    await deployment.kill()
  }
}

interface ScenarioOrder {
  readonly orderId: Hex
  readonly expected: 'fill' | 'refund'
  readonly excess: boolean
  deposit(): Promise<unknown>
}

const quoteScenario = async (deployment: Deployment, network: LocalNetwork): Promise<ScenarioOrder[]> => {
  const [origin, destination] = network.chains
  const quote = (user: number, amount: bigint, more: object, tradeType: 'EXACT_INPUT' | 'EXACT_OUTPUT') =>
    quoteTransfer(deployment.engine, {
      user: userOf(network, user),
      from: origin.chain.chainId,
      to: destination.chain.chainId,
      originCurrency: NATIVE,
      destinationCurrency: NATIVE,
      amount,
      tradeType,
      recipient: freshAddress(),
      more: { ...more },
    })
  const [fill, refund, excess] = await Promise.all([
    quote(0, ether('0.01'), {}, 'EXACT_INPUT'),
    quote(1, ether('0.01'), { referrer: 'debug-force-refund' }, 'EXACT_INPUT'),
    quote(2, ether('0.01'), {}, 'EXACT_OUTPUT'),
  ])
  const twice = BigInt(excess.details.currencyIn.amount) * 2n
  return [
    {
      orderId: fill.protocol.v2.orderId,
      expected: 'fill',
      excess: false,
      deposit: () => executeQuote(origin.chain, userOf(network, 0), fill),
    },
    {
      orderId: refund.protocol.v2.orderId,
      expected: 'refund',
      excess: false,
      deposit: () => executeQuote(origin.chain, userOf(network, 1), refund),
    },
    {
      orderId: excess.protocol.v2.orderId,
      expected: 'fill',
      excess: true,
      deposit: () => depositNative(origin, userOf(network, 2), excess.protocol.v2.orderId, twice),
    },
  ]
}

const sendDeposits = async (orders: readonly ScenarioOrder[]): Promise<void> => {
  await Promise.all(orders.map((order) => order.deposit()))
}

/** Waits until every order was paid or refunded and nothing is on its way; a crash in between ends the wait. */
const waitForOrders = async (deployment: Deployment, orders: readonly ScenarioOrder[]): Promise<void> => {
  await until(
    'every order to be finished',
    async () => {
      const { rows } = await deployment.pool.query<{ done: number }>(
        `select count(*)::int as done from requests where status in ('success', 'refund', 'failure')
         and order_id = any($1::bytea[])`,
        [orders.map(({ orderId }) => Buffer.from(orderId.slice(2), 'hex'))],
      )
      return rows[0]?.done === orders.length ? true : null
    },
    SEED_LIMIT_MS,
  )
  await waitForQuiet(deployment.pool, SEED_LIMIT_MS)
}

/** Asks the chains themselves how often each order was paid, and the books whether they agree. */
const findProblems = async (
  deployment: Deployment,
  { network }: SeedDeps,
  orders: readonly ScenarioOrder[],
  heights: readonly number[],
): Promise<string[]> => {
  const [onOrigin, onDestination] = await Promise.all(
    network.chains.map((item, index) => paymentsByOrder(item, network.roles.solver.address, heights[index])),
  )
  const problems = await findDiscrepancies(deployment.pool, network)
  for (const { orderId, expected, excess } of orders) {
    const origin = onOrigin?.get(orderId) ?? { fills: 0, excess: 0, withdrawals: 0 }
    const destination = onDestination?.get(orderId) ?? { fills: 0, excess: 0, withdrawals: 0 }
    const fills = destination.fills
    const refunds = origin.fills
    if (fills !== (expected === 'fill' ? 1 : 0) || refunds !== (expected === 'refund' ? 1 : 0)) {
      problems.push(`order ${orderId} has ${fills} fills and ${refunds} refunds`)
    }
    if (origin.excess !== (excess ? 1 : 0)) problems.push(`order ${orderId} has ${origin.excess} excess payments`)
    if (origin.withdrawals !== 1) problems.push(`order ${orderId} has ${origin.withdrawals} withdrawals`)
  }
  return problems
}
