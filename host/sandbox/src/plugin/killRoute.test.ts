import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withHost } from '../state/sandboxState.js'
import { killRoute } from './killRoute.js'
import type { RunningSandbox } from './runningSandbox.js'

const NOW = Date.UTC(2026, 10, 1)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A host that was started so often, the last time so long ago. */
const hostWith = ({ starts = 1, agoMs = 0, isKept = true }) => {
  const state = Array.from({ length: starts }, (_, at) => at + 1).reduce(
    (left, pid) => withHost(left, pid, new Date(NOW - agoMs)),
    // CAST: nothing else of it is looked at.
    { hostPid: null } as ReturnType<RunningSandbox['usable']>,
  )
  const done: string[] = []
  const route = killRoute({
    sandbox: { usable: () => state, isKept: () => isKept },
    clock: { now: () => NOW },
    kill: () => void done.push('killed'),
    flushLog: () => void done.push('flushed'),
  })
  // CAST: the handler looks at the log alone.
  const input = { ctx: { log: { warn: () => undefined } } } as unknown as Parameters<typeof route.handler>[0]
  return { done, ask: () => route.handler(input) }
}

it('the answer goes before the process does, and the log is written before both', () => {
  const { ask, done } = hostWith({})
  expect(ask()).toMatchObject({ status: 202, body: { pid: process.pid } })
  expect(done).toEqual(['flushed'])
  vi.advanceTimersByTime(1_000)
  expect(done).toEqual(['flushed', 'killed'])
})

it('a host is killed once, and one that was started again not within ten seconds', () => {
  const { ask, done } = hostWith({})
  ask()
  expect(ask).toThrow(expect.objectContaining({ status: 429 }))
  vi.advanceTimersByTime(1_000)
  expect(done).toEqual(['flushed', 'killed'])
  expect(hostWith({ starts: 2, agoMs: 9_000 }).ask).toThrow(
    expect.objectContaining({ status: 429, headers: { 'retry-after': '1' } }),
  )
  expect(hostWith({ starts: 2, agoMs: 10_000 }).ask()).toMatchObject({ status: 202 })
})

it('a host is not killed where nobody would start it again', () => {
  const { ask, done } = hostWith({ isKept: false })
  expect(ask).toThrow(expect.objectContaining({ status: 409 }))
  vi.advanceTimersByTime(1_000)
  expect(done).toEqual([])
})
