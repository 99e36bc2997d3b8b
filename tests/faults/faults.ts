import 'reflect-metadata'
import { parseArgs } from 'node:util'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, startTestPostgres, TEST_DATABASE_VARIABLE } from '@causeway/core/testing'
import { startLocalNetwork } from '../harness/localNetwork.js'
import { runSeed } from './crashSeed.js'

const HELP = `npm run faults -- [--seeds 200] [--first 1]

Crashes the money path at seeded random places, restarts it, and asks the chains whether every deposit was paid exactly once.
Ends with exit code 1 at the first seed that shows otherwise; the same seed crashes at the same places again.`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    first: { type: 'string', default: '1' },
    help: { type: 'boolean' },
  },
})

const main = async (): Promise<void> => {
  const seeds = Number(values.seeds)
  const first = Number(values.first)
  if (values.help || !Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(first)) {
    console.log(HELP)
    return
  }
  const postgres = await startTestPostgres()
  process.env[TEST_DATABASE_VARIABLE] = postgres.url
  const network = await startLocalNetwork({ blockTimeSeconds: 0.1 })
  const database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  const places = new Map<string, number>()
  const started = performance.now()
  try {
    for (let seed = first; seed < first + seeds; seed += 1) {
      const { crashes, problems } = await runSeed(seed, { network, databaseUrl: database.url })
      for (const place of crashes) places.set(place, (places.get(place) ?? 0) + 1)
      const seconds = ((performance.now() - started) / 1000).toFixed(0)
      console.log(`seed ${seed}  ${crashes.length === 0 ? 'no crash reached' : crashes.join(', ')}  ${seconds} s`)
      if (problems.length > 0) throw new Error(`Seed ${seed}: ${problems.join('; ')}`)
    }
    const crashes = [...places.values()].reduce((sum, count) => sum + count, 0)
    console.log(`${seeds} seeds, ${crashes} crashes at ${places.size} places, every deposit paid exactly once`)
  } finally {
    await database.drop()
    await network.close()
    await postgres.stop()
  }
}

await main().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
