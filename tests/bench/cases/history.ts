import { createPool, migrate, type RecordQuery, RecordSearch, toBytea } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { boundedPages, commonPages, lookups } from '../../seed/pageShapes.js'
import { SEEDED_DAYS, SEEDED_UNTIL, seededRequest } from '../../seed/seededRequest.js'
import { SEEDED_PACKAGES, SEEDED_TEXTS, seedRequests } from '../../seed/seedRequests.js'
import type { BenchWorld } from '../benchWorld.js'
import { type Contestant, interleave, percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { projectionLag } from './recordLag.js'

const SEED = 1
const LOOKUP = 'lookup'
const LAG = 'lag'
const FLOOR_IS = 'a request by its primary key, prepared'
/** Requests that the lookup goes through, all over the history. */
const LOOKED_UP = 1_000
const DAY_MS = 86_400_000
/** Steps of it never come back to where they were. */
const GOLDEN = 0.618_033_988_75
/** How far into its history a page is, newest first. */
const DEPTHS = { first: null, middle: 0.5, end: 0.99 } as const

type Numbers = Readonly<Record<string, Readonly<Record<string, number>>>>

/** (o) Pages of the history of requests at two sizes, against a lookup by primary key. */
export const measureHistory = async (world: BenchWorld): Promise<Measurement[]> => {
  const measured: Measurement[] = []
  let smaller: Numbers | undefined
  for (const requests of world.scale.histories) {
    const results = await atSize(world, requests)
    const size = requests.toLocaleString('en')
    measured.push(...judged(results, size))
    if (smaller !== undefined) measured.push(...growth(smaller, results, size))
    smaller = results
  }
  return measured
}

const atSize = async (world: BenchWorld, requests: number): Promise<Numbers> => {
  const plan = { requests, seed: SEED }
  const url = await world.createDatabase()
  const pool = createPool({ connectionString: url, max: 6, applicationName: 'causeway bench' })
  const searchPool = createPool({ connectionString: url, max: 4, applicationName: 'causeway bench', plansOnce: true })
  try {
    await migrate(pool, { packages: SEEDED_PACKAGES })
    world.say(`history: writing ${requests} requests`)
    const startedAt = performance.now()
    await seedRequests(url, plan)
    world.say(`history: written in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
    const contestants = contestantsOf({ pool, searchPool }, plan, world.scale.pagesPerRound)
    for (const contestant of Object.values(contestants)) await contestant()
    const results = await interleave(world.scale.rounds, contestants, (round) =>
      world.say(`history: round ${round + 1} of ${world.scale.rounds}`),
    )
    return { ...results, [LAG]: await projectionLag(pool, world.scale.secondsOfChanges) }
  } finally {
    await Promise.all([pool.end(), searchPool.end()])
  }
}

const contestantsOf = (
  { pool, searchPool }: { readonly pool: Pool; readonly searchPool: Pool },
  plan: { readonly requests: number; readonly seed: number },
  samples: number,
): Readonly<Record<string, Contestant>> => {
  const search = new RecordSearch({ pool: searchPool })
  const read = async (query: RecordQuery) => {
    const { rows } = await search.page(query, SEEDED_TEXTS.columns)
    return SEEDED_TEXTS.ofPage(pool, rows)
  }
  const page = (query: RecordQuery) => timed(samples, () => read(query))
  const ids = Array.from({ length: LOOKED_UP }, (_, at) =>
    toBytea(seededRequest(plan, Math.floor((at * plan.requests) / LOOKED_UP)).id),
  )
  let next = 0
  const unfiltered = commonPages(plan).unfiltered
  const failures = commonPages(plan)['status failure']
  if (unfiltered === undefined || failures === undefined) throw new Error('No such pages')
  return {
    [LOOKUP]: timed(samples, () =>
      pool.query({
        name: 'bench_lookup',
        text: 'select id, status, created_at from requests where id = $1',
        values: [ids[next++ % LOOKED_UP]],
      }),
    ),
    ...Object.fromEntries(
      Object.entries(commonPages(plan)).flatMap(([name, query]) =>
        Object.entries(DEPTHS).map(([depth, share]) => [`${name}, ${depth}`, page(atDepth(query, share))]),
      ),
    ),
    // Most of what these bring was not read before.
    'unfiltered, anywhere': timed(samples, () => read(atDepth(unfiltered, (next++ * GOLDEN) % 1))),
    ...Object.fromEntries(Object.entries(lookups(plan)).map(([name, query]) => [`one by ${name}`, page(query)])),
    ...Object.fromEntries(
      Object.entries(boundedPages(plan)).map(([name, query]) => [
        `bounded: ${name}`,
        timed(Math.ceil(samples / 10), () => read(query)),
      ]),
    ),
    'total of all': timed(samples, () => search.total(unfiltered)),
    'total by status': timed(samples, () => search.total(failures)),
  }
}

/** The page that begins where that share of the history has been passed. */
const atDepth = (query: RecordQuery, share: number | null): RecordQuery => {
  if (share === null) return query
  const { from, to } = query.ranges.time ?? {}
  const newest = to === undefined ? SEEDED_UNTIL : to * 1_000
  const oldest = from === undefined ? SEEDED_UNTIL - SEEDED_DAYS * DAY_MS : from * 1_000
  return { ...query, after: { key: new Date(newest - share * (newest - oldest)).toISOString(), tie: '0' } }
}

const timed =
  (samples: number, work: () => Promise<unknown>): Contestant =>
  async () => {
    const times: number[] = []
    for (let sample = 0; sample < samples; sample += 1) {
      const startedAt = performance.now()
      await work()
      times.push(performance.now() - startedAt)
    }
    const sorted = times.sort((left, right) => left - right)
    return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
  }

const LIMITS = { p50: 6, p99: 15 } as const
const TOTAL_LIMIT = 3
const BOUNDED_MS = 3_000
const LAG_MS = 1_000

const judged = (results: Numbers, size: string): Measurement[] =>
  Object.entries(results).flatMap(([name, result]) => {
    if (name === LOOKUP) return [row(`${size}: ${FLOOR_IS}, p50`, result.p50)]
    if (name === LAG) {
      const what = `${size}: status changes of ${result.perSecond?.toFixed(0)} a second until the record is stored anew, p99`
      return [{ ...row(what, result.p99), target: { of: 'value' as const, limit: LAG_MS, better: 'less' as const } }]
    }
    if (name.startsWith('bounded: ')) {
      return [
        {
          ...row(`${size}: ${name.slice(9)}, p50`, result.p50),
          target: { of: 'value' as const, limit: BOUNDED_MS, better: 'less' as const },
        },
      ]
    }
    const isTotal = name.startsWith('total')
    return (['p50', 'p99'] as const)
      .map((figure) =>
        against(
          row(`${size}: ${name}, ${figure}`, result[figure]),
          results[LOOKUP]?.[figure],
          FLOOR_IS,
          isTotal ? TOTAL_LIMIT : LIMITS[figure],
        ),
      )
      .slice(0, isTotal ? 1 : 2)
      .concat(halfDepth(results, name, size))
  })

const FLATNESS = 1.5

const halfDepth = (results: Numbers, name: string, size: string): Measurement[] =>
  name.endsWith(', middle')
    ? [
        against(
          row(`${size}: ${name} to first, p50`, results[name]?.p50),
          results[name.replace(', middle', ', first')]?.p50,
          'the first page',
          FLATNESS,
        ),
      ]
    : []

const growth = (smaller: Numbers, larger: Numbers, size: string): Measurement[] =>
  Object.keys(commonPages({ requests: 1, seed: SEED })).map((name) =>
    against(
      row(`${size} to fewer: ${name}, p50`, larger[`${name}, first`]?.p50),
      smaller[`${name}, first`]?.p50,
      'the same of fewer requests',
      FLATNESS,
    ),
  )

const row = (what: string, value: number | undefined): Measurement => ({
  case: 'o',
  what,
  unit: 'ms',
  value: value ?? Number.NaN,
})

const against = (measured: Measurement, floor: number | undefined, floorIs: string, limit: number): Measurement => ({
  ...measured,
  floor: floor ?? Number.NaN,
  floorIs,
  target: { of: 'ratio', limit, better: 'less' },
})
