import { createPool } from '@causeway/core/plugin'
import { newApiKey } from '../../harness/host/host.js'
import type { HostProcess } from '../../harness/host/hostProcess.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { runLoad } from '../httpLoad.js'
import { quoteBodies } from '../quoteRequests.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'
import { numbers } from './quotes.js'

/** Nobody is refused, and hosts ask the store as often as by default: for each tenth call of a key, each second of an address. */
const LIMITS = {
  package: '@causeway/plugin-rate-limits',
  options: {
    sliceShare: 0.000_01,
    buckets: { quote: { anonymous: { points: 200_000 }, key: { points: 1_000_000 } } },
  },
}
/** As many as an address has in a minute by default. */
const CALLS_OF_ADDRESS = 10

interface Contender {
  readonly host: HostProcess
  readonly apiKey: string
}

/** (n) `POST /quote` of a key and of many addresses, with rate limits counted in PostgreSQL and without. */
export const measureLimits = async (world: BenchWorld): Promise<Measurement[]> => {
  const { requests, rounds } = world.scale
  const [limited, free] = [await startContender(world, [LIMITS]), await startContender(world, [])]
  const { returning } = quoteBodies(world)
  let calls = 0
  const addressLine = () => {
    const address = Math.floor(calls++ / CALLS_OF_ADDRESS)
    return `x-forwarded-for: 10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}\r\n`
  }
  const run =
    ({ host }: Contender, headers: () => string) =>
    async () =>
      numbers(await runLoad({ url: host.url, path: '/quote', body: returning, headers, connections: 1, requests }))
  const keyed = (contender: Contender) => run(contender, () => `x-api-key: ${contender.apiKey}\r\n`)
  const contestants = {
    keyed: keyed(limited),
    keyedFree: keyed(free),
    anonymous: run(limited, addressLine),
    anonymousFree: run(free, addressLine),
  }
  for (const contestant of Object.values(contestants)) await contestant()
  const found = await interleave(rounds, contestants, (round) => world.say(`limits: round ${round + 1} of ${rounds}`))
  await world.stopHost(limited.host)
  await world.stopHost(free.host)
  return [
    measurementOf('of a key', found.keyed, found.keyedFree),
    measurementOf('of addresses', found.anonymous, found.anonymousFree),
  ]
}

const startContender = async (world: BenchWorld, morePlugins: readonly object[]): Promise<Contender> => {
  const databaseUrl = await world.createDatabase()
  const config = { http: { trustedProxies: ['127.0.0.1'] } }
  const host = await world.startHost({ databaseUrl, morePlugins, config })
  await waitUntilQuoting(world, host.url)
  return { host, apiKey: await keyOf(databaseUrl) }
}

const keyOf = async (databaseUrl: string): Promise<string> => {
  const pool = createPool({ connectionString: databaseUrl, max: 1, applicationName: 'causeway bench' })
  try {
    return (await newApiKey(pool, 'bench')).apiKey
  } finally {
    await pool.end()
  }
}

const measurementOf = (
  who: string,
  { p50: value = Number.NaN }: Readonly<Record<string, number>>,
  { p50: floor = Number.NaN }: Readonly<Record<string, number>>,
): Measurement => ({
  case: 'n',
  what: `quotes ${who} with rate limits, p50`,
  unit: 'ms',
  value,
  floor,
  floorIs: 'the same without rate limits',
  target: { of: 'ratio', limit: 1.1, better: 'less' },
})
