import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { withinTime } from './withinTime.js'

const hold = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('work within a time', () => {
  it('is ended after it, and told so', async () => {
    const started = performance.now()
    const heard: unknown[] = []
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          heard.push(signal.reason)
          reject(new Error('given up'))
        })
      })
    // Waiting for a limit alone keeps no process alive.
    const alive = setInterval(() => undefined, 1_000)
    await expect(withinTime(200, work)).rejects.toThrow('It did not answer in time')
    clearInterval(alive)
    expect(performance.now() - started).toBeGreaterThan(190)
    expect(heard).toEqual([new Error('It did not answer in time')])
  })

  it('that does not heed its signal is not waited for', async () => {
    const alive = setInterval(() => undefined, 1_000)
    await expect(withinTime(100, () => new Promise(() => undefined))).rejects.toThrow('It did not answer in time')
    clearInterval(alive)
  })

  it('that was done while the process was held up counts', async () => {
    // As a price file is read: several turns of the event loop.
    const read = withinTime(100, () => readFile(import.meta.filename, 'utf8'))
    hold(300)
    expect(await read).toContain('several turns')
  })

  it('fails as the work fails', async () => {
    await expect(withinTime(1_000, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  })
})
