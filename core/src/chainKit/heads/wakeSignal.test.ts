import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WakeSignal } from './wakeSignal.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Rests, and tells whether the rest is over. */
const resting = (
  wake: WakeSignal,
  ms: number,
  options: { readonly signal?: AbortSignal; readonly since?: number } = {},
) => {
  const rest = { over: false }
  void wake.rest(ms, options.signal ?? new AbortController().signal, options.since).then(() => {
    rest.over = true
  })
  return rest
}

const settle = () => vi.advanceTimersByTimeAsync(0)

test('a rest takes its time, and a hint ends those of all who rest', async () => {
  const wake = new WakeSignal()
  const [short, one, other] = [resting(wake, 100), resting(wake, 5000), resting(wake, 5000)]
  await vi.advanceTimersByTimeAsync(99)
  expect(short.over).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect([short.over, one.over]).toEqual([true, false])
  wake.hint()
  await settle()
  expect([one.over, other.over]).toEqual([true, true])
  expect(vi.getTimerCount()).toBe(0)
})

test('a hint that came while somebody was busy ends the next rest at once, once', async () => {
  const wake = new WakeSignal()
  const before = wake.hints
  wake.hint()
  const [kept, unaware, later] = [
    resting(wake, 5000, { since: before }),
    resting(wake, 5000),
    resting(wake, 5000, { since: wake.hints }),
  ]
  await settle()
  expect([kept.over, unaware.over, later.over]).toEqual([true, false, false])
})

test('to wake those who rest is no hint: who is busy learns nothing', async () => {
  const wake = new WakeSignal()
  const rest = resting(wake, 5000)
  wake.wake()
  await settle()
  expect([rest.over, wake.hints]).toEqual([true, 0])
  const next = resting(wake, 5000, { since: 0 })
  await settle()
  expect(next.over).toBe(false)
})

test('an abort ends a rest, and there is none after it', async () => {
  const wake = new WakeSignal()
  const stop = new AbortController()
  const { signal } = stop
  const rest = resting(wake, 5000, { signal })
  stop.abort()
  const late = resting(wake, 5000, { signal })
  await settle()
  expect([rest.over, late.over]).toEqual([true, true])
  expect(vi.getTimerCount()).toBe(0)
})
