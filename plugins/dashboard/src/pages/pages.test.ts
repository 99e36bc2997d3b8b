import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { TrackedRequest } from '@causeway/core/plugin'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assetRoutes } from '../assets/assetRoutes.js'
import { BuiltPages } from '../assets/builtPages.js'
import { checkExtensions, extensionRoute, PageExtensionError, shownExtensions } from '../extensions/extensionRoute.js'
import { AREAS } from './pagePaths.js'
import { pageRoutes } from './pageRoutes.js'
import { rootRoute } from './rootRoute.js'

const HOSTILE = `"><script>alert(1)</script>&'`
const DRAWN = '0xd0'
const SCRIPT = 'export const answer = 42\n'
const tides = {
  id: 'tides',
  title: HOSTILE,
  area: 'dashboard',
  place: 'page',
  module: 'export const mount = () => undefined',
} as const

let folder: string
let test: TestServer

/** Files as the build leaves them. */
const build = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'causeway-pages-'))
  for (const kind of ['scripts', 'styles', 'fonts']) mkdirSync(join(made, 'assets', kind), { recursive: true })
  writeFileSync(join(made, 'assets/scripts/main-1.js'), SCRIPT)
  writeFileSync(join(made, 'assets/scripts/main-1.js.gz'), gzipSync(SCRIPT))
  const area = (name: string) => [
    `src/areas/${name}/area.tsx`,
    { file: `assets/scripts/${name}-1.js`, imports: ['_shared.js'], css: [`assets/styles/${name}-1.css`] },
  ]
  const manifest = {
    'src/main.tsx': { file: 'assets/scripts/main-1.js', css: ['assets/styles/main-1.css'], imports: ['_shared.js'] },
    '_shared.js': { file: 'assets/scripts/shared-1.js' },
    'src/signIn.tsx': { file: 'assets/scripts/sign-in-1.js', imports: ['_shared.js'] },
    'src/early.ts': { file: 'assets/scripts/early-1.js' },
    'src/track.tsx': { file: 'assets/scripts/track-1.js', imports: ['_shared.js'], css: ['assets/styles/track-1.css'] },
    ...Object.fromEntries(AREAS.map(area)),
    'src/areas/dashboard/DashboardPages.tsx': { file: 'assets/scripts/inner-1.js', imports: ['_shared.js'] },
    'src/areas/console/ConsolePages.tsx': { file: 'assets/scripts/inner-2.js', imports: ['_shared.js'] },
  }
  writeFileSync(join(made, 'manifest.json'), JSON.stringify(manifest))
  return made
}

beforeAll(async () => {
  folder = build()
  const pages = new BuiltPages(folder)
  const routes = pageRoutes(
    {
      pages,
      facts: (area) => ({ area, network: 'testnet', sandbox: false, extensions: shownExtensions([tides]) }),
      // CAST: pages take an id as whoever finds it gives it.
      find: async (id) => ({ requestId: id }) as unknown as TrackedRequest,
      draw: async (_area, { id }) =>
        id === DRAWN ? { html: '<h1>Drawn</h1>', of: { at: 1, transfer: { id } } } : null,
      preview: (_area, found) => ({ title: `About ${found?.requestId ?? 'all'}`, description: HOSTILE, image: null }),
    },
    AREAS,
  )
  test = await startTestServer([rootRoute('/try'), ...routes, ...assetRoutes(pages), extensionRoute([tides])])
})
afterAll(async () => {
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

const filesOf = (html: string) =>
  [...html.matchAll(/(?:href|src)="(\/dashboard\/assets[^"]+)"/g)].map(([, path]) => path)

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(new URL(path, test.server.url), { headers })

describe('a page', () => {
  it('may run its own scripts alone: none inline, none from elsewhere, no markup from text', async () => {
    const policy = (await get('/dashboard')).headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[A-Za-z0-9+/=]{24}';/)
    for (const rule of ["require-trusted-types-for 'script'", "trusted-types 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  it('has a nonce of its own each time, and is kept by nobody', async () => {
    const [one, two] = [await get('/console'), await get('/console')]
    const nonceOf = (answer: Response) =>
      /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
    expect(nonceOf(one)).toBeDefined()
    expect(nonceOf(one)).not.toBe(nonceOf(two))
    expect(one.headers.get('cache-control')).toBe('no-store')
  })

  it.each(['/dashboard/keys', '/dashboard/requests/0x01', '/console/lanes/71001', '/track/0x01', '/try', '/track'])(
    'answers at %s, so that what is shown can be shared and loaded again',
    async (path) => {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    },
  )

  it('shows no markup of an id, a title or a description: all of it is text', async () => {
    const html = await (await get(`/track/${encodeURIComponent(HOSTILE)}`)).text()
    expect(html).not.toContain('<script>')
    expect(html).toContain('About &#34;&#62;&#60;script&#62;')
    expect(html).toContain('content="&#34;&#62;&#60;script&#62;')
  })

  const SIGNED_IN = { cookie: 'a=b; causeway_sign_in=x' }

  it('loads what its area needs early, what all else waits for first, and nothing twice', async () => {
    expect(filesOf(await (await get('/dashboard/keys', SIGNED_IN)).text())).toEqual([
      '/dashboard/assets/scripts/early-1.js',
      '/dashboard/assets/scripts/main-1.js',
      '/dashboard/assets/styles/main-1.css',
      '/dashboard/assets/styles/dashboard-1.css',
      '/dashboard/assets/scripts/dashboard-1.js',
      '/dashboard/assets/scripts/inner-1.js',
      '/dashboard/assets/scripts/shared-1.js',
    ])
  })

  it.each([
    ['/dashboard/keys', 'causeway_sign_in=x', 'main-1'],
    ['/console', 'a=b; __Host-causeway_session=x', 'main-1'],
    ['/dashboard', 'other=x', 'sign-in-1'],
    ['/console/lanes', '', 'sign-in-1'],
    ['/track/0x01', 'causeway_sign_in=x', 'track-1'],
    ['/track', '', 'track-1'],
    ['/try', '', 'main-1'],
  ])(
    'begins at %s, for who brings "%s", with %s, and without the sign-in with that alone',
    async (path, cookie, first) => {
      const [early, script, ...others] = filesOf(await (await get(path, { cookie })).text()).filter((file) =>
        /scripts/.test(file ?? ''),
      )
      expect([early, script]).toEqual(['early-1', first].map((name) => `/dashboard/assets/scripts/${name}.js`))
      if (first !== 'main-1') expect(others).toEqual(['/dashboard/assets/scripts/shared-1.js'])
    },
  )

  it('that is sent drawn has its view, what it was drawn of, and its scripts for afterwards', async () => {
    const html = await (await get(`/track/${DRAWN}`)).text()
    expect(html).toContain('<div id="root"><h1>Drawn</h1></div>')
    expect(html).toContain('&#34;drawn&#34;:{&#34;at&#34;:1,&#34;transfer&#34;:{&#34;id&#34;:&#34;0xd0&#34;}}')
    expect(/<script src="([^"]+)" data-next="([^"]+)">/.exec(html)?.slice(1)).toEqual([
      '/dashboard/assets/scripts/early-1.js',
      '/dashboard/assets/scripts/track-1.js /dashboard/assets/scripts/shared-1.js',
    ])
    expect(html).not.toMatch(/modulepreload|type="module"|as="fetch"/)
  })

  it.each([
    ['/dashboard/requests/0x01', SIGNED_IN, '/dashboard/api/session'],
    ['/console', SIGNED_IN, '/dashboard/api/session'],
    ['/console', {}, undefined],
    ['/track/0x01', {}, '/track/api/0x01'],
    [`/track/${encodeURIComponent('"><script> ')}`, {}, '/track/api/%22%3E%3Cscript%3E'],
    ['/track', {}, undefined],
    ['/try', {}, undefined],
  ])('has the browser make the first call of %s (%j) while scripts load: %s', async (path, headers, call) => {
    const html = await (await get(path, headers)).text()
    expect(/<link rel="preload" as="fetch" crossorigin="anonymous" href="([^"]*)">/.exec(html)?.[1]).toBe(call)
  })

  it('is no answer to a path of the API that is not there', async () => {
    const answer = await get('/dashboard/api/nothing')
    expect([answer.status, await answer.json()]).toEqual([404, { message: 'There is no such path', statusCode: 404 }])
  })
})

describe('the address of the service alone', () => {
  const open = (accept: string) => fetch(new URL('/', test.server.url), { headers: { accept }, redirect: 'manual' })

  it('leads a browser to the first page, and nobody keeps where', async () => {
    const { status, headers } = await open('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([302, '/try', 'no-store'])
    expect(headers.get('vary')).toBe('accept')
  })

  it.each(['*/*', 'application/json'])('is nothing to a client of the API (%s)', async (accept) => {
    const answer = await open(accept)
    expect([answer.status, await answer.json()]).toEqual([404, { message: 'There is no such path', statusCode: 404 }])
  })
})

describe('a script of the pages', () => {
  it('is kept for ever, compressed for who takes that', async () => {
    const answers = [
      await get('/dashboard/assets/scripts/main-1.js'),
      await get('/dashboard/assets/scripts/main-1.js', { 'accept-encoding': 'identity' }),
    ]
    expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', null])
    for (const answer of answers) {
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(await answer.text()).toBe(SCRIPT)
    }
  })

  it.each(['nothing.js', 'main-1.js.gz', '..%2fmanifest.json', 'main-1.js%00'])(
    'is none outside the folder: %s',
    async (name) => {
      expect((await get(`/dashboard/assets/scripts/${name}`)).status).toBeGreaterThanOrEqual(400)
    },
  )
})

describe('a page of another plugin', () => {
  it('is a script of this origin, named in the facts of the page', async () => {
    const html = await (await get('/dashboard')).text()
    expect(html).toContain('/dashboard/assets/extensions/tides.js')
    const script = await get('/dashboard/assets/extensions/tides.js')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await script.text()).toBe(tides.module)
  })

  it('has an id of its own that is part of an address, and a title', () => {
    for (const wrong of [[tides, tides], [{ ...tides, id: '../x' }], [{ ...tides, title: ' ' }]])
      expect(() => checkExtensions(wrong)).toThrow(PageExtensionError)
  })
})
