import 'reflect-metadata'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorToken } from '../harness/host/host.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'
import { axeFindings, hasChromium, overflow, signInWithToken, TestBrowser } from './browser.js'

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
