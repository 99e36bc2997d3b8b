import 'reflect-metadata'
import { mkdirSync, writeFileSync } from 'node:fs'
import { environmentOf, startEmbeddedPostgres } from '@causeway/core'
import { queryOver } from './database/query.js'
import { takeSnapshot } from './database/snapshot.js'
import { connectionTo, createWorldDatabase, filesIn } from './database/worldDatabase.js'
import { SimDatabase } from './kernel/simDatabase.js'
import { runSeed } from './runSeed.js'
import { BEGINNING } from './world.js'

const folder = `/dev/shm/sim-${process.pid}`
mkdirSync(folder, { mode: 0o755 })
const files = filesIn(folder)
writeFileSync(files.time, `${BEGINNING}       `)
writeFileSync(files.identity, '7000000000000000001 1 ')
const server = await startEmbeddedPostgres({
  dataDir: `${folder}/pg`,
  settings: ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off', 'deadlock_timeout=1ms', 'shared_buffers=32MB', 'jit=off'],
  environment: environmentOf(process.env),
})
try {
  const url = await createWorldDatabase(server.url, files)
  const database = new SimDatabase(connectionTo(url))
  const fresh = await takeSnapshot(queryOver(await database.side()))
  const log = process.env.SIM_LOG === undefined ? undefined : (line: string) => process.stdout.write(line)
  for (const seed of (process.argv[2] ?? '1,1,2').split(',').map(Number)) {
    const started = performance.now()
    const cpu = process.cpuUsage()
    const result = await runSeed(seed, { database, databaseUrl: url, files, fresh, log })
    const used = process.cpuUsage(cpu)
    if (process.env.STORY) console.log(result.story.join('\n'))
    console.log(seed, result.digest.slice(0, 12), `steps ${result.steps} payouts ${result.payouts} statements ${result.statements} events ${result.events} virtual ${result.virtualMs}`, Math.round(performance.now() - started), 'ms, cpu', Math.round((used.user + used.system) / 1000))
    for (const problem of result.problems) console.log('PROBLEM', problem.invariant, problem.words)
  }
  await database.close()
} finally {
  await server.stop()
}
