import { parseArgs } from 'node:util'
import { createPool, migrate } from '@causeway/core/plugin'
import { paceText, type SeedPace } from './seedPace.js'
import { checkSeeded, SEEDED_PACKAGES, seedRequests } from './seedRequests.js'

const HELP = `npm run seed -- [options]

Writes plausible requests of every state, chain pair and VM straight into the tables of a database: for benchmarks and for looking at
query plans, never for one that serves people. The same seed gives the same requests. All or nothing: when it is stopped,
nothing is stored.

  --requests <n>     how many, default 100000
  --database <url>   where to; default: DATABASE_URL
  --seed <n>         default 1
  --force            add to a database that holds requests already
  --help             this text`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    database: { type: 'string' },
    seed: { type: 'string', default: '1' },
    force: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const wholeNumber = (name: string, text: string): number => {
  if (!/^[0-9]{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}

const run = async (): Promise<void> => {
  const requests = wholeNumber('requests', values.requests)
  const seed = wholeNumber('seed', values.seed)
  const connectionString = values.database ?? process.env.DATABASE_URL
  if (connectionString === undefined) throw new Error('Name a database: --database <url>, or DATABASE_URL.')
  const pool = createPool({ connectionString, max: 2, applicationName: 'causeway seed' })
  try {
    await migrate(pool, { packages: SEEDED_PACKAGES })
    const pace: SeedPace = { total: requests, startedAt: performance.now() }
    await seedRequests(connectionString, {
      requests,
      seed,
      force: values.force,
      onProgress: (done) => process.stderr.write(`\r${paceText(pace, done, performance.now())}`),
    })
    const { requests: all, terms } = await checkSeeded(pool)
    console.error(
      `\n${all} requests, ${terms} terms; the counts agree. ${((performance.now() - pace.startedAt) / 1_000).toFixed(0)} s`,
    )
  } finally {
    await pool.end()
  }
}

if (values.help) console.log(HELP)
else {
  await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  })
}
