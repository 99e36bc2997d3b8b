import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { INTEGRATOR, type PagesStage } from './pagesStage.js'
import { taskTimes } from './taskTrace.js'

/** One turn of a wheel by somebody in a hurry. */
const TURN_PIXELS = 600
const TURN_MS = 40
const LIMIT = 0
const LONG_MS = 50

/** Runs in the page: notes tasks over 50 ms, and the time between frames. */
const WATCH = `(() => {
  globalThis.watched = { tasks: [], frames: [] }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.watched.tasks.push(duration)
  }).observe({ type: 'longtask' })
  let last = performance.now()
  const frame = () => {
    const now = performance.now()
    globalThis.watched.frames.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
})()`

interface Watched {
  readonly tasks: readonly number[]
  readonly frames: readonly number[]
}

/** Turns the wheel through a long list, which loads as it goes. */
export const measureScrolling = async ({ browser, host, session, world }: PagesStage): Promise<Measurement[]> => {
  const { page, context } = await browser.open(host.url, { like: session })
  try {
    await page.goto(`/dashboard/requests?integratorId=${INTEGRATOR}`)
    const table = page.getByRole('table')
    await table.getByRole('row').nth(5).waitFor()
    await table.hover()
    await page.evaluate(WATCH)
    const times = await taskTimes(page, async () => {
      for (let turn = 0; turn < world.scale.pages.wheels; turn += 1) {
        await page.mouse.wheel(0, TURN_PIXELS)
        await wait(TURN_MS)
      }
    })
    const { tasks, frames } = await page.evaluate<Watched>('globalThis.watched')
    const last = await table.locator('[aria-rowindex]').last().getAttribute('aria-rowindex')
    world.say(`pages: ${tasks.length} tasks lasted over ${LONG_MS} ms while the machine did whatever it does`)
    return measured(Number(last), times, frames)
  } finally {
    await context.close()
  }
}

const measured = (rows: number, times: readonly number[], frames: readonly number[]): Measurement[] => [
  { case: 'x', what: 'requests scrolled through', unit: 'rows', value: rows },
  {
    case: 'x',
    what: 'long tasks while the list scrolls',
    unit: 'tasks',
    value: times.filter((time) => time > LONG_MS).length,
    target: { of: 'value', limit: LIMIT, better: 'less' },
  },
  { case: 'x', what: 'processor of the longest task while the list scrolls', unit: 'ms', value: Math.max(...times) },
  {
    case: 'x',
    what: 'time between frames while the list scrolls, p99',
    unit: 'ms',
    value: percentile(
      [...frames].sort((left, right) => left - right),
      0.99,
    ),
  },
]
