import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'
import { BarePage } from './barePage.js'
import { serveEmptyPage } from './emptyPage.js'
import type { PagesStage } from './pagesStage.js'

/** What must be there before somebody can begin: a heading that shows, and something to use. */
interface View {
  readonly url: string
  readonly heading: string
  readonly control?: string
}

const SLOWER = 4
/** Until a new window of the browser has loaded its own parts, which would be measured with the page. */
const WINDOW_MS = 1_500
const LIMIT = 1.5

/**
 * Runs in the page before anything of it: `usable` is when the view has been painted. It looks once a frame, when the page is laid out
 * anyway: looking as elements come would lay it out without its style sheets, and again with them.
 */
const watchView = ({
  heading,
  control,
}: {
  readonly heading: string
  readonly control: string | null
}): string => `(() => {
  const isThere = () => {
    const head = document.querySelector(${JSON.stringify(heading)})
    if (head === null || head.offsetHeight === 0) return false
    return ${control === null ? 'true' : `document.querySelector(${JSON.stringify(control)}) !== null`}
  }
  globalThis.usable = new Promise((resolve) => {
    const look = () => {
      if (!isThere()) return requestAnimationFrame(look)
      const painted = new MessageChannel()
      painted.port1.onmessage = () => resolve(performance.now())
      painted.port2.postMessage(null)
    }
    requestAnimationFrame(look)
  })
})()`

/** Milliseconds from the beginning of the navigation until the view can be used, in a new profile on a slow machine. */
const timeOfView = async (devtools: CDPSession, { url, heading, control }: View): Promise<number> => {
  const page = await BarePage.open(devtools)
  try {
    await page.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await page.send('Page.enable')
    const source = watchView({ heading, control: control ?? null })
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source })
    await wait(WINDOW_MS)
    await page.send('Page.navigate', { url })
    return Number(await page.valueOf('globalThis.usable'))
  } finally {
    await page.close()
  }
}

/** The first view of who is not signed in and of who follows a link, against a page that shows nothing else than a heading. */
export const measureFirstViews = async (stage: PagesStage): Promise<Measurement[]> => {
  const { world, host, request, browser } = stage
  const empty = await serveEmptyPage()
  const devtools = await browser.devtools()
  const views = {
    'sign-in': { url: `${host.url}/dashboard`, heading: 'main h1', control: 'main input:enabled' },
    'link of a transfer': { url: `${host.url}/track/${request}`, heading: 'main h1', control: 'main button:enabled' },
    empty: { url: empty.url, heading: 'h1' },
  } satisfies Record<string, View>
  try {
    const contestant = (view: View) => async () => ({ milliseconds: await timeOfView(devtools, view) })
    const contestants = {
      'sign-in': contestant(views['sign-in']),
      'link of a transfer': contestant(views['link of a transfer']),
      empty: contestant(views.empty),
    }
    // Servers read what they serve when they are first asked.
    for (const each of Object.values(contestants)) await each()
    const rounds = world.scale.rounds * world.scale.pages.views
    const results = await interleave(rounds, contestants, (round) =>
      world.say(`pages: views, round ${round + 1} of ${rounds}`),
    )
    return (['sign-in', 'link of a transfer'] as const).map((name) => ({
      case: 'x',
      what: `first view, cold, processor ${SLOWER} times slower: ${name}`,
      unit: 'ms',
      value: results[name].milliseconds ?? Number.NaN,
      floor: results.empty.milliseconds ?? Number.NaN,
      floorIs: 'a page of the same framework with one heading',
      target: { of: 'ratio', limit: LIMIT, better: 'less' },
    }))
  } finally {
    await empty.close()
  }
}
