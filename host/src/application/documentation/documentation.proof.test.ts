import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentationRoutes } from './documentationRoutes.js'
import { ferry } from './ferry.test.support.js'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

let test: TestServer
beforeAll(async () => {
  test = await startTestServer([ferry, ...documentationRoutes([ferry])])
})
afterAll(() => test.close())

it.skipIf(!existsSync(CHROMIUM))(
  'shows every operation in a browser, under its own policy (skipped without Chromium)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-browser-'))
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr', '--dump-dom']
    const { stdout, stderr } = await promisify(execFile)(
      CHROMIUM,
      [...flags, `--user-data-dir=${folder}`, '--virtual-time-budget=30000', `${test.server.url}/documentation`],
      { timeout: 100_000, maxBuffer: 50_000_000 },
    )
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    expect(stdout).toMatch(/<h1[^>]*>Cross-chain solver/)
    expect(stdout).toMatch(/<h2[^>]*>(?:<a[^>]*><\/a>)?Amounts/)
    expect(stdout).toMatch(/<div id="theme">/)
    expect(stdout).toContain('Sends a ferry across')
    expect(stdout).toContain('/ferries/{ferryId}')
    // Reached by the tab key; the library listens to Enter and space there.
    expect(stdout).toMatch(/<label[^>]*role="menuitem"[^>]*tabindex="0"|tabindex="0"[^>]*role="menuitem"/)
    const refused = stderr.split('\n').filter((line) => /Content Security Policy|Uncaught/.test(line))
    expect(refused).toEqual([])
  },
  120_000,
)
