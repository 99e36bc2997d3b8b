import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { timeLimit } from './timeLimit.js'

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }))

const hold = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('a time limit', () => {
  it('ends after its time, and says what happened', async () => {
    const started = performance.now()
    // Such timers alone keep no process alive.
    const alive = setInterval(() => undefined, 1_000)
    expect(await aborted(timeLimit(200))).toEqual(new Error('It did not answer in time'))
    clearInterval(alive)
    expect(performance.now() - started).toBeGreaterThan(190)
  })

  it('leaves what was answered while the process was held up', async () => {
    const signal = timeLimit(100)
    // As a price file is read: several turns of the event loop.
    const answer = readFile(import.meta.filename, 'utf8')
    hold(300)
    expect(await Promise.race([answer, aborted(signal)])).toBe(await answer)
  })
})
