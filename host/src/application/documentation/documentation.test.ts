import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LoadedConfig } from '../../config/loadConfig.js'
import type { OpenHost } from '../opening/openHost.js'
import { routesOf } from '../serveHttp.js'
import { documentationPage } from './documentationPage.js'
import { documentationRoutes } from './documentationRoutes.js'
import { ferry } from './ferry.test.support.js'
import { openReferenceBundle } from './referenceBundle.js'

let test: TestServer
beforeAll(async () => {
  test = await startTestServer([ferry, ...documentationRoutes([ferry])])
})
afterAll(() => test.close())

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(new URL(path, test.server.url), { headers })

describe('the page that describes the API', () => {
  it('names everything it loads relative to itself, and nothing from elsewhere', async () => {
    for (const [page, folder] of [
      ['/documentation', '/documentation/'],
      ['/documentation/', '/documentation/'],
    ] as const) {
      const html = await (await get(page)).text()
      expect(html).not.toMatch(/https?:/)
      const named = [...html.matchAll(/(?:src|href|spec-url)="([^"]+)"/g)].map(([, name = '']) => name)
      expect(named).toHaveLength(5)
      for (const name of named) {
        const { pathname } = new URL(name, new URL(page, test.server.url))
        if (name.startsWith('#')) continue
        expect(pathname.startsWith(folder)).toBe(true)
        expect((await get(pathname)).status).toBe(200)
      }
    }
  })

  it('lets scripts run from its own origin alone, and none that stand in it', async () => {
    const page = await get('/documentation')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toMatch(/<noscript>.*documentation\/json.*<\/noscript>/)
  })

  it('has a library whose name tells its version, to be kept for ever, compressed for who takes that', async () => {
    const html = await (await get('/documentation')).text()
    const path = `/${/src="([^"]+redoc[^"]+)"/.exec(html)?.[1]}`
    expect(path).toMatch(/^\/documentation\/redoc-\d+\.\d+\.\d+\.js$/)
    const [plain, small] = [await get(path, { 'accept-encoding': 'identity' }), await get(path)]
    for (const { headers } of [plain, small]) {
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(headers.get('vary')).toBe('accept-encoding')
    }
    expect([plain.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([null, 'gzip'])
    const script = await plain.text()
    expect(await small.text()).toBe(script)
    // Addresses of pages stand in it; nothing that a reader's browser would fetch does.
    expect(script).not.toMatch(/(?:src|srcSet|href):\s*"(?:https?:)?\/\/[^"]+\.(?:svg|png|jpe?g|gif|css|js|woff2?)"/)
    expect(script).not.toContain('cdn.')
    expect(Number(small.headers.get('content-length'))).toBeLessThan(500_000)
    const again = await get(path, { 'if-none-match': small.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  it('has a library with the licences of all packages in it, or an error that says how to build it', () => {
    const folder = fileURLToPath(new URL('../../../dist/reference/', import.meta.url))
    const licences = readFileSync(join(folder, 'LICENSES.txt'), 'utf8')
    for (const name of ['redoc', 'react-dom', 'styled-components', 'dompurify'])
      expect(licences).toContain(`== ${name}`)
    expect(() => openReferenceBundle('/nowhere/')).toThrow('npm run build -w @causeway/host')
  })

  it('begins with what an integrator does first, which machines read too', async () => {
    // CAST: what is read of it.
    const { info } = (await (await get('/documentation/json')).json()) as { info: { description: string } }
    expect(info.description).toMatch(/^Quotes transfers of value across chains/)
    expect(info.description).toContain('## Errors')
    expect(info.description).not.toContain('/quote')
  })

  it('has the choice of appearance, shown by the script that knows what was chosen', async () => {
    const html = await (await get('/documentation')).text()
    expect(html).toMatch(
      /<div id="theme" hidden><label for="theme-choice">Appearance<\/label><select id="theme-choice"/,
    )
    expect([...html.matchAll(/<option value="(\w+)"/g)].map(([, value]) => value)).toEqual(['system', 'light', 'dark'])
  })

  it('links the other pages for people where the host serves them, and no others', () => {
    const text = (base: string, ...served: string[]) =>
      Buffer.from(documentationPage({ base, library: 'library.js', served: new Set(served) }).bytes).toString('utf8')
    const links = (html: string) => [...html.matchAll(/<a href="([^"#]+)">([A-Z]\w+)<\/a>/g)].map(([, href]) => href)
    expect(links(text('documentation/', '/quote'))).toEqual([])
    expect(links(text('documentation/', '/dashboard', '/console', '/track'))).toEqual(['dashboard', 'console', 'track'])
    expect(links(text('', '/dashboard', '/try'))).toEqual(['../dashboard', '../try'])
  })

  it('can be left out, with the description for machines (http.documentation)', () => {
    const pathsWith = (documentation: boolean) => {
      // CAST: what is read of them.
      const loaded = { config: { roles: ['api'], http: { documentation } } } as unknown as LoadedConfig
      const host = { plugins: [], pool: {}, container: { resolve: () => [] } } as unknown as OpenHost
      return routesOf(loaded, host, []).map(({ path }) => path)
    }
    expect(pathsWith(false)).toEqual(['/lives'])
    expect(pathsWith(true)).toEqual(expect.arrayContaining(['/documentation', '/documentation/json']))
  })
})
