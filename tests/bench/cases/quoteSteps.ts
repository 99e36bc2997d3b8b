import { type ReceivedSpan, startTraceReceiver } from '../../operations/traceReceiver.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { runLoad } from '../httpLoad.js'
import { quoteBodies, type Route } from '../quoteRequests.js'
import { median } from '../rounds.js'
import type { Measurement } from '../table.js'
import { numbers } from './quotes.js'

/** Steps one after the other; the rest of a quote is arithmetic and making the answer. */
const STEPS = ['plan', 'read prices', 'compare offers', 'read market'] as const
/** Done at the same time: the longest counts. */
const LAST_STEPS = ['build deposit', 'sign order', 'store quote'] as const
const SHARE_OF_REQUESTS = 0.2

/** (l) Where the time of a quote goes, by the spans of its trace; the engine's beside what the client waits. */
export const measureQuoteSteps = async (world: BenchWorld): Promise<Measurement[]> => {
  const found: Measurement[] = []
  for (const route of ['bridge', 'swaps on both'] as const) found.push(...(await stepsOf(world, route)))
  return found
}

const stepsOf = async (world: BenchWorld, route: Route): Promise<Measurement[]> => {
  const receiver = await startTraceReceiver()
  const config = { tracing: { endpoint: receiver.url, sampleRatio: 1 } }
  const host = await world.startHost({ databaseUrl: await world.createDatabase(), config })
  await waitUntilQuoting(world, host.url)
  const requests = Math.ceil(world.scale.requests * SHARE_OF_REQUESTS)
  const { returning } = quoteBodies(world, route)
  const load = { url: host.url, path: '/quote', body: returning, connections: 1, requests }
  await runLoad(load)
  const warm = receiver.spans.length
  world.say(`steps of a quote: ${route}`)
  const { p50: waited = Number.NaN } = numbers(await runLoad(load))
  // Sends what is left of the spans.
  await world.stopHost(host)
  const quotes = byQuote(receiver.spans.slice(warm))
  await receiver.close()
  const of = (what: (times: Times) => number): number => median(quotes.map(what))
  const whole = of((times) => times.get('quote') ?? 0)
  const lines: [string, number][] = [...STEPS, ...LAST_STEPS].map((name) => [name, of((times) => times.get(name) ?? 0)])
  lines.push(['arithmetic and answer', of(restOf)], ['HTTP around the engine', waited - whole])
  return lines.flatMap(([name, milliseconds]): Measurement[] =>
    milliseconds > 0
      ? [
          {
            case: 'l',
            what: `${route}: ${name}`,
            unit: 'ms',
            value: milliseconds,
            floor: waited,
            floorIs: 'p50 of the whole quote as a client sees it; the last three steps run at the same time',
          },
        ]
      : [],
  )
}

type Times = ReadonlyMap<string, number>

/** Milliseconds of each span, by quote; without quotes that lost their root. */
const byQuote = (spans: readonly ReceivedSpan[]): readonly Times[] => {
  const traces = new Map<string, Map<string, number>>()
  for (const { traceId, name, milliseconds } of spans) {
    const times = traces.get(traceId) ?? new Map<string, number>()
    traces.set(traceId, times.set(name, (times.get(name) ?? 0) + milliseconds))
  }
  return [...traces.values()].filter((times) => times.has('quote') && times.has('store quote'))
}

const restOf = (times: Times): number => {
  const steps = STEPS.reduce((sum, name) => sum + (times.get(name) ?? 0), 0)
  const last = Math.max(...LAST_STEPS.map((name) => times.get(name) ?? 0))
  return Math.max(0, (times.get('quote') ?? 0) - steps - last)
}
