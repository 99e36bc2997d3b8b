import { afterAll, expect, it } from 'vitest'
import { type QuirkProxy, quirks, quirkWeather, startQuirkProxy } from '../harness/quirks/quirkProxy.js'
import { socketQuirks } from '../harness/quirks/socketQuirks.js'
import { loadKinds, ringOf } from './matrixCells.js'
import { testMatrix } from './matrixTransfers.js'

/** Seed of the run, named in the output so that it can be repeated. */
const SEED = Number(process.env.CAUSEWAY_FIRST_SEED ?? Date.now() % 2 ** 31)
/** A quirk outlasts several rests of an endpoint. */
const QUIRK_MS = 3_000

const proxies: QuirkProxy[] = []
let weather: { stop(): void } | null = null

/** Asked first is a node with another quirk every few seconds; the second one of the same provider is well. */
const kinds = await loadKinds()
testMatrix({
  kinds,
  cells: ringOf(kinds),
  crowd: [],
  front: async (endpoint) => {
    const proxy = await startQuirkProxy(endpoint)
    proxies.push(proxy)
    return [proxy.endpoint, { http: endpoint.http, provider: 'local' }]
  },
  begun: () => {
    weather = quirkWeather(proxies, SEED, QUIRK_MS)
  },
})

it(`met the quirks of seed ${SEED}`, () => {
  const met = new Set(proxies.flatMap((proxy) => [...proxy.met.keys()]))
  const count = (of: readonly { readonly what: string }[]) => of.filter(({ what }) => met.has(what)).length
  expect(count(quirks)).toBeGreaterThan(quirks.length / 3)
  expect(count(socketQuirks)).toBeGreaterThan(socketQuirks.length / 3)
})

afterAll(async () => {
  weather?.stop()
  for (const proxy of proxies) await proxy.close()
})
