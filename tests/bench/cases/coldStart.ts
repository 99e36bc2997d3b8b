import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostCommand } from '../../harness/host/hostProcess.js'
import type { BenchWorld } from '../benchWorld.js'
import { quoteBodies } from '../quoteRequests.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'

const TIME_LIMIT_MS = 60_000

/** (e) From spawning the built host, its database and chains running, to its first quote, against an empty Node process. */
export const measureColdStart = async (world: BenchWorld): Promise<Measurement[]> => {
  const databaseUrl = await world.createDatabase()
  const body = quoteBodies(world).returning(0)
  const contestants = {
    host: async () => ({ milliseconds: await timeToQuote(world, databaseUrl, body) }),
    node: async () => ({ milliseconds: await timeOf(['-e', '0']) }),
  }
  // The first start migrates the database and reads the inventory, which is not what a restart does.
  await contestants.host()
  const results = await interleave(world.scale.rounds, contestants, (round) =>
    world.say(`cold start: round ${round + 1}`),
  )
  return [
    {
      case: 'e',
      what: 'spawn to first quote',
      unit: 'ms',
      value: results.host.milliseconds ?? Number.NaN,
      floor: results.node.milliseconds ?? Number.NaN,
      floorIs: 'node -e 0',
      target: { of: 'ratio', limit: 15, better: 'less' },
    },
  ]
}

const timeOf = async (args: readonly string[]): Promise<number> => {
  const startedAt = performance.now()
  await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit')
  return performance.now() - startedAt
}

const timeToQuote = async ({ network }: BenchWorld, databaseUrl: string, body: string): Promise<number> => {
  const { url, args, env } = await hostCommand({ network, databaseUrl })
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'ignore', env })
  const ended = once(child, 'exit')
  try {
    while (!(await quotes(url, body))) {
      if (performance.now() - startedAt > TIME_LIMIT_MS) throw new Error('The host did not quote in time.')
    }
    return performance.now() - startedAt
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const RETRY_MS = 5

const quotes = async (url: string, body: string): Promise<boolean> => {
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/quote`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    if (response.ok) return true
  } catch {
    // Nobody listens yet.
  }
  await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  return false
}
