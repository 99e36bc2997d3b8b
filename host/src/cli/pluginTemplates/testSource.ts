/** `vitest.config.ts` of a new plugin. */
export const VITEST_CONFIG = `
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['vitest.setup.ts'],
    // The first test of a run makes all tables of core.
    hookTimeout: 60_000,
  },
})
`

/** `vitest.setup.ts` of a new plugin. */
export const VITEST_SETUP = `
import { openTestPostgres } from '@causeway/core/testing'

// One PostgreSQL for the run: the one CAUSEWAY_TEST_DATABASE_URL names, else one that is started now and thrown away.
export default openTestPostgres
`

/** `src/greetings.test.ts` of a new plugin. */
export const TEST = `
import { type Caller, QUOTE_EXTENSIONS, type QuoteDraft } from '@causeway/core/plugin'
import { startTestPlugin, type TestPlugin } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import plugin from './index.js'
import type { GreetingOptions } from './options.js'

const ACME: Caller = { kind: 'integrator', integratorId: 'acme', apiKeyId: 'acme-1', keyName: null, elevated: false }
const SHOP: Caller = { ...ACME, integratorId: 'shop', apiKeyId: 'shop-1' }
const BROWSER: Caller = { ...ACME, proxied: true }

let running: TestPlugin<GreetingOptions>

// A database of its own with the tables of core and of this plugin, and its routes over HTTP.
beforeAll(async () => {
  running = await startTestPlugin(plugin, { callers: { 'key-acme': ACME, 'key-shop': SHOP, 'key-browser': BROWSER } })
})
afterAll(() => running?.close())

const as = (apiKey: string) => ({ 'x-api-key': apiKey })

const call = async (method: 'GET' | 'PUT', headers: Readonly<Record<string, string>>, text?: string) => {
  const answer = await fetch(\`\${running.url}/__WORD__/greeting\`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(text === undefined ? {} : { body: JSON.stringify({ text }) }),
  })
  return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), body: await answer.json() }
}

describe('the greeting of an integrator', () => {
  it('is kept, and is its own', async () => {
    expect((await call('GET', as('key-acme'))).status).toBe(404)
    const saved = await call('PUT', as('key-acme'), 'Hello from Acme')
    expect(saved).toMatchObject({ status: 200, body: { text: 'Hello from Acme', changedAt: expect.any(String) } })
    expect((await call('GET', as('key-acme'))).body).toEqual(saved.body)
    expect((await call('GET', as('key-shop'))).status).toBe(404)
  })

  it.each([
    { from: 'nobody', headers: {}, status: 401 },
    { from: 'an unknown key', headers: as('unknown'), status: 401 },
    { from: 'a key added for a browser', headers: as('key-browser'), status: 403 },
  ])('is not for $from', async ({ headers, status }) => {
    expect((await call('GET', headers)).status).toBe(status)
    expect((await call('PUT', headers, 'Mine')).status).toBe(status)
  })

  it('is no longer than the option says, by default 140 characters', async () => {
    expect((await call('PUT', as('key-shop'), 'x'.repeat(141))).status).toBe(400)
    expect((await call('PUT', as('key-shop'), 'x'.repeat(140))).status).toBe(200)
  })

  it('is changed once by a call that is repeated with its Idempotency-Key', async () => {
    const headers = { ...as('key-acme'), 'idempotency-key': 'first' }
    const first = await call('PUT', headers, 'One')
    await call('PUT', as('key-acme'), 'Two')
    expect(await call('PUT', headers, 'One')).toEqual({ ...first, replayed: 'true' })
    expect((await call('GET', as('key-acme'))).body).toMatchObject({ text: 'Two' })
  })
})

describe('a quote', () => {
  const answered = async (caller: Caller, body: Readonly<Record<string, unknown>>) => {
    const [extension] = running.context.container.resolve(QUOTE_EXTENSIONS)
    // CAST: all of a draft that this extension looks at. Whole quotes need a host with chains.
    const draft = { caller, body } as QuoteDraft
    await extension?.apply(draft, body)
    return extension?.response?.(draft)
  }

  it('has the greeting of who asked for it', async () => {
    await call('PUT', as('key-acme'), 'Hello from Acme')
    expect(await answered(ACME, { __WORD__Greeting: true })).toEqual({ __WORD__: { greeting: 'Hello from Acme' } })
    expect(await answered(ACME, {})).toEqual({})
    expect(await answered(BROWSER, { __WORD__Greeting: true })).toEqual({})
    expect(await answered({ kind: 'anonymous' }, { __WORD__Greeting: true })).toEqual({})
  })
})
`
