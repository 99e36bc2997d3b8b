import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textAt } from '../harness/apiCall.js'
import { operatorToken } from '../harness/host/host.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld } from '../http/httpWorld.js'
import { hasChromium, keepShot, needsChromium, overflow, signInWithToken, TestBrowser } from './browser.js'
import { announceWallet } from './browserWallet.js'

const HOSTILE_WALLET = '"><img src=x onerror=alert(1)> a wallet whose name is far longer than anybody reads'

/** What a hostile text would do if it could. */
const TRY_SCRIPTS = `(() => {
  let markup = 'made'
  try {
    document.body.innerHTML = '<b>text</b>'
  } catch {
    markup = 'refused'
  }
  try {
    const script = document.createElement('script')
    script.text = 'globalThis.ran = true'
    document.body.append(script)
  } catch {}
  return { markup, ran: globalThis.ran === true }
})()`

/** Keeps back the scripts of a page, but the one that runs before it is shown, until what it gives is called. */
const holdScripts = async (page: Page): Promise<() => void> => {
  let come = (): void => undefined
  const coming = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(/assets\/scripts\/(?!early)/, async (route) => {
    await coming
    await route.continue()
  })
  return come
}

it.runIf(needsChromium)('Chromium is there, as CAUSEWAY_REQUIRE_CHROMIUM asks', () => expect(hasChromium).toBe(true))
if (!hasChromium)
  console.info('Skipped: pages in a browser, since this machine has no Chromium (CHROMIUM names another path).')

describe.runIf(hasChromium)('pages in a browser', () => {
  let world: HttpWorld
  let browser: TestBrowser

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([
      startHttpWorld({ plugins: () => ({ dashboard: {}, operator: {} }) }),
      TestBrowser.start(),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  const open = (options: Parameters<TestBrowser['open']>[1] = {}) => browser.open(world.host.url, options)

  it('a wallet of the browser signs in, whatever it calls itself, and signs out again', async () => {
    const { page, complaints } = await open()
    const account = await announceWallet(page, `0x${randomBytes(32).toString('hex')}` as Hex, { name: HOSTILE_WALLET })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Continue with "><img/ }).click()
    await page.getByRole('navigation', { name: 'Pages' }).first().waitFor()
    const session = await page.evaluate(`fetch('/dashboard/api/session').then((answer) => answer.json())`)
    expect(session).toMatchObject({ role: 'integrator', wallet: account.address.toLowerCase() })
    await page.locator('.side-end').getByRole('button').first().click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('a script that somebody gets into the page does not run, and no markup is made from text', async () => {
    const { page } = await open()
    await page.goto('/dashboard')
    const tried = await page.evaluate(TRY_SCRIPTS)
    expect(tried).toEqual({ markup: 'refused', ran: false })
  })

  it.each(['wide', 'narrow'] as const)('an operator has blocks of a chain read again (%s)', async (width) => {
    const { page, complaints } = await open({ width })
    await signInWithToken(page, await operatorToken(world.database.pool), '/console/chains/harbor')
    await page.getByRole('button', { name: 'Rescan blocks' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('From block').fill('0')
    await dialog.getByText('deposits rescan --chain harbor --from 0').waitFor()
    await keepShot(page, `console-rescan-${width}`)
    expect(await overflow(page)).toBe(0)
    await dialog.getByRole('button', { name: 'Rescan blocks' }).click()
    await page.getByText(/of harbor hold \d+ deposits?; 0 of them were not stored/).waitFor()
    await keepShot(page, `console-rescanned-${width}`)
    expect(complaints).toEqual([])
  })

  describe('before its scripts come', () => {
    it('a transfer is told in words, as it stands, and asked about from then on', async () => {
      const { page, complaints } = await open()
      const id = textAt((await postQuote(world, nativeBody(world))).body, 'steps.0.requestId')
      const come = await holdScripts(page)
      await page.goto(`/track/${id}`, { waitUntil: 'commit' })
      await page.getByText('Waiting for the deposit').first().waitFor()
      expect(await page.locator('time').first().getAttribute('title')).toMatch(/^[^ ]+Z$/)
      come()
      await page.locator('time[title*="("]').first().waitFor()
      await page.waitForResponse((answer) => answer.url().endsWith(`/track/api/${id}`))
      expect(complaints).toEqual([])
    })
  })
})
