import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const DEMO = fileURLToPath(new URL('../dist/demo/demo.js', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly output: string
  /** The last line of stdout, which is JSON. */
  readonly last: Record<string, unknown>
}

/** The built demo, as `npm run demo` runs it; `onOutput` may signal it. */
const runDemo = (words: readonly string[], onOutput?: (output: string, kill: () => void) => void): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [DEMO, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      onOutput?.(output, () => child.kill('SIGINT'))
    })
    child.once('error', reject)
    child.once('close', (code) => {
      try {
        resolve({ code, output, last: JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') })
      } catch (error) {
        reject(new Error(`The demo's last line is not JSON:\n${output}`, { cause: error }))
      }
    })
  })

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('moves value, refunds, earns, sponsors, pays a claim, fills ahead of a deposit, sends for accounts without gas, survives a kill and balances its books (architecture.md 7, faults.md)', async () => {
  const { code, output, last } = await runDemo([])
  expect(last, output).toEqual({
    ok: true,
    transfers: expect.any(Array),
    refunds: 1,
    claims: 1,
    fastFills: 1,
    gasless: 2,
    killed: true,
    ledgerBalanced: true,
    totalSeconds: expect.any(Number),
  })
  expect(code).toBe(0)
  const { transfers } = last
  expect(transfers).toHaveLength(39)
  const transfer = {
    requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    status: 'success',
    quoteMs: expect.any(Number),
    depositToFillMs: expect.any(Number),
  }
  expect(transfers).toEqual(Array.from({ length: 39 }, () => transfer))
}, 300_000)

it('stops everything it started when it is interrupted, and says so in its last line', async () => {
  let signalled = false
  const { code, output, last } = await runDemo([], (text, kill) => {
    if (signalled || !text.includes('the host is process')) return
    signalled = true
    kill()
  })
  expect(last).toMatchObject({ ok: false, error: 'Stopped by SIGINT' })
  expect(code).toBe(1)
  const hostPid = Number(/the host is process (\d+)/.exec(output)?.[1])
  expect(isAlive(hostPid)).toBe(false)
})

it('refuses options it does not know in the same form', async () => {
  const { code, last } = await runDemo(['--fast'])
  expect(last).toMatchObject({ ok: false, error: expect.stringContaining('--fast') })
  expect(code).toBe(1)
})
