import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textAt } from '../harness/apiCall.js'
import { operatorToken } from '../harness/host/host.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld } from '../http/httpWorld.js'
import { axeFindings, hasChromium, needsChromium, overflow, signInWithToken, TestBrowser } from './browser.js'
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

  it('a session that is over is asked for again', async () => {
    const { page, complaints } = await open()
    await signInWithToken(page, await operatorToken(world.database.pool))
    await world.database.pool.query('delete from dashboard_sessions')
    await page.goto('/dashboard')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('nothing of a session is in the browser’s storage', async () => {
    const { page } = await open()
    await signInWithToken(page, await operatorToken(world.database.pool))
    const kept = await page.evaluate<string>(
      '[JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie].join()',
    )
    expect(kept).not.toMatch(/csrf|token|session|cct_/i)
  })

  it('a script that somebody gets into the page does not run, and no markup is made from text', async () => {
    const { page } = await open()
    await page.goto('/dashboard')
    const tried = await page.evaluate(TRY_SCRIPTS)
    expect(tried).toEqual({ markup: 'refused', ran: false })
  })

  describe('before its scripts come', () => {
    it('the way in shows in the chosen theme, keeps what is typed, and does what is pressed once it can', async () => {
      const { page, complaints } = await open({ theme: 'light' })
      await page.addInitScript("localStorage.setItem('causeway.theme', 'dark')")
      const come = await holdScripts(page)
      await page.goto('/dashboard', { waitUntil: 'commit' })
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
      await page.getByLabel('Operator token').fill('a token')
      await page.getByRole('button', { name: 'Appearance' }).click()
      expect(await page.getByRole('menu').count()).toBe(0)
      come()
      await page.getByRole('menuitem', { name: 'Dark' }).click()
      expect(await page.getByLabel('Operator token').inputValue()).toBe('a token')
      expect(await page.locator('form button').isEnabled()).toBe(true)
      expect(complaints).toEqual([])
    })

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

  it('the appearance that is chosen at /documentation counts there and on the other pages, at any width', async () => {
    const { page } = await open({ width: 'narrow' })
    const choice = page.getByLabel('Appearance', { exact: true })
    const shown = () => page.evaluate<string>('document.documentElement.dataset.theme')
    await page.goto('/documentation')
    await page.getByRole('heading', { name: 'A first transfer' }).waitFor({ timeout: 90_000 })
    expect([await choice.inputValue(), await shown(), await overflow(page)]).toEqual(['system', 'light', 0])
    await choice.selectOption('dark')
    await expect.poll(shown).toBe('dark')
    await expect.poll(() => choice.inputValue()).toBe('dark')
    await page.goto('/track')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await shown()).toBe('dark')
  })

  describe.each(['light', 'dark'] as const)('in %s', (theme) => {
    it.each(['wide', 'narrow'] as const)('the way in has no fault that axe knows, and fits (%s)', async (width) => {
      const { page, complaints } = await open({ theme, width })
      for (const path of ['/dashboard', '/console', '/track']) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect(await axeFindings(page), path).toEqual([])
        expect(await overflow(page), path).toBe(0)
      }
      expect(complaints).toEqual([])
    })
  })
})
