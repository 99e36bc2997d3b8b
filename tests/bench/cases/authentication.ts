import 'reflect-metadata'
import { CLOCK, systemClock } from '@causeway/core'
import { EnvironmentKeys } from '@causeway/core/host'
import {
  createPool,
  DEPLOYMENT,
  INTEGRATOR_AUTH,
  type IntegratorAuth,
  KEYS,
  LOGGER,
  NOTIFIER,
  POOL,
  PostgresNotifier,
} from '@causeway/core/plugin'
import apiKeysPlugin from '@causeway/plugin-api-keys'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { container as rootContainer } from 'tsyringe'
import { newApiKey, TEST_MASTER } from '../../harness/host/host.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { runLoad } from '../httpLoad.js'
import { quoteBodies } from '../quoteRequests.js'
import { interleave, percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { numbers } from './quotes.js'

const LOOKS = 20_000
const ADDED_MS = 0.1

/** The plugin's authentication, as a host has it. */
const openAuth = async (pool: Pool, url: string): Promise<{ auth: IntegratorAuth; stop(): Promise<void> }> => {
  const container = rootContainer.createChildContainer()
  const options = { maxKeysPerIntegrator: 50, proxy: { origins: [] } }
  const context = { container, options }
  container.registerInstance(POOL, pool)
  container.registerInstance(CLOCK, systemClock)
  container.registerInstance(LOGGER, pino({ level: 'silent' }))
  container.registerInstance(NOTIFIER, new PostgresNotifier({ connectionString: url }))
  container.registerInstance(KEYS, new EnvironmentKeys(new Map([['master', TEST_MASTER]])))
  container.registerInstance(DEPLOYMENT, { network: 'testnet', serviceName: 'relay', version: '1.0.0' })
  await apiKeysPlugin.register?.({
    ...context,
    provide: (token, factory) => void container.register(token, { useFactory: factory }),
  })
  return { auth: container.resolve(INTEGRATOR_AUTH), stop: async () => apiKeysPlugin.stop?.(context) }
}

/** p50 in milliseconds of telling who calls, the key being known; the database is asked again every five seconds. */
const timeLooks = async (auth: IntegratorAuth, apiKey: string): Promise<number> => {
  const times = new Float64Array(LOOKS)
  await auth.authenticate(apiKey)
  for (let index = 0; index < LOOKS; index += 1) {
    const startedAt = performance.now()
    await auth.authenticate(apiKey)
    times[index] = performance.now() - startedAt
  }
  times.sort()
  return percentile(times, 0.5)
}

/** (m) What a key adds: the look-up itself, and the same calls with and without a key over HTTP. */
export const measureAuthentication = async (world: BenchWorld): Promise<Measurement[]> => {
  const databaseUrl = await world.createDatabase()
  const host = await world.startHost({ databaseUrl })
  await waitUntilQuoting(world, host.url)
  const pool = createPool({ connectionString: databaseUrl, max: 2, applicationName: 'causeway bench' })
  const { apiKey } = await newApiKey(pool, 'bench')
  const { auth, stop } = await openAuth(pool, databaseUrl)
  const look = await timeLooks(auth, apiKey)
  await stop()
  await pool.end()
  const load = { url: host.url, path: '/price', body: quoteBodies(world).returning, connections: 1 }
  const run = (headers: string) => async () =>
    numbers(await runLoad({ ...load, headers: () => headers, requests: world.scale.requests }))
  const contestants = { without: run(''), with: run(`x-api-key: ${apiKey}\r\n`) }
  for (const contestant of Object.values(contestants)) await contestant()
  const { rounds } = world.scale
  const results = await interleave(rounds, contestants, (round) => world.say(`keys: round ${round + 1} of ${rounds}`))
  await world.stopHost(host)
  const p50 = (name: 'with' | 'without') => results[name].p50 ?? Number.NaN
  return [
    {
      case: 'm',
      what: 'telling who calls with a known key, p50',
      unit: 'ms',
      value: look,
      target: { of: 'value', limit: ADDED_MS, better: 'less' },
    },
    {
      case: 'm',
      what: 'POST /price with a key, p50',
      unit: 'ms',
      value: p50('with'),
      floor: p50('without'),
      floorIs: 'the same without a key',
    },
  ]
}
