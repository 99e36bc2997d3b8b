import 'reflect-metadata'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { startEmbeddedPostgres, environmentOf } from '@causeway/core'
import { connectionTo, createWorldDatabase, filesIn } from './database/worldDatabase.js'
import { startSimHost } from './host/simHost.js'
import { Kernel } from './kernel/kernel.js'
import { seeded } from './kernel/random.js'
import { SimDatabase } from './kernel/simDatabase.js'
import { SimProcess } from './kernel/simProcess.js'

const folder = `/tmp/sim-${process.pid}`
mkdirSync(folder, { mode: 0o755 })
const files = filesIn(folder)
writeFileSync(files.time, '1795392000000       ')
writeFileSync(files.identity, '7000000000000000001 1 ')
const server = await startEmbeddedPostgres({
  dataDir: `/dev/shm/sim-${process.pid}/pg`,
  settings: ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off', 'deadlock_timeout=1ms', 'shared_buffers=32MB', 'jit=off'],
  environment: environmentOf(process.env),
})
try {
  console.time('create')
  const url = await createWorldDatabase(server.url, files)
  console.timeEnd('create')
  for (const seed of [1, 1, 2]) {
    const database = new SimDatabase(connectionTo(url))
    const random = seeded(seed)
    const kernel = new Kernel({ random: random.fork('kernel'), database, origin: 1795392000000, timeFile: files.time })
    const hash = createHash('sha256')
    const kinds = new Map<string, number>()
    database.onStatement = (p, text, { error, result }) => {
      const key = text.slice(0, 60)
      kinds.set(key, (kinds.get(key) ?? 0) + 1)
      hash.update(`${p.name} ${text} ${error?.message ?? ''} ${JSON.stringify(result?.rows ?? [], (_k, v) => (typeof v === 'bigint' ? v.toString() : v))}\n`)
    }
    const started = performance.now()
    const cpu = process.cpuUsage()
    for (const name of ['one', 'two']) {
      const p = new SimProcess(name, random.fork(name))
      let done = false
      p.run(() =>
        startSimHost({ kernel, process: p, databaseUrl: url, openChains: () => [], signers: {}, keys: new Map(), leaseMs: 6000 }),
      ).then(() => { done = true }, (e: unknown) => console.log('start failed', e))
      await kernel.run(kernel.time.now + 5_000, () => done)
      console.log(name, done, kernel.time.now)
    }
    await kernel.run(60_000)
    const used = process.cpuUsage(cpu)
    console.log(seed, hash.digest('hex').slice(0, 16), kernel.events, database.statements, Math.round(performance.now() - started), 'ms', Math.round((used.user + used.system) / 1000))
    if (process.env.KINDS) console.log([...kinds].sort((a, b) => b[1] - a[1]).slice(0, 25))
    kernel.close()
    await database.close()
  }
} finally {
  await server.stop()
}
