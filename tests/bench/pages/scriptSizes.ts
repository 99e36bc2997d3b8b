import type { Page } from 'playwright-core'
import type { Measurement } from '../table.js'
import type { PagesStage } from './pagesStage.js'

const BYTES_IN_KB = 1_000
const LIMIT_KB = 250

/** Compressed bytes of the scripts that a page loaded until it was quiet. */
const scriptBytes = async (page: Page, path: string): Promise<number> => {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script')
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.goto(path)
  await page.locator('main h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Where the navigation of an area leads. */
const pagesOf = async ({ browser, host, session }: PagesStage, area: string): Promise<readonly string[]> => {
  const { page, context } = await browser.open(host.url, { like: session })
  await page.goto(`/${area}`)
  const links = page.locator(`nav a[href^="/${area}"]`)
  await links.first().waitFor()
  const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  await context.close()
  return [...new Set(found)]
}

/** The scripts that the heaviest page of each area loads when it is the first that somebody opens. */
export const measureScripts = async (stage: PagesStage): Promise<Measurement[]> => {
  const { browser, host, session, request, world } = stage
  const areas = {
    dashboard: [...(await pagesOf(stage, 'dashboard')), `/dashboard/requests/${request}`],
    console: [...(await pagesOf(stage, 'console')), `/console/explain/${request}`],
    track: ['/track', `/track/${request}`],
  }
  const measured: Measurement[] = []
  for (const [area, paths] of Object.entries(areas)) {
    let heaviest = { path: '', bytes: 0 }
    // The last are those that were added by hand.
    for (const path of paths.slice(-world.scale.pages.scripts)) {
      const { page, context } = await browser.open(host.url, { like: session })
      const bytes = await scriptBytes(page, path)
      await context.close()
      if (bytes > heaviest.bytes) heaviest = { path, bytes }
    }
    world.say(`pages: scripts of ${area}, the most at ${heaviest.path}`)
    measured.push({
      case: 'x',
      what: `scripts of the heaviest first view of ${area}, compressed`,
      unit: 'kB',
      value: heaviest.bytes / BYTES_IN_KB,
      target: { of: 'value', limit: LIMIT_KB, better: 'less' },
    })
  }
  return measured
}
