import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textAt } from '../harness/apiCall.js'
import { until } from '../harness/until.js'
import {
  axeFindings,
  cutChoices,
  hasChromium,
  keepShot,
  needsChromium,
  type OpenedPage,
  overflow,
  signInWithToken,
  TestBrowser,
  type Theme,
  type Width,
} from './browser.js'
import { endsIn, quoteIn, transferIn, troubleIn } from './sandboxTransfers.js'
import { type SandboxWorld, startSandboxWorld } from './sandboxWorld.js'

/** A page takes half a second where the machine does nothing else, and much longer where it does. */
const PATIENCE_MS = 400_000

/** What there is to look at: ids of what was made for it. */
interface Made {
  readonly integrator: string
  readonly key: string
  readonly paid: string
  readonly failed: string
  readonly waiting: string
  /** A transaction of a deposit that nobody knows what for. */
  readonly stray: string
  readonly parked: string
  readonly lane: string
  readonly address: string
  readonly wallet: string
}

/** Every page of every area, and the views of those that have several: its name in pictures, and its address. */
const PAGES: Readonly<Record<string, (made: Made) => string>> = {
  'dashboard-overview': ({ integrator }) => `/dashboard?integratorId=${integrator}`,
  'dashboard-requests': ({ integrator }) => `/dashboard/requests?integratorId=${integrator}`,
  'dashboard-requests-none': ({ integrator }) => `/dashboard/requests?integratorId=${integrator}&status=depositing`,
  'dashboard-request-paid': ({ paid }) => `/dashboard/requests/${paid}`,
  'dashboard-request-failed': ({ failed }) => `/dashboard/requests/${failed}`,
  'dashboard-request-raw': ({ paid }) => `/dashboard/requests/${paid}?view=raw`,
  'dashboard-keys': ({ integrator }) => `/dashboard/keys?integratorId=${integrator}`,
  'dashboard-key': ({ key }) => `/dashboard/keys/${key}`,
  'dashboard-webhooks': ({ integrator }) => `/dashboard/webhooks?integratorId=${integrator}`,
  'dashboard-webhook': ({ key }) => `/dashboard/webhooks/${key}`,
  'dashboard-access': () => '/dashboard/access',
  'dashboard-access-integrators': () => '/dashboard/access?view=integrators',
  'dashboard-access-wallets': () => '/dashboard/access?view=wallets',
  'dashboard-access-audit': () => '/dashboard/access?view=audit',
  'dashboard-balance': ({ integrator }) => `/dashboard/balance?integratorId=${integrator}`,
  'dashboard-balance-movements': ({ integrator }) => `/dashboard/balance?integratorId=${integrator}&view=movements`,
  'dashboard-balance-statement': ({ integrator }) => `/dashboard/balance?integratorId=${integrator}&view=statement`,
  'dashboard-usage': ({ integrator }) => `/dashboard/usage?integratorId=${integrator}`,
  'dashboard-limits': ({ integrator }) => `/dashboard/limits?integratorId=${integrator}`,
  'console-now': () => '/console',
  'console-explain': () => '/console/explain',
  'console-explain-paid': ({ paid }) => `/console/explain/${paid}`,
  'console-explain-failed': ({ failed }) => `/console/explain/${failed}`,
  'console-explain-stray': ({ stray }) => `/console/explain/${stray}`,
  'console-explain-nothing': () => `/console/explain/0x${'ab'.repeat(32)}`,
  'console-chains': () => '/console/chains',
  'console-chain': () => '/console/chains/harbor',
  'console-health': () => '/console/health',
  'console-inventory': () => '/console/inventory',
  'console-lanes': () => '/console/lanes',
  'console-lane': ({ lane }) => `/console/lanes/${encodeURIComponent(lane)}`,
  'console-parked': () => '/console/parked',
  'console-parked-one': ({ parked }) => `/console/parked/${parked}`,
  'console-addresses': () => '/console/addresses',
  'console-address': ({ address }) => `/console/addresses/${address}`,
  'console-balances': () => '/console/balances',
  'console-balance': ({ wallet }) => `/console/balances/${wallet}`,
  'console-books': () => '/console/books',
  'console-push': () => '/console/push',
  'console-configuration': () => '/console/configuration',
  'console-audit': () => '/console/audit',
  'track-lookup': () => '/track',
  'track-paid': ({ paid }) => `/track/${paid}`,
  'track-failed': ({ failed }) => `/track/${failed}`,
  'track-waiting': ({ waiting }) => `/track/${waiting}`,
  'track-unknown': () => `/track/0x${'ab'.repeat(32)}`,
  try: () => '/try',
}

it.runIf(needsChromium)('Chromium is there, as CAUSEWAY_REQUIRE_CHROMIUM asks', () => expect(hasChromium).toBe(true))
if (!hasChromium)
  console.info('Skipped: every page in a browser, since this machine has no Chromium (CHROMIUM names another path).')

/** What the command line says in JSON, which the tests of its commands hold to its shape. */
// biome-ignore lint/suspicious/noExplicitAny: answers of several commands, of each of which a word is read.
const jsonOf = async (world: SandboxWorld, ...words: readonly string[]): Promise<any> =>
  JSON.parse(await world.command(...words, '--json'))

/** Transfers, troubles and an address: something on every page. */
const make = async (world: SandboxWorld, { page }: OpenedPage): Promise<Made> => {
  const route = { from: 'harbor', to: 'lagoon' } as const
  const [stray, underpaid] = [await troubleIn(world, 'unknown-order'), await troubleIn(world, 'underpay')]
  const paid = await transferIn(world, { ...route, amount: '25000000', symbol: 'USDC' })
  await transferIn(world, { from: 'reef', to: 'harbor', amount: '1000000000' })
  const quote = await quoteIn(world, { ...route, amount: '10000000000000000' })
  const failed = underpaid.requestId ?? ''
  await endsIn(world, failed, 'failure')
  const parked = await until('the stray deposit to be parked', async () => {
    const { deposits } = await jsonOf(world, 'parked', 'list')
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    return deposits.find((deposit: any) => deposit.txId === stray.transactionId)?.depositId as string | undefined
  })
  const [{ lanes }, { addresses }] = [await jsonOf(world, 'lanes'), await jsonOf(world, 'deposit-addresses', 'list')]
  const lane = lanes.find(({ chain }: { chain: string }) => chain === 'lagoon')
  const keys = await page.evaluate<string>(`fetch('/dashboard/api/keys').then((answer) => answer.text())`)
  // A new sandbox has one key: that of the demo integrator.
  const [key] = JSON.parse(keys).keys
  return {
    ...{ paid, failed, parked },
    integrator: key.integratorId,
    key: key.id,
    waiting: textAt(quote, 'requestId'),
    stray: stray.transactionId,
    lane: `${lane.chain}:${lane.signer}`,
    address: addresses[0].address,
    wallet: world.info().sponsor ?? '',
  }
}

/** What is wrong with a page as anybody would see it, a line for each. */
const faultsOf = async ({ page }: OpenedPage, name: string, path: string, shot: string): Promise<readonly string[]> => {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  const [findings, wide, cut, headings, failed] = [
    await axeFindings(page),
    await overflow(page),
    await cutChoices(page),
    await page.getByRole('heading', { level: 1 }).count(),
    await page.getByText('This could not be loaded').count(),
  ]
  await keepShot(page, `${name}-${shot}`)
  return [
    ...findings,
    ...(wide > 0 ? [`${wide} pixels beyond the right edge`] : []),
    ...cut.map((label) => `what is chosen at ${label} is cut off`),
    ...(headings === 1 ? [] : [`${headings} headings of the first level`]),
    ...(failed > 0 ? ['something could not be loaded'] : []),
  ].map((fault) => `${name}: ${fault}`)
}

describe.runIf(hasChromium)('every page of every area', () => {
  let world: SandboxWorld
  let browser: TestBrowser
  let first: OpenedPage
  let made: Made

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startSandboxWorld(), TestBrowser.start()])
    first = await browser.open(world.url)
    await signInWithToken(first.page, await world.operatorToken(), '/console')
    made = await make(world, first)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  it('what is looked at has something in it', () => {
    expect(Object.entries(made).filter(([, id]) => id === '' || id === undefined)).toEqual([])
  })

  it.each(['wide', 'narrow'] as const)(
    'the audit shows what was done, to what and by whom in full (%s)',
    async (width) => {
      const { page, context } = await browser.open(world.url, { width, like: first.context })
      for (const path of ['/console/audit', '/dashboard/access?view=audit']) {
        await page.goto(path)
        await page.getByRole('row').filter({ hasText: 'dashboard sign-in' }).first().waitFor()
        const cut = await page.evaluate<readonly string[]>(
          `[...document.querySelectorAll('.table-row > :nth-child(-n + 4) .two-lines')]
          .filter((text) => text.scrollHeight > text.clientHeight + 1).map((text) => text.textContent)`,
        )
        expect([path, ...cut]).toEqual([path])
      }
      await context.close()
    },
  )

  const looks = (['light', 'dark'] as const).flatMap((theme) =>
    (['wide', 'narrow'] as const).map((width): readonly [Theme, Width] => [theme, width]),
  )
  it.concurrent.each(looks)(
    'has no fault that axe knows, fits and breaks no rule (%s, %s)',
    async (theme, width) => {
      const opened = await browser.open(world.url, { theme, width, like: first.context })
      const faults: string[] = []
      for (const [name, path] of Object.entries(PAGES)) {
        const before = opened.complaints.length
        faults.push(...(await faultsOf(opened, name, path(made), `${theme}-${width}`)))
        faults.push(...opened.complaints.slice(before).map((complaint) => `${name}: ${complaint}`))
      }
      await opened.context.close()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})
