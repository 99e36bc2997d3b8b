import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { verifyWebhook } from '@causeway/plugin-webhooks'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, textAt } from '../harness/apiCall.js'
import { operatorToken } from '../harness/host/host.js'
import { userOf } from '../harness/localNetwork.js'
import { executeQuote, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  hasChromium,
  keepShot,
  needsChromium,
  type OpenedPage,
  overflow,
  signInWithToken,
  TestBrowser,
} from './browser.js'
import { announceWallet } from './browserWallet.js'
import { type MemberWorld, startMemberWorld } from './memberWorld.js'

/** Texts of strangers: markup, no space to break at, from right to left, and signs that are several. */
const MARKUP = `<img src=x onerror=alert(1)>"><script>alert(2)</script>${'x'.repeat(45)}`
const INTEGRATOR = `<b>שלום</b> مرحبا ${'🎉'.repeat(12)} ${'W'.repeat(46)}`
const SYMBOL = '<b>$</b>مرحبا🎉'
const TOKEN = `<i>Dollar</i> ${'M'.repeat(40)}`
const REVERT = `<script>alert(3)</script> ${'REVERTED'.repeat(40)} ${'🎉'.repeat(20)} עברית`

it.runIf(needsChromium)('Chromium is there, as CAUSEWAY_REQUIRE_CHROMIUM asks', () => expect(hasChromium).toBe(true))
if (!hasChromium)
  console.info('Skipped: pages of integrators, since this machine has no Chromium (CHROMIUM names another path).')

/**
 * Elements that show a text and stick out of what they stand in, as people see it: what an ancestor cuts off or scrolls is inside.
 * Runs in the page.
 */
const STICKING_OUT = `((words) => {
  const found = []
  const walker = document.createTreeWalker(document.querySelector('#content'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!words.some((word) => node.data.includes(word))) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    let { left, right } = range.getBoundingClientRect()
    const box = node.parentElement.closest('[role=cell], dd, li, pre, .card, main')
    for (let inner = node.parentElement; inner !== null; inner = inner === box ? null : inner.parentElement) {
      const style = getComputedStyle(inner)
      if (style.overflowX === 'visible' || style.display === 'inline') continue
      const edge = inner.getBoundingClientRect()
      left = Math.max(left, edge.left)
      right = Math.min(right, edge.right)
    }
    const edge = box.getBoundingClientRect()
    if (left < edge.left - 1 || right > edge.right + 1 || edge.right > innerWidth + 1)
      found.push(box.className + ' ' + box.tagName + ': ' + node.data.slice(0, 30))
  }
  return found
})`

describe.runIf(hasChromium)('pages of integrators', () => {
  let world: MemberWorld
  let browser: TestBrowser
  let key: { readonly id: string; readonly apiKey: string }
  let integrator: string
  let request: QuoteAnswer

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startMemberWorld({ symbol: SYMBOL, name: TOKEN }), TestBrowser.start()])
    key = await world.newKey(INTEGRATOR, MARKUP)
    const { rows } = await world.database.pool.query<{ id: string }>('select id from integrators where name = $1', [
      INTEGRATOR,
    ])
    integrator = rows[0]?.id ?? ''
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  const signedIn = async (path = '/dashboard', options: Parameters<TestBrowser['open']>[1] = {}) => {
    const opened = await browser.open(world.host.url, options)
    await signInWithToken(opened.page, await operatorToken(world.database.pool), path)
    return opened
  }
  const leave = async ({ context, complaints }: OpenedPage) => {
    await context.close()
    expect(complaints).toEqual([])
  }

  /** A transfer of the token with the odd name, by the key with the odd label. */
  const transfer = async (): Promise<QuoteAnswer> => {
    const [origin, destination] = world.network.chains
    const user = userOf(world.network, 0)
    const body = {
      ...{ user: user.address, recipient: user.address, tradeType: 'EXACT_INPUT', amount: '25000000' },
      ...{ originChainId: origin.chain.chainId, destinationChainId: destination.chain.chainId },
      ...{ originCurrency: origin.usdc, destinationCurrency: destination.usdc },
    }
    const answer = await callApi(world.host.url, '/quote', { body, apiKey: key.apiKey })
    if (answer.status !== 200) throw new Error(answer.text)
    // CAST: the shape is the quote schema's.
    const quote = answer.body as QuoteAnswer
    await executeQuote(origin.chain, user, quote)
    await until('the transfer to be paid', async () => {
      const { body: status } = await callApi(world.host.url, `/intents/status/v3?requestId=${quote.requestId}`)
      return textAt(status, 'status') === 'success' ? true : null
    })
    return quote
  }

  it('an endpoint that failed is mended, and what it missed is sent again from the page, one and then all others, and arrives, signed', async () => {
    const opened = await signedIn(`/dashboard/webhooks/${key.id}`)
    const { page } = opened
    const { receiver } = world
    receiver.behave(500)
    await page.getByRole('button', { name: 'Set an endpoint' }).click()
    await page.getByLabel('Address').fill(`${receiver.url}/hook`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Copy secret' }).click()
    const secret = await page.evaluate<string>('navigator.clipboard.readText()')
    await page.getByRole('button', { name: 'I have stored it' }).click()
    request = await transfer()

    await page.getByLabel('Show').selectOption({ label: 'Not arrived' })
    const paid = page.getByRole('row').filter({ hasText: 'Paid' }).filter({ hasText: 'Not arrived' })
    await paid.getByRole('button', { name: 'Look' }).click()
    await page.getByRole('dialog').getByText('500').first().waitFor()
    await keepShot(page, 'journey-delivery')
    receiver.behave(200)
    const before = receiver.calls.length
    await page.getByRole('button', { name: 'Send again', exact: true }).click()
    const call = (await receiver.received(before + 1)).at(before)
    expect(() => verifyWebhook(call?.body ?? '', call?.headers ?? {}, secret)).not.toThrow()
    expect(call?.body).toContain(request.requestId)
    await page.getByLabel('Show').selectOption({ label: 'Arrived' })
    await page.getByRole('row').filter({ hasText: 'Paid' }).first().waitFor()

    await page.getByLabel('Show').selectOption({ label: 'Not arrived' })
    const all = page.getByRole('checkbox', { name: /^Select all/ })
    await all.check()
    await page.getByRole('button', { name: /^Send again \(\d+\)$/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Send again', exact: true }).click()
    await dialog.getByText(/^(\d+) of \1 done\.$/).waitFor()
    await keepShot(page, 'journey-deliveries-sent-again')
    await dialog.getByRole('button', { name: 'Close' }).click()
    // No delivery is offered twice.
    await all.waitFor({ state: 'detached' })
    await leave(opened)
  })

  it.each(['wide', 'narrow'] as const)(
    'names and texts of strangers stay text, and in their boxes (%s)',
    async (width) => {
      // As a chain would have said it: what a contract gives as its reason is any text.
      await world.database.pool.query(
        `update requests set status = 'failure', fail_reason = 'EXECUTION_REVERTED', details = $2 where id = decode($1, 'hex')`,
        [request.requestId.slice(2), REVERT],
      )
      const opened = await signedIn('/dashboard', { width })
      const { page } = opened
      const shows = [
        [`/dashboard?integratorId=${integrator}`, SYMBOL.slice(0, 8)],
        [`/dashboard/keys?integratorId=${integrator}`, MARKUP],
        [`/dashboard/keys/${key.id}`, MARKUP],
        [`/dashboard/webhooks?integratorId=${integrator}`, MARKUP],
        [`/dashboard/webhooks/${key.id}`, MARKUP],
        [`/dashboard/requests?integratorId=${integrator}`, SYMBOL.slice(0, 8)],
        [`/dashboard/requests/${request.requestId}`, REVERT],
        ['/dashboard/access?view=integrators', INTEGRATOR],
        [`/dashboard/usage?integratorId=${integrator}`, MARKUP],
        [`/dashboard/limits?integratorId=${integrator}`, MARKUP],
        [`/console/explain/${request.requestId}`, REVERT],
        ['/console/inventory', SYMBOL.slice(0, 8)],
        [`/track/${request.requestId}`, REVERT],
      ] as const
      const faults: string[] = []
      for (const [path, text] of shows) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
        const isThere = await until(
          `${path} to show ${text}`,
          async () => ((await page.evaluate<string>(`document.body.textContent`)).includes(text) ? true : null),
          10_000,
        ).catch(() => false)
        const out = await page.evaluate<readonly string[]>(
          `(${STICKING_OUT})(${JSON.stringify([MARKUP, INTEGRATOR, SYMBOL, TOKEN, REVERT].map((each) => each.slice(0, 8)))})`,
        )
        const wide = await overflow(page)
        const made = await page.locator('#content :is(img, script, b:not(.unit))').count()
        await keepShot(page, `hostile-${path.split('?')[0]?.split('/').slice(1, 3).join('-')}-${width}`)
        faults.push(
          ...(isThere ? [] : [`${path} does not show it`]),
          ...(wide > 0 ? [`${path} is ${wide} pixels too wide`] : []),
          ...(made > 0 ? [`${path} made markup of it`] : []),
          ...out.map((each) => `${path}: ${each}`),
        )
      }
      expect(faults).toEqual([])
      await leave(opened)
    },
  )

  it('ids of another integrator in the address of a page say that there is no such thing, and nothing else', async () => {
    const opened = await browser.open(world.host.url)
    const { page } = opened
    await announceWallet(page, `0x${randomBytes(32).toString('hex')}` as Hex)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Continue with Test wallet' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).first().waitFor()
    const tried = [
      [`/dashboard/requests/${request.requestId}`, 'There is no such request'],
      [`/dashboard/keys/${key.id}`, 'There is no such key'],
      [`/dashboard/webhooks/${key.id}`, 'There is no such key'],
      [`/dashboard/requests?integratorId=${integrator}`, 'No requests yet'],
      [`/dashboard/requests?apiKey=${key.id}`, /No request fits|There is no such key|could not be loaded/],
      [`/dashboard/keys?integratorId=${integrator}`, 'No keys yet'],
      [`/dashboard/webhooks?integratorId=${integrator}`, 'No keys yet'],
      [`/console/explain/${request.requestId}`, 'Operator token'],
    ] as const
    for (const [path, says] of tried) {
      await page.goto(path)
      await page.getByText(says).first().waitFor({ timeout: 15_000 })
      const text = await page.evaluate<string>('document.body.textContent')
      for (const secret of [MARKUP, INTEGRATOR, SYMBOL, REVERT])
        expect([path, text]).not.toEqual([path, expect.stringContaining(secret)])
    }
    await leave(opened)
  })

  it('a session that is taken away in the middle leads to the sign-in with a word about it, and back to the page', async () => {
    const opened = await signedIn('/dashboard/keys')
    const { page } = opened
    await page.goto(`/dashboard/requests?integratorId=${integrator}&status=failure`)
    await page.getByRole('table', { name: 'Requests' }).waitFor()
    await world.database.pool.query('delete from dashboard_sessions')
    // The page may have noticed by itself by now.
    await page.keyboard.type('gk')
    await page.getByText('Your session has ended.').waitFor()
    const address = page.url()
    await page.getByLabel('Operator token').fill(await operatorToken(world.database.pool))
    await page.getByRole('button', { name: 'Sign in with the token' }).click()
    await page
      .locator('.shell')
      .getByRole('heading', { level: 1, name: /^(Keys|Requests)$/ })
      .waitFor()
    expect(page.url()).toBe(address)
    expect(new URL(address).pathname).toMatch(/^\/dashboard\/(keys|requests)$/)
    await leave(opened)
  })

  /** What has the focus, as its name and kind. */
  const focused = (page: Page) =>
    page.evaluate<string>('(({ tagName, textContent }) => tagName + " " + textContent.trim())(document.activeElement)')

  it('with the keyboard alone one signs in, finds a page by the palette, opens a dialog, and comes back from it', async () => {
    const opened = await browser.open(world.host.url)
    const { page } = opened
    await page.goto('/console')
    await page.getByLabel('Operator token').waitFor()
    const tabTo = async (isThere: () => Promise<boolean>) => {
      for (let pressed = 0; pressed < 60; pressed++) {
        if (await isThere()) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`The keyboard does not get there; it is at ${await focused(page)}`)
    }
    await tabTo(async () => (await page.getByLabel('Operator token').and(page.locator(':focus')).count()) === 1)
    await page.keyboard.type(await operatorToken(world.database.pool))
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Pages' }).first().waitFor()
    await page.goto('/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('keys')
    await page.getByRole('option', { name: /^Keys/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await tabTo(async () => (await focused(page)) === 'BUTTON Make a key')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Make a key' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('BUTTON Make a key')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.type('gw')
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await leave(opened)
  })
})
