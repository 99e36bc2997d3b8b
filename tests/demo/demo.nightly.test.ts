import { expect, it } from 'vitest'
import { runDemo } from './runDemo.js'

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

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
