import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { JobSupervisor } from './jobSupervisor.js'

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

const collectLog = () => {
  const lines: string[] = []
  return { lines, log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) }
}

describe('JobSupervisor', () => {
  it('starts a job again when it throws, with one line of log for each failure', async () => {
    const { lines, log } = collectLog()
    const restarts: string[] = []
    const supervisor = new JobSupervisor({ log, minBackoffMs: 1, onRestart: (job) => restarts.push(job) })
    let runs = 0
    supervisor.start({
      name: 'flaky',
      run: async (signal) => {
        runs += 1
        if (runs < 4) throw new Error('not yet')
        await untilAborted(signal)
      },
    })
    await expect.poll(() => runs).toBe(4)
    await supervisor.stop(1_000)
    expect(restarts).toEqual(['flaky', 'flaky', 'flaky'])
    expect(lines).toHaveLength(3)
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ job: 'flaky', failures: 3, waitMs: 4 })
  })

  it('does not run again what ended by itself', async () => {
    const supervisor = new JobSupervisor({ log: pino({ level: 'silent' }), minBackoffMs: 1 })
    let runs = 0
    const done = new Promise<void>((resolve) => {
      supervisor.start({
        name: 'once',
        run: async () => {
          runs += 1
          resolve()
        },
      })
    })
    await done
    await supervisor.stop(1_000)
    expect(runs).toBe(1)
  })

  it('stops in reverse order, each ended before the next is told', async () => {
    const supervisor = new JobSupervisor({ log: pino({ level: 'silent' }) })
    const ended: string[] = []
    for (const name of ['a', 'b', 'c']) {
      supervisor.start({
        name,
        run: async (signal) => {
          await untilAborted(signal)
          await new Promise((resolve) => setImmediate(resolve))
          ended.push(name)
        },
      })
    }
    await supervisor.stop(1_000)
    expect(ended).toEqual(['c', 'b', 'a'])
  })

  it('leaves behind, and names, a job that does not end', async () => {
    const { lines, log } = collectLog()
    const supervisor = new JobSupervisor({ log })
    supervisor.start({ name: 'stubborn', run: () => new Promise(() => undefined) })
    await supervisor.stop(5)
    expect(lines.join()).toContain('"job":"stubborn"')
  })
})
