import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchWorld, startScript, waitUntilQuoting } from '../benchWorld.js'
import { type LoadResult, runLoad } from '../httpLoad.js'
import { askQuote, quoteBodies } from '../quoteRequests.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'

const CONNECTIONS = 16

/** A quote as the host answers it, for the floor to repeat. */
const saveQuote = async (url: string, body: string): Promise<string> => {
  const path = join(mkdtempSync(join(tmpdir(), 'causeway-bench-')), 'quote.json')
  writeFileSync(path, await askQuote(url, body))
  return path
}

/** Answers every quote with the one the host gives for `body`. */
export const startQuoteFloor = async (hostUrl: string, body: string) => {
  const script = startScript('quoteFloor.js', [await saveQuote(hostUrl, body)])
  return { url: `http://127.0.0.1:${await script.said('port')}`, stop: () => script.stop() }
}

export const numbers = ({ p50, p99, perSecond, failures }: LoadResult): Record<string, number> => {
  if (failures > 0) throw new Error(`${failures} requests of a round failed`)
  return { p50, p99, perSecond }
}

export const FLOOR_IS = 'Koa + router + body parser + ajv, fixed answer'

/** (a) `POST /quote` and `POST /price` against Koa, router, body parser and ajv with a fixed answer. */
export const measureQuotes = async (world: BenchWorld): Promise<Measurement[]> => {
  const host = await world.startHost({ databaseUrl: await world.createDatabase() })
  await waitUntilQuoting(world, host.url)
  const bodies = quoteBodies(world)
  const floor = await startQuoteFloor(host.url, bodies.returning(0))
  const { requests, rounds } = world.scale
  const run = (url: string, path: string, body: (index: number) => string, connections: number) => async () =>
    numbers(await runLoad({ url, path, body, connections, requests: connections === 1 ? requests : requests * 2 }))
  const contestants = Object.fromEntries(
    [1, CONNECTIONS].flatMap((connections) => [
      [`floor ${connections}`, run(floor.url, '/quote', bodies.returning, connections)],
      [`quote returning ${connections}`, run(host.url, '/quote', bodies.returning, connections)],
      [`quote fresh ${connections}`, run(host.url, '/quote', bodies.fresh, connections)],
      [`price returning ${connections}`, run(host.url, '/price', bodies.returning, connections)],
      [`price fresh ${connections}`, run(host.url, '/price', bodies.fresh, connections)],
    ]),
  )
  for (const contestant of Object.values(contestants)) await contestant()
  const results = await interleave(rounds, contestants, (round) => world.say(`quotes: round ${round + 1} of ${rounds}`))
  await floor.stop()
  await world.stopHost(host)
  return [1, CONNECTIONS].flatMap((connections) => measurementsOf(results, connections))
}

const measurementsOf = (
  results: Readonly<Record<string, Readonly<Record<string, number>>>>,
  connections: number,
): Measurement[] => {
  const floor = results[`floor ${connections}`]
  const single = connections === 1
  return ['quote', 'price'].flatMap((path) =>
    ['returning', 'fresh'].flatMap((users): Measurement[] => {
      const result = results[`${path} ${users} ${connections}`]
      const shared = { case: 'a', floorIs: FLOOR_IS }
      const what = `POST /${path}, ${users} users, ${connections} connection${single ? '' : 's'}`
      const limit = path === 'quote' ? 4 : 2
      const bare = (key: string) => ({ value: result?.[key] ?? Number.NaN, floor: floor?.[key] ?? Number.NaN })
      return [
        {
          ...shared,
          what: `${what}, p50`,
          unit: 'ms',
          ...bare('p50'),
          ...(single ? { target: { of: 'ratio', limit, better: 'less' } } : {}),
        },
        { ...shared, what: `${what}, p99`, unit: 'ms', ...bare('p99') },
        {
          ...shared,
          what: `${what}, throughput`,
          unit: '/s',
          ...bare('perSecond'),
          ...(path === 'quote' && !single ? { target: { of: 'ratio', limit: 0.3, better: 'more' } } : {}),
        },
      ]
    }),
  )
}
