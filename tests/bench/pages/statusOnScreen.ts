import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { percentile } from '../rounds.js'
import { followStatus, moveStatus, nextMessage } from '../statusChanges.js'
import type { Measurement } from '../table.js'
import type { PagesStage } from './pagesStage.js'

const PAUSE_MS = 50
const LIMIT = 5
const CLOCK_LOOKS = 20

/** Runs in the page: `changeOf(n)` is when the status that it shows became another for the n-th time. */
const WATCH = `(() => {
  const shown = () => document.querySelector('main p[role="status"]')?.textContent ?? null
  const changes = []
  let waiting = null
  globalThis.changeOf = (number) =>
    new Promise((resolve) => {
      if (changes.length > number) resolve(changes[number])
      else waiting = resolve
    })
  let before = shown()
  new MutationObserver(() => {
    const now = shown()
    if (now === before || now === null) return
    before = now
    changes.push(performance.timeOrigin + performance.now())
    waiting?.(changes.at(-1))
    waiting = null
  }).observe(document.querySelector('main'), { childList: true, subtree: true, attributes: true, characterData: true })
})()`

const here = (): number => performance.timeOrigin + performance.now()

/** How far the page's clock is ahead of ours: as in the look at it that took least time. */
const clockAhead = async (page: Page): Promise<number> => {
  let best = { took: Number.POSITIVE_INFINITY, ahead: 0 }
  for (let look = 0; look < CLOCK_LOOKS; look += 1) {
    const before = here()
    const there = await page.evaluate<number>('performance.timeOrigin + performance.now()')
    const took = here() - before
    if (took < best.took) best = { took, ahead: there - before - took / 2 }
  }
  return best.ahead
}

/** From the commit of a status change until the page of the transfer shows it, against a client that only listens. */
export const measureStatusOnScreen = async (stage: PagesStage): Promise<Measurement[]> => {
  const { browser, host, pool, request, world } = stage
  const { page, context } = await browser.open(host.url)
  const socket = await followStatus(host.url, request)
  const shown: number[] = []
  const told: number[] = []
  try {
    const followed = page.waitForEvent('websocket').then((own) => own.waitForEvent('framereceived'))
    await page.goto(`/track/${request}`)
    await page.locator('main p[role="status"]').waitFor()
    await followed
    await page.evaluate(WATCH)
    const ahead = await clockAhead(page)
    for (let change = 0; change < world.scale.changesToTell; change += 1) {
      const heard = nextMessage(socket).then(here)
      const at = performance.timeOrigin + (await moveStatus(pool, request))
      told.push((await heard) - at)
      const seenAt = await page.evaluate<number>(`globalThis.changeOf(${change})`)
      shown.push(seenAt - ahead - at)
      await wait(PAUSE_MS)
    }
  } finally {
    socket.terminate()
    await context.close()
  }
  const sorted = (values: number[]) => values.sort((left, right) => left - right)
  const line = (share: number): Measurement => ({
    case: 'x',
    what: `status change to the screen, p${share * 100}`,
    unit: 'ms',
    value: percentile(sorted(shown), share),
    floor: percentile(sorted(told), share),
    floorIs: 'a websocket client of the same run',
    ...(share === 0.5 ? { target: { of: 'ratio', limit: LIMIT, better: 'less' } } : {}),
  })
  return [line(0.5), line(0.99)]
}
