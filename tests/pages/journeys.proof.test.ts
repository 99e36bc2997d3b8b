import { randomBytes } from 'node:crypto'
import { formatAmount, type Hex } from '@causeway/core'
import pg from 'pg'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi } from '../harness/apiCall.js'
import { until } from '../harness/until.js'
import {
  axeFindings,
  hasChromium,
  keepShot,
  needsChromium,
  type OpenedPage,
  overflow,
  signInWithToken,
  TestBrowser,
} from './browser.js'
import { announceWallet } from './browserWallet.js'
import { balancesIn, payIn, quoteBody, quoteIn, troubleIn } from './sandboxTransfers.js'
import { type SandboxWorld, startSandboxWorld } from './sandboxWorld.js'
import { ARRIVES, tryTransfer } from './tryTransfer.js'

it.runIf(needsChromium)('Chromium is there, as CAUSEWAY_REQUIRE_CHROMIUM asks', () => expect(hasChromium).toBe(true))
if (!hasChromium)
  console.info('Skipped: journeys through the pages, since this machine has no Chromium (CHROMIUM names another path).')

/** The text that a button of the page has put into the clipboard. */
const copied = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()')

/** Moves the focus by the keyboard until an element has it. */
const tabTo = async (page: Page, element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  for (let steps = 0; steps < 60; steps += 1) {
    if (await element.evaluate((found) => found === found.ownerDocument.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error('The keyboard does not reach this element')
}

interface ParkedNow {
  readonly depositId: string
  readonly amount: bigint
}

const inDatabase = async <Row extends pg.QueryResultRow>(
  world: SandboxWorld,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: world.info().databaseUrl })
  await client.connect()
  try {
    return (await client.query<Row>(sql, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Deposits for unknown orders, once they are parked; newest first. */
const parkSeveral = async (world: SandboxWorld, count: number): Promise<readonly ParkedNow[]> => {
  const paid: string[] = []
  while (paid.length < count) paid.push((await troubleIn(world, 'unknown-order')).transactionId)
  return until('the deposits to be parked', async () => {
    const rows = await inDatabase<{ id: string; amount: string }>(
      world,
      'select id::text, amount::text from deposits where tx_id = any($1) and parked_reason is not null order by deposits.id desc',
      [paid],
    )
    return rows.length < count ? null : rows.map(({ id, amount }) => ({ depositId: id, amount: BigInt(amount) }))
  })
}

/** How many refunds each deposit has. */
const refundsOf = async (world: SandboxWorld, deposits: readonly ParkedNow[]): Promise<readonly number[]> => {
  const rows = await inDatabase<{ count: number }>(
    world,
    `select count(p.id)::int as count from deposits d left join payouts p on p.deposit_id = d.id and p.purpose = 'refund'
     where d.id = any($1::bigint[]) group by d.id`,
    [deposits.map(({ depositId }) => depositId)],
  )
  return rows.map(({ count }) => count)
}

/** Every sign-in is too long ago for what moves money. */
const growOld = (world: SandboxWorld): Promise<unknown> =>
  inDatabase(world, `update dashboard_sessions set created_at = created_at - interval '5 minutes'`)

/** What happens in the browser is the same on chains of every VM (`tryEveryVm.nightly.test.ts`). */
const CHAINS = ['harbor', 'lagoon']

describe.runIf(hasChromium)('journeys through the pages of a sandbox', () => {
  let world: SandboxWorld
  let browser: TestBrowser

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startSandboxWorld(CHAINS), TestBrowser.start()])
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

  it('a transfer that is tried arrives before the eyes of whoever tries it', async () => {
    const opened = await browser.open(world.url)
    await tryTransfer(opened.page, world, { from: 'harbor', to: 'lagoon' })
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

  it('several parked deposits are selected by keyboard and refunded once each, although one was decided meanwhile', async () => {
    const deposits = await parkSeveral(world, 4)
    const [newest, second, , oldest] = deposits
    const opened = await browser.open(world.url, { width: 'narrow', theme: 'dark' })
    const { page } = opened
    await signInWithToken(page, await world.operatorToken(), '/console/parked?kind=unpaid')
    const box = (deposit: ParkedNow | undefined) =>
      page.getByRole('checkbox', { name: `Select Deposit ${deposit?.depositId}`, exact: true })
    const selected = (count: number) => page.getByText(`${count} selected`, { exact: true }).waitFor()
    await box(oldest).waitFor()
    await page.getByRole('table').focus()
    await tabTo(page, box(newest))
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await selected(2)
    expect(await box(second).isChecked()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Space')
    await selected(4)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+a')
    await selected(4)
    expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0])
    await keepShot(page, 'journey-parked-selected')

    await tabTo(page, page.getByRole('button', { name: 'Refund (4)' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Refund 4 deposits' })
    const sum = deposits.reduce((total, { amount }) => total + amount, 0n)
    await dialog.getByText(formatAmount(sum, 18), { exact: true }).waitFor()
    const decided = until('one of them to be refunded on the command line', () =>
      world.command('parked', 'refund', oldest?.depositId ?? '', '--reason', 'asked for it', '--yes').catch(() => null),
    )
    await tabTo(page, dialog.getByLabel('Reason'))
    await page.keyboard.type('deposits without an order')
    await tabTo(page, dialog.getByLabel('Type refund 4 to confirm'))
    await page.keyboard.type('refund 4')
    await keepShot(page, 'journey-parked-confirm')
    await decided
    await page.keyboard.press('Enter')
    await dialog.getByText('3 of 4 done.').waitFor(ARRIVES)
    const refused = dialog.getByRole('listitem').filter({ hasText: 'Refused' })
    expect([await refused.count(), await refused.textContent()]).toEqual([
      1,
      expect.stringContaining(`Deposit ${oldest?.depositId}`),
    ])
    expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0])
    await keepShot(page, 'journey-parked-done')
    await tabTo(page, dialog.getByRole('button', { name: 'Retry 1' }))
    await page.keyboard.press('Enter')
    await dialog.getByText('3 of 4 done.').waitFor(ARRIVES)
    await tabTo(page, dialog.getByRole('button', { name: 'Close' }))
    await page.keyboard.press('Enter')
    await page.getByText('No deposit of this kind is parked').waitFor(ARRIVES)
    expect(await refundsOf(world, deposits)).toEqual([1, 1, 1, 1])
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
