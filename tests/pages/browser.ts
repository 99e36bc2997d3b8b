import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'

/** Debian's Chromium, or another one by its path. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
export const hasChromium = existsSync(CHROMIUM)
/** Where the gate says so, a machine without a browser is a failure. */
export const needsChromium = process.env.CAUSEWAY_REQUIRE_CHROMIUM === '1'

export const WIDTHS = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const
export type Width = keyof typeof WIDTHS
export type Theme = 'light' | 'dark'

export interface OpenedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser said that a page must never make it say: refused by the policy, uncaught errors. */
  readonly complaints: readonly string[]
}

export interface OpenOptions {
  readonly width?: Width
  readonly theme?: Theme
  /** Signed in as this one is. */
  readonly like?: BrowserContext
}

/** What the console shows when a call was answered with an error: the pages handle these. */
const ANSWERED = /Failed to load resource|WebSocket connection to/

/** One Chromium for a file of tests. */
export class TestBrowser {
  readonly #browser: Browser

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  static async start(): Promise<TestBrowser> {
    return new TestBrowser(
      await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      }),
    )
  }

  /** A page with a profile of its own. */
  async open(url: string, options: OpenOptions = {}): Promise<OpenedPage> {
    const { width = 'wide', theme = 'light', like } = options
    const context = await this.#browser.newContext({
      baseURL: url,
      viewport: WIDTHS[width],
      colorScheme: theme,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...(like === undefined ? {} : { storageState: await like.storageState() }),
    })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !ANSWERED.test(message.text())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
        complaints.push(`loads ${request.url()}`)
    })
    return { page, context, complaints }
  }

  /** A connection to the browser itself. */
  devtools(): Promise<CDPSession> {
    return this.#browser.newBrowserCDPSession()
  }

  close(): Promise<void> {
    return this.#browser.close()
  }
}

/** Opens a session of the page's own profile with a token of the command line. */
export const signInWithToken = async (page: Page, token: string, path = '/dashboard'): Promise<void> => {
  await page.goto(path)
  await page.getByLabel('Operator token').fill(token)
  await page.getByRole('button', { name: 'Sign in with the token' }).click()
  await page.locator('.shell').waitFor()
}

let axe: Promise<string> | undefined

interface AxeFinding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[]
}

/** What axe finds wrong with the page as it is now (WCAG 2.2 A and AA, and good practice), one line each. */
export const axeFindings = async (page: Page): Promise<readonly string[]> => {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(await axe)
  const findings = await page.evaluate(async () => {
    // CAST: axe has just put itself there.
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeFinding[] }> } }
    return (await axe.run()).violations
  })
  return findings.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
}

const SHOTS = process.env.CAUSEWAY_PAGES_SHOTS

/** Keeps a picture of the page where pictures are asked for. */
export const keepShot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS === undefined) return
  mkdirSync(SHOTS, { recursive: true })
  await page.screenshot({ path: join(SHOTS, `${name}.png`) })
}

/** What lies beyond the right edge of the page, which nobody sees on a narrow screen; 0 where nothing does. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** Runs in the page: choices that stand there with less room than what is chosen needs, by a copy that takes what it needs. */
const CUT_CHOICES = `[...document.querySelectorAll('select')].filter((select) => {
  const copy = select.cloneNode(false)
  copy.append(new Option(select.selectedOptions[0]?.text ?? ''))
  copy.removeAttribute('id')
  copy.style.width = 'max-content'
  select.after(copy)
  const needed = copy.offsetWidth
  copy.remove()
  return select.offsetWidth > 0 && needed > select.offsetWidth
}).map((select) => select.labels[0]?.textContent ?? '')`

/** Labels of choices whose chosen text is cut off. */
export const cutChoices = (page: Page): Promise<readonly string[]> => page.evaluate<readonly string[]>(CUT_CHOICES)
