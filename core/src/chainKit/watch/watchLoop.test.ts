import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DepositEvent, WatchPage } from '../../chain/chainAdapter.js'
import { ServiceError } from '../../errors/serviceError.js'
import { WakeSignal } from '../heads/wakeSignal.js'
import { type WatchLoopDeps, type WatchStep, watchLoop } from './watchLoop.js'

const POLL_MS = 1000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What the loop carries along without looking into it. */
const DEPOSIT = {} as DepositEvent

const pageAt = (height: number, part: Partial<WatchPage> = {}): WatchPage => ({
  deposits: [],
  cursor: height,
  height: BigInt(height),
  tip: BigInt(height),
  rewoundTo: null,
  ...part,
})

const stepTo = (height: number, rest: WatchStep<number>['rest'] = 'full', part: Partial<WatchPage> = {}) => ({
  cursor: height,
  page: pageAt(height, part),
  rest,
})

const NOTHING = { cursor: 7, page: null, rest: 'full' } as const

type Answer = WatchStep<number> | Error | (() => WatchStep<number>)

/** Runs the loop over given answers, then over nothing new; `steps` are the cursors asked for, with when. */
const run = (answers: readonly Answer[], options: Partial<WatchLoopDeps<number>> = {}) => {
  const begunAt = Date.now()
  const left = [...answers]
  const steps: [cursor: number, at: number][] = []
  const told: WatchPage[] = []
  const warned: unknown[] = []
  const wake = new WakeSignal()
  const stop = new AbortController()
  const loop = watchLoop<number>(stop.signal, {
    begin: async () => 7,
    step: async (cursor) => {
      steps.push([cursor, Date.now() - begunAt])
      const answer = left.shift() ?? { ...NOTHING, cursor }
      if (answer instanceof Error) throw answer
      return typeof answer === 'function' ? answer() : answer
    },
    wake,
    pollIntervalMs: POLL_MS,
    logger: pino({ level: 'warn' }, { write: (line) => void warned.push(JSON.parse(line).failures) }),
    ...options,
  })
  const ended = (async () => {
    for await (const page of loop) told.push(page)
  })()
  // Whoever awaits it learns of the failure.
  ended.catch(() => undefined)
  return { steps, told, warned, wake, stop, ended, heights: () => told.map(({ height }) => Number(height)) }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const nodeFails = new ServiceError('RPC_HTTP_ERROR', 'No node answers.')

describe('reading on', () => {
  test('steps follow each other while more waits, each from where the last one ended, then it rests', async () => {
    const { steps, heights } = run([stepTo(10, 'none'), stepTo(20, 'none'), stepTo(25)])
    await pass(POLL_MS - 1)
    expect(steps).toEqual([
      [7, 0],
      [10, 0],
      [20, 0],
    ])
    await pass(1)
    expect(steps.at(-1)).toEqual([25, POLL_MS])
    expect(heights()).toEqual([10, 20, 25])
  })

  test('a short rest is a moment, whatever the interval', async () => {
    const { steps } = run([{ ...NOTHING, rest: 'short' }])
    await pass(49)
    expect(steps).toHaveLength(1)
    await pass(1)
    expect(steps).toHaveLength(2)
  })

  test('nothing is read ahead of a page that is being stored', async () => {
    const steps: number[] = []
    const step = async (cursor: number) => {
      steps.push(cursor)
      return stepTo(cursor + 1, 'none')
    }
    const { logger, wake } = { logger: pino({ level: 'silent' }), wake: new WakeSignal() }
    const signal = new AbortController().signal
    const loop = watchLoop<number>(signal, { begin: async () => 1, step, wake, pollIntervalMs: POLL_MS, logger })
    await loop.next()
    await pass(10 * POLL_MS)
    expect(steps).toEqual([1])
    await loop.next()
    expect(steps).toEqual([1, 2])
    await loop.return(undefined)
  })
})

describe('hints', () => {
  test('a hint ends the rest', async () => {
    const { steps, wake } = run([])
    await pass(300)
    wake.hint()
    await pass(0)
    expect(steps.map(([, at]) => at)).toEqual([0, 300])
  })

  test('F160: a flood of hints causes twenty steps a second, and the last hint is not lost', async () => {
    const { steps, wake } = run([])
    for (let times = 0; times < 1000; times++) {
      wake.hint()
      await pass(1)
    }
    expect(steps.length).toBeLessThanOrEqual(22)
    const before = steps.length
    wake.hint()
    await pass(POLL_MS / 2)
    expect(steps.length).toBeGreaterThan(before)
  })

  test('a hint that came during a step, or while its page was stored, is not lost', async () => {
    const { steps, wake } = run([
      () => {
        wake.hint()
        return NOTHING
      },
    ])
    await pass(0)
    expect(steps).toHaveLength(2)
    await pass(POLL_MS - 1)
    expect(steps).toHaveLength(2)

    const stop = new AbortController()
    let taken = 0
    const step = async () => {
      taken += 1
      return stepTo(taken)
    }
    const logger = pino({ level: 'silent' })
    const loop = watchLoop<number>(stop.signal, { begin: async () => 1, step, wake, pollIntervalMs: POLL_MS, logger })
    await loop.next()
    wake.hint()
    const next = loop.next()
    await pass(0)
    expect(taken).toBe(2)
    await next
    stop.abort()
    expect(await loop.next()).toMatchObject({ done: true })
  })
})

describe('failures', () => {
  test('while nodes fail it asks ever more rarely for the same cursor, and as before once one answers', async () => {
    const { steps, warned } = run([stepTo(10, 'none'), nodeFails, nodeFails, nodeFails, nodeFails, nodeFails, NOTHING])
    await pass(60_000)
    expect(steps.slice(0, 9)).toEqual([
      [7, 0],
      [10, 0],
      [10, 2000],
      [10, 6000],
      [10, 14_000],
      [10, 24_000],
      [10, 34_000],
      [7, 35_000],
      [7, 36_000],
    ])
    expect(warned).toEqual([1, 2, 3, 4, 5])
  })

  test('the longest rest can be told', async () => {
    const { steps } = run([nodeFails, nodeFails], { maxRestMs: 1500 })
    await pass(4000)
    expect(steps.map(([, at]) => at)).toEqual([0, 1500, 3000, 4000])
  })

  test('a hint that came before does not cut the back-off short, one during it does', async () => {
    const { steps, wake } = run([
      () => {
        wake.hint()
        throw nodeFails
      },
    ])
    await pass(1999)
    expect(steps).toHaveLength(1)
    wake.hint()
    await pass(0)
    expect(steps).toHaveLength(2)
  })

  test('where to begin is asked again, and once', async () => {
    const answers: (number | Error)[] = [nodeFails, 9]
    const begin = async () => {
      const answer = answers.shift()
      if (typeof answer !== 'number') throw answer
      return answer
    }
    const { steps } = run([], { begin })
    await pass(4000)
    expect(steps).toEqual([
      [9, 2000],
      [9, 3000],
      [9, 4000],
    ])
  })

  test('a programming error ends it, in a step and where it begins', async () => {
    const bug = new TypeError('a bug')
    const stepping = run([stepTo(8, 'none'), bug])
    await pass(0)
    await expect(stepping.ended).rejects.toBe(bug)
    const beginning = run([], { begin: () => Promise.reject(bug) })
    await expect(beginning.ended).rejects.toBe(bug)
    await pass(60_000)
    expect([stepping.steps.length, beginning.steps.length]).toEqual([2, 0])
  })
})

describe('the end', () => {
  test('an abort ends a rest, a back-off, and a step whose page is not told any more', async () => {
    const resting = run([])
    await pass(10)
    resting.stop.abort()
    await resting.ended
    const failing = run([nodeFails])
    await pass(10)
    failing.stop.abort()
    await failing.ended
    const reading: ReturnType<typeof run> = run([
      () => {
        reading.stop.abort()
        return stepTo(8, 'none', { deposits: [DEPOSIT] })
      },
    ])
    await reading.ended
    expect(reading.told).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('one that has aborted before reads nothing', async () => {
    const begin = vi.fn(async () => 7)
    const { stop, ended } = run([], { begin })
    const early = new AbortController()
    early.abort()
    const { steps: none } = { steps: [] as number[] }
    const step = async () => stepTo(none.push(1))
    const deps = { begin, step, wake: new WakeSignal(), pollIntervalMs: 1, logger: pino({ level: 'silent' }) }
    expect(await watchLoop<number>(early.signal, deps).next()).toMatchObject({ done: true })
    expect(none).toEqual([])
    stop.abort()
    await ended
  })
})

describe('pages without deposits', () => {
  test('tell a new height, each once, the first in any case', async () => {
    const { heights, told } = run([
      stepTo(7, 'none'),
      stepTo(7, 'none'),
      stepTo(8, 'none'),
      stepTo(8, 'none', { deposits: [DEPOSIT] }),
      stepTo(8, 'none', { rewoundTo: 5n }),
      stepTo(8, 'none', { executions: [] }),
    ])
    await pass(0)
    expect(heights()).toEqual([7, 8, 8, 8])
    expect(told.map(({ deposits, rewoundTo }) => [deposits.length, rewoundTo])).toEqual([
      [0, null],
      [0, null],
      [1, null],
      [0, 5n],
    ])
  })

  test('are told as rarely as is worth a write: after so many blocks, or so long', async () => {
    const every = [8, 9, 108, 109, 110].map((height) => stepTo(height, 'none'))
    const { heights } = run([...every, { ...NOTHING, cursor: 110 }, stepTo(110)], { quiet: { blocks: 100n, ms: 1000 } })
    await pass(0)
    expect(heights()).toEqual([8, 108])
    await pass(POLL_MS)
    expect(heights()).toEqual([8, 108, 110])
  })
})
