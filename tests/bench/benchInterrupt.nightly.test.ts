import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { until } from '../harness/until.js'
import { descendantsOf, isRunning, type ProcessEntry } from './ownProcesses.js'

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist', 'bench', 'bench.js')
const LONG = 300_000

let started: readonly ProcessEntry[] = []

afterEach(() => {
  for (const { pid } of started.filter(isRunning)) process.kill(pid, 'SIGKILL')
})

it.each(['SIGTERM', 'SIGINT'] as const)(
  'a %s amid a case ends every process of the benchmark: PostgreSQL, chains, hosts and floor servers',
  async (signal) => {
    const bench = spawn(process.execPath, [PROGRAM, '--short', '--only', 'a'], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    bench.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const ended = once(bench, 'exit')
    // By then its floor servers run, beside a host.
    await until('the first round', async () => (said.includes('round 1') ? true : null), LONG)
    expect(said).toMatch(/^case a \(1 of 1\): POST \/quote .*, short$/m)
    started = descendantsOf(bench.pid ?? 0)
    // PostgreSQL with its workers, two chains, a host and two floor servers.
    expect(started.length).toBeGreaterThan(6)
    bench.kill(signal)
    await ended
    expect(started.filter(isRunning)).toEqual([])
  },
  LONG,
)
