import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool } from '@causeway/core/plugin'
import type { Pool } from 'pg'
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

/** Answers every quote with the one the host gives for `body`; with a database it signs, hashes and stores rows of as many bytes. */
export const startQuoteFloor = async (
  hostUrl: string,
  body: string,
  database?: { readonly url: string; readonly bytes: number; readonly order: string },
) => {
  const stored = database === undefined ? [] : [database.url, String(database.bytes), database.order]
  const script = startScript('quoteFloor.js', [await saveQuote(hostUrl, body), ...stored])
  return { url: `http://127.0.0.1:${await script.said('port')}`, stop: () => script.stop() }
}

export const numbers = ({ p50, p99, perSecond, failures }: LoadResult): Record<string, number> => {
  if (failures > 0) throw new Error(`${failures} requests of a round failed`)
  return { p50, p99, perSecond }
}

export const FLOOR_IS = 'Koa + router + body parser + ajv, fixed answer'

const WORKING_FLOOR_IS = 'Koa, the schema of the route, one order id, one signature, one committed row of as many bytes'

/** (a) `POST /quote` and `POST /price` against a server with a fixed answer and one that does the work no stored quote can do without. */
export const measureQuotes = async (world: BenchWorld): Promise<Measurement[]> => {
  const databaseUrl = await world.createDatabase()
  const host = await world.startHost({ databaseUrl })
  await waitUntilQuoting(world, host.url)
  const bodies = quoteBodies(world)
  const floor = await startQuoteFloor(host.url, bodies.returning(0))
  const pool = createPool({ connectionString: databaseUrl, max: 1, applicationName: 'causeway bench' })
  const before = await storedQuotes(pool)
  const working = await startQuoteFloor(host.url, bodies.returning(0), {
    url: await world.createDatabase(),
    bytes: before.rowBytes,
    order: before.order,
  })
  const { requests, rounds } = world.scale
  const run = (url: string, path: string, body: (index: number) => string, connections: number) => async () =>
    numbers(await runLoad({ url, path, body, connections, requests: connections === 1 ? requests : requests * 2 }))
  const contestants = Object.fromEntries(
    [1, CONNECTIONS].flatMap((connections) => [
      [`floor ${connections}`, run(floor.url, '/quote', bodies.returning, connections)],
      [`working ${connections}`, run(working.url, '/quote', bodies.returning, connections)],
      [`quote returning ${connections}`, run(host.url, '/quote', bodies.returning, connections)],
      [`quote fresh ${connections}`, run(host.url, '/quote', bodies.fresh, connections)],
      [`price returning ${connections}`, run(host.url, '/price', bodies.returning, connections)],
      [`price fresh ${connections}`, run(host.url, '/price', bodies.fresh, connections)],
    ]),
  )
  for (const contestant of Object.values(contestants)) await contestant()
  const results = await interleave(rounds, contestants, (round) => world.say(`quotes: round ${round + 1} of ${rounds}`))
  const after = await storedQuotes(pool)
  await pool.end()
  await working.stop()
  await floor.stop()
  await world.stopHost(host)
  return [
    ...[1, CONNECTIONS].flatMap((connections) => measurementsOf(results, connections)),
    {
      case: 'a',
      what: 'bytes per stored quote',
      unit: 'B',
      value: (after.bytes - before.bytes) / (after.count - before.count),
      target: { of: 'value', limit: MOST_BYTES, better: 'less' },
    },
  ]
}

/** Half of the bytes before quotes were packed, 3482. */
const MOST_BYTES = 1_741

interface StoredQuotes {
  readonly count: number
  /** Of tables and indexes. */
  readonly bytes: number
  /** Of one row in its page, on average. */
  readonly rowBytes: number
  /** JSON text of the order of one. */
  readonly order: string
}

const storedQuotes = async (pool: Pool): Promise<StoredQuotes> => {
  const { rows } = await pool.query<StoredQuotes>(
    `select count(*)::int as count, round(avg(pg_column_size(r)))::int as "rowBytes",
       (select sum(pg_total_relation_size(relid))::float8 from pg_partition_tree('quote_rows')) as bytes,
       (select order_data from quotes limit 1) as order from quote_rows r`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('The database counts no quotes.')
  return found
}

const measurementsOf = (
  results: Readonly<Record<string, Readonly<Record<string, number>>>>,
  connections: number,
): Measurement[] => {
  const single = connections === 1
  const against = (what: string, name: string, floorName: string) => {
    const [result, floor] = [results[name], results[floorName]]
    return (['p50', 'p99', 'perSecond'] as const).map((key) => ({
      case: 'a',
      floorIs: floorName.startsWith('working') ? WORKING_FLOOR_IS : FLOOR_IS,
      what: `${what}, ${key === 'perSecond' ? 'throughput' : key}`,
      unit: key === 'perSecond' ? '/s' : 'ms',
      value: result?.[key] ?? Number.NaN,
      floor: floor?.[key] ?? Number.NaN,
    }))
  }
  return ['quote', 'price'].flatMap((path) =>
    ['returning', 'fresh'].flatMap((users): Measurement[] => {
      const what = `POST /${path}, ${users} users, ${connections} connection${single ? '' : 's'}`
      const name = `${path} ${users} ${connections}`
      const fixed = against(what, name, `floor ${connections}`).map((line): Measurement => {
        if (single && line.unit === 'ms' && line.what.endsWith('p50')) {
          return { ...line, target: { of: 'ratio', limit: path === 'quote' ? 4 : 2, better: 'less' } }
        }
        const judged = path === 'quote' && !single && line.unit === '/s'
        return judged ? { ...line, target: { of: 'ratio', limit: 0.3, better: 'more' } } : line
      })
      return path === 'quote'
        ? [...fixed, ...against(`${what}, to the working floor`, name, `working ${connections}`)]
        : fixed
    }),
  )
}
