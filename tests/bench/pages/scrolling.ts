import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { INTEGRATOR, type PagesStage } from './pagesStage.js'

/** One turn of a wheel by somebody in a hurry. */
const TURN_PIXELS = 600
const TURN_MS = 40
const LIMIT = 0

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
  const { page, context } = await browser.open(host.url, { session })
  try {
    await page.goto(`/dashboard/requests?integratorId=${INTEGRATOR}`)
    const table = page.getByRole('table')
    await table.getByRole('row').nth(5).waitFor()
    await table.hover()
    await page.evaluate(WATCH)
    for (let turn = 0; turn < world.scale.pages.wheels; turn += 1) {
      await page.mouse.wheel(0, TURN_PIXELS)
      await wait(TURN_MS)
    }
    const { tasks, frames } = await page.evaluate<Watched>('globalThis.watched')
    const last = await table.locator('[aria-rowindex]').last().getAttribute('aria-rowindex')
    world.say(`pages: scrolled, tasks of ${tasks.map((task) => task.toFixed(0)).join(', ') || 'no'} ms over 50`)
    const sorted = [...frames].sort((left, right) => left - right)
    return [
      { case: 'x', what: 'requests scrolled through', unit: 'rows', value: Number(last) },
      {
        case: 'x',
        what: 'long tasks while the list scrolls',
        unit: 'tasks',
        value: tasks.length,
        target: { of: 'value', limit: LIMIT, better: 'less' },
      },
      {
        case: 'x',
        what: 'time between frames while the list scrolls, p99',
        unit: 'ms',
        value: percentile(sorted, 0.99),
      },
    ]
  } finally {
    await context.close()
  }
}
