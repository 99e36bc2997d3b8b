import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'
import { hasChromium, TestBrowser } from './browser.js'
import { announceWallet } from './browserWallet.js'

/** Markup and another direction of writing, as a label of a key. */
const HOSTILE = '"><img src=x onerror=alert(1)> <b>مرحبا</b>'

describe.runIf(hasChromium)('the dashboard of integrators in a browser', () => {
  let world: HttpWorld
  let browser: TestBrowser

  beforeAll(async () => {
    // One address loads more pages here than a person would: what these call keeps its usual limit.
    const limits = { buckets: { other: { anonymous: { points: 10_000 } } } }
    const plugins = () => ({
      ...{ dashboard: {}, operator: {}, usage: {}, balances: {}, webhooks: {} },
      'rate-limits': limits,
    })
    ;[world, browser] = await Promise.all([startHttpWorld({ plugins }), TestBrowser.start()])
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  /** Signs in as a wallet that nobody knows: a newcomer with an integrator of its own. */
  const newcomer = async () => {
    const opened = await browser.open(world.host.url)
    await announceWallet(opened.page, `0x${randomBytes(32).toString('hex')}` as Hex)
    await opened.page.goto('/dashboard')
    await opened.page.getByRole('button', { name: 'Continue with Test wallet' }).click()
    await opened.page.getByRole('heading', { name: 'First steps' }).waitFor()
    return opened
  }

  /** Makes a key and gives it back; it is on the page until its dialog is closed. */
  const makeKey = async (page: Page, label: string): Promise<string> => {
    await page.getByRole('button', { name: 'Make a key' }).first().click()
    await page.getByLabel('Label').fill(label)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your new key' })
    const apiKey = (await dialog.locator('.secret .mono').textContent()) ?? ''
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    return apiKey
  }

  it('the line that a newcomer is shown asks for a quote as it stands, which can then be followed', async () => {
    const { page, complaints } = await newcomer()
    const apiKey = await makeKey(page, 'first')
    const line = (await page.locator('.code-copy pre').textContent()) ?? ''
    expect(line).toContain(`x-api-key: ${apiKey}`)
    const body: unknown = JSON.parse(/-d '(.*)'$/s.exec(line)?.[1] ?? '')
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
    const url = /curl -s (\S+)/.exec(line)?.[1] ?? ''
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
    const requestId = /"requestId":"(0x[0-9a-f]{64})"/.exec(await answer.text())?.[1] ?? ''
    await page.getByLabel('Request id').fill(requestId)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The quote is there, and the service waits for the deposit.' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('a key is shown once, its label stays text, and it is gone from the page with the page', async () => {
    const { page, complaints } = await newcomer()
    await page.goto('/dashboard/keys')
    const apiKey = await makeKey(page, HOSTILE)
    expect(apiKey).toMatch(/^cct_(live|test)_/)
    await page.getByRole('table').getByText(HOSTILE).waitFor()
    await page.reload()
    await page.getByRole('table').getByText(HOSTILE).waitFor()
    expect(await page.content()).not.toContain(apiKey)
    expect(complaints).toEqual([])
  })

  it('filters stand in the address: they are there again after the page is loaded anew', async () => {
    const { page } = await newcomer()
    await page.goto('/dashboard/requests?id=1e999&amountUsdMin=0.000000000000000001')
    await page.getByRole('list', { name: 'Filters in use' }).waitFor()
    expect(new URL(page.url()).searchParams.get('id')).toBe('1e999')
    expect(new URL(page.url()).searchParams.get('amountUsdMin')).toBe('0.000000000000000001')
    await page.getByRole('button', { name: 'Remove the filter Request id' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('id')).toBeNull()
  })

  it('the request of nobody is told in words', async () => {
    const { page } = await newcomer()
    await page.goto(`/dashboard/requests/0x${'7'.repeat(64)}`)
    await page.getByRole('heading', { name: 'There is no such request' }).waitFor()
  })
})
