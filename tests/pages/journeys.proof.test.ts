import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi } from '../harness/apiCall.js'
import { until } from '../harness/until.js'
import { hasChromium, keepShot, needsChromium, type OpenedPage, signInWithToken, TestBrowser } from './browser.js'
import { announceWallet } from './browserWallet.js'
import { balancesIn, payIn, quoteBody, quoteIn } from './sandboxTransfers.js'
import { type SandboxWorld, startSandboxWorld } from './sandboxWorld.js'

/** How long a transfer may take on a machine that does other things as well. */
const ARRIVES = { timeout: 90_000 }

it.runIf(needsChromium)('Chromium is there, as CAUSEWAY_REQUIRE_CHROMIUM asks', () => expect(hasChromium).toBe(true))
if (!hasChromium)
  console.info('Skipped: journeys through the pages, since this machine has no Chromium (CHROMIUM names another path).')

/** The text that a button of the page has put into the clipboard. */
const copied = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()')

/** Every sign-in is too long ago for what moves money. */
const growOld = async (world: SandboxWorld): Promise<void> => {
  const client = new pg.Client({ connectionString: world.info().databaseUrl })
  await client.connect()
  try {
    await client.query(`update dashboard_sessions set created_at = created_at - interval '5 minutes'`)
  } finally {
    await client.end()
  }
}

describe.runIf(hasChromium)('journeys through the pages of a sandbox', () => {
  let world: SandboxWorld
  let browser: TestBrowser

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startSandboxWorld(), TestBrowser.start()])
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  const leave = async ({ context, complaints }: OpenedPage) => {
    await context.close()
    expect(complaints).toEqual([])
  }

  it('somebody new signs in with a wallet, makes a key, copies it from the page, and gets a quote with it', async () => {
    const opened = await browser.open(world.url)
    const { page } = opened
    await announceWallet(page, `0x${randomBytes(32).toString('hex')}` as Hex)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Continue with Test wallet' }).click()
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('button', { name: 'Make a key' }).first().click()
    await page.getByLabel('Label').fill('shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('button', { name: 'Copy API key' }).click()
    const apiKey = await copied(page)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    expect(await page.content()).not.toContain(apiKey)

    const body = quoteBody(world, { from: 'harbor', to: 'lagoon', amount: '10000000000000000' })
    const quote = await callApi(world.url, '/quote', { body, apiKey })
    expect([quote.status, quote.text]).toEqual([200, expect.stringContaining('"steps"')])
    expect(await callApi(world.url, '/quote', { body, apiKey: `${apiKey}x` })).toMatchObject({ status: 401 })
    await page.getByRole('row').filter({ hasText: 'shop' }).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor()
    await leave(opened)
  })

  it.each([
    ['EVM', 'harbor', 'lagoon'],
    ['Solana', 'reef', 'harbor'],
    ['Bitcoin', 'glacier', 'harbor'],
    ['XRP Ledger', 'fjord', 'lagoon'],
  ])('a transfer that is tried from %s arrives before the eyes of whoever tries it', async (_kind, from, to) => {
    const opened = await browser.open(world.url)
    const { page } = opened
    const { chains } = world.info()
    const [origin, destination] = [from, to].map((name) => chains.find((chain) => chain.name === name)?.id)
    await page.goto(`/try?from=${origin}&to=${destination}`)
    await page.getByRole('button', { name: 'Send with the sandbox’s account' }).click(ARRIVES)
    await page.getByText(/^Arrived after [\d.]+ s$/).waitFor(ARRIVES)
    await page.getByRole('link', { name: 'Open its page to share' }).click()
    await page.getByText(/^Done\. What you paid on/).waitFor()
    await leave(opened)
  })

  it('a stuck payment is found by the console’s search, explained, sent back with its id retyped, and back on its chain', async () => {
    const opened = await browser.open(world.url)
    const { page } = opened
    await page.goto('/try')
    await page.getByRole('button', { name: 'Make it: Half of what was agreed' }).click()
    const trouble = page.getByRole('region', { name: 'Make trouble' })
    await trouble.getByRole('button', { name: 'Copy Transfer id' }).click(ARRIVES)
    const quoteId = await copied(page)
    const payer = world.info().accounts.find(({ chainId }) => chainId === world.info().chains[0]?.id)?.address ?? ''

    await signInWithToken(page, await world.operatorToken(), '/console')
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill(quoteId)
    await page.getByRole('option', { name: `Look for ${quoteId}` }).click()
    const made = page.getByRole('listitem').filter({ hasText: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' })
    await made.getByText('Failed').waitFor(ARRIVES)
    const before = await balancesIn(world, 'harbor', payer)
    await made.getByRole('link').click()
    await page.getByRole('button', { name: 'Refund this request' }).waitFor()
    await growOld(world)
    await page.reload()
    const requestId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    await keepShot(page, 'journey-explain-failure')
    await page.getByRole('button', { name: 'Refund this request' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('your sign-in is more than five minutes old').waitFor()
    await dialog.getByLabel('To another address').fill(payer)
    await dialog.getByLabel('Reason').fill('the payer asked for it')
    await dialog.getByLabel(/^Type .* to confirm$/).fill('nonsense')
    expect(await dialog.getByRole('button', { name: 'Refund', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel(/^Type .* to confirm$/).fill(requestId.slice(-6))
    await keepShot(page, 'journey-refund-dialog')
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
    const again = page.getByRole('dialog', { name: 'Sign in again to go on' })
    await again.getByLabel('Operator token').fill(await world.operatorToken())
    await keepShot(page, 'journey-sign-in-again')
    await again.getByRole('button', { name: 'Sign in with the token' }).click()
    await page.getByText('Done.').waitFor(ARRIVES)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Refunded', { exact: true }).first().waitFor(ARRIVES)
    for (const path of ['/console/explain', '/dashboard/requests', '/track']) {
      await page.goto(`${path}/${requestId}`)
      for (const reason of ['DEPOSITED_AMOUNT_TOO_LOW_TO_FILL', 'MANUAL_ADMIN_REFUND'])
        await page.getByText(reason, { exact: true }).first().waitFor(ARRIVES)
    }
    await until('the money to be back', async () => {
      const now = await balancesIn(world, 'harbor', payer)
      return [...now].some(([symbol, amount]) => amount > (before.get(symbol) ?? 0n)) ? true : null
    })
    await leave(opened)
  })

  it('a page of a transfer that is open while the host is killed says so, and shows the payment without being loaded again', async () => {
    const opened = await browser.open(world.url, { width: 'narrow' })
    const { page } = opened
    const quote = await quoteIn(world, { from: 'harbor', to: 'lagoon', amount: '50000000000000000' })
    const { requestId } = quote as { readonly requestId: string }
    await page.goto(`/track/${requestId}`)
    await page.getByText('Waiting for the deposit').first().waitFor()
    await page.evaluate('globalThis.wasLoadedOnce = true')
    await payIn(world, quote)
    const away = page.getByText('The service does not answer at the moment.').first()
    const killed = new Set<number>()
    await until('the page to say that nobody answers', async () => {
      const { hostPid } = world.info()
      if (!killed.has(hostPid)) process.kill(hostPid, 'SIGKILL')
      killed.add(hostPid)
      return (await away.isVisible()) ? true : null
    })
    await keepShot(page, 'journey-track-away')
    await page.getByText(/^Done\. What you paid on/).waitFor(ARRIVES)
    await away.waitFor({ state: 'hidden' })
    expect(await page.evaluate('globalThis.wasLoadedOnce')).toBe(true)
    expect(killed).not.toContain(world.info().hostPid)
    await leave(opened)
  })
})
