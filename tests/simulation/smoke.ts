import 'reflect-metadata'
import { startSeedCluster } from './command/seedCluster.js'
import { openSeedWorld } from './command/seedWorld.js'
import { runSeed } from './runSeed.js'

const cluster = await startSeedCluster()
try {
  const { mkdtempSync, chmodSync } = await import('node:fs')
  const folder = mkdtempSync('/dev/shm/sim-')
  chmodSync(folder, 0o755)
  const world = await openSeedWorld({ server: cluster.url, folder })
  for (const seed of (process.argv[2] ?? '1').split(',').map(Number)) {
    const started = performance.now()
    const cpu = process.cpuUsage()
    const result = await runSeed(seed, world)
    const used = process.cpuUsage(cpu)
    if (process.env.STORY) console.log(result.story.join('\n'))
    console.log(
      seed,
      result.digest.slice(0, 12),
      `steps ${result.steps} payouts ${result.payouts} statements ${result.statements} events ${result.events} virtual ${result.virtualMs}`,
      Math.round(performance.now() - started),
      'ms, cpu',
      Math.round(used.user / 1000),
      Math.round(used.system / 1000),
    )
    for (const problem of result.problems) console.log('PROBLEM', problem.invariant, problem.words)
  }
  await world.database.close()
} catch (error) {
  console.error(error)
} finally {
  await cluster.stop()
}
