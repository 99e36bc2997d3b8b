import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { LeasedCounts } from './leasedCounts.js'
import { RedisCounter } from './redisCounter.js'

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
const program = folders.map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path))
const required = process.env.CAUSEWAY_REQUIRE_REDIS === '1'
const PASSWORD = 'open-sesame-of-tests'

const startRedis = async (binary: string, port: number, folder: string): Promise<ChildProcess> => {
  const child = spawn(
    binary,
    ['--port', String(port), '--bind', '127.0.0.1', '--requirepass', PASSWORD, '--save', '', '--dir', folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('Redis ended')))
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Ready to accept connections')) resolve()
    })
  })
  return child
}

const stopRedis = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

/** Asks again until it holds. */
const until = (check: () => Promise<boolean>): Promise<void> =>
  vi.waitFor(async () => expect(await check()).toBe(true), { timeout: 60_000, interval: 20 })

if (program === undefined && required) {
  it('finds the redis-server that CAUSEWAY_REQUIRE_REDIS asks for', () => expect(program).toBeDefined())
}

const title = program === undefined ? ' (skipped: there is no redis-server on this machine)' : ''

describe.skipIf(program === undefined)(`limits counted in Redis${title}`, () => {
  let folder: string
  let url: string
  let port: number
  let redis: ChildProcess
  const opened: RedisCounter[] = []

  const openCounter = (timeoutMs: number) => {
    const counter = new RedisCounter({ url, prefix: 'causeway', timeoutMs })
    opened.push(counter)
    return counter
  }

  /** A busy machine may be slow, which is no failure of the store; where it is away, nobody waits long. */
  const hostOf = (timeoutMs = 20_000) => {
    const failures: unknown[] = []
    const leases = new LeasedCounts({
      counter: openCounter(timeoutMs),
      sliceShare: 0.1,
      maxEntries: 100,
      now: () => performance.now(),
      onFailure: (error) => void failures.push(error),
    })
    return { leases, failures }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-redis-'))
    port = await freePort()
    url = `redis://:${PASSWORD}@127.0.0.1:${port}`
    redis = await startRedis(program ?? '', port, folder)
  })

  afterAll(async () => {
    await Promise.all(opened.map((counter) => counter.close()))
    await stopRedis(redis)
    rmSync(folder, { recursive: true, force: true })
  })

  it('two hosts together admit exactly the limit', async () => {
    const rule = { points: 50, seconds: 60 }
    const [one, two] = [hostOf(), hostOf()]
    let admitted = 0
    for (let call = 0; call < 140; call += 1) {
      const { leases } = call % 2 === 0 ? one : two
      const answer = await leases.take('quote:k:both', rule)
      if (answer.admitted) admitted += 1
      expect(answer.milliseconds).toBeGreaterThan(50_000)
    }
    expect(admitted).toBe(50)
    expect([...one.failures, ...two.failures]).toEqual([])
  })

  it('admit again as the oldest calls leave the window, and give back what a lease did not use', async () => {
    const { leases } = hostOf()
    const rule = { points: 1, seconds: 1 }
    await until(async () => !(await leases.take('quote:k:short', rule)).admitted)
    await until(async () => (await leases.take('quote:k:short', rule)).admitted)
    const counter = openCounter(20_000)
    const wide = { rule: { points: 10, seconds: 60 }, leaseMs: 3_000 }
    const first = await counter.take('quote:k:back', { ...wide, points: 4, settled: null })
    expect(first).toMatchObject({ granted: 4, counted: 4 })
    const settled = { id: first.id, unused: 3, earlierBy: 2_999 }
    const next = await counter.take('quote:k:back', { ...wide, points: 99, settled })
    expect(next).toMatchObject({ granted: 9, counted: 10 })
    expect(next.freeIn).toBeLessThanOrEqual(60_001)
  })

  it('without Redis each host admits the limit by itself, and they count together again when it is back', async () => {
    const host = hostOf(1_000)
    const rule = { points: 1, seconds: 60 }
    await host.leases.take('quote:k:first', rule)
    const asked = openCounter(1_000)
    await until(() => asked.answers())
    await stopRedis(redis)
    expect(await asked.answers()).toBe(false)
    expect((await host.leases.take('quote:k:gone', rule)).admitted).toBe(true)
    expect((await host.leases.take('quote:k:gone', rule)).admitted).toBe(false)
    expect(host.failures).toHaveLength(1)
    redis = await startRedis(program ?? '', port, folder)
    const other = openCounter(1_000)
    await until(() => asked.answers())
    await until(async () => {
      await host.leases.take('quote:k:again', { points: 100, seconds: 60 })
      const asked = { points: 1, rule: { points: 100, seconds: 60 }, leaseMs: 0, settled: null }
      return (await other.take('quote:k:again', asked)).counted > 10
    })
  })
})
