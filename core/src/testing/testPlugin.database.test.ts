import { Type } from '@sinclair/typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BALANCE_CURRENCY } from '../appBalance/balanceCurrency.js'
import { LOGGER, POOL } from '../container/coreTokens.js'
import { token } from '../container/tokens.js'
import { CALL_OBSERVERS, type FinishedCall } from '../http/callObserver.js'
import { RATE_LIMITER } from '../http/request/rateLimiter.js'
import { defineRoute } from '../http/route.js'
import { PRICES } from '../money/prices/priceSource.js'
import { definePlugin, type Plugin } from '../plugin/plugin.js'
import { QUOTE_ENGINE } from '../quote/quoteEngine.js'
import { defineQuoteExtension, QUOTE_EXTENSIONS, type QuoteExtension } from '../quote/quoteExtension.js'
import { startTestPlugin, type TestPlugin } from './testPlugin.js'

const COUNT = token<{ count: number }>('test/Count')
const finished: FinishedCall[] = []
const steps: string[] = []

const options = Type.Object({ word: Type.String({ default: 'hello' }) }, { additionalProperties: false })

const plugin = definePlugin({
  name: 'causeway-plugin-tested',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, LOGGER],
  provides: [QUOTE_EXTENSIONS, CALL_OBSERVERS, COUNT],
  options,
  migrations: [{ name: '0001_words', up: 'create table tested_words (word text not null, by text not null)' }],
  register: ({ provide }) => {
    const extension = { name: 'tested', bodySchema: Type.Object({}), phase: 'fees', apply: () => undefined } as const
    provide(QUOTE_EXTENSIONS, () => [defineQuoteExtension(extension)])
    provide(CALL_OBSERVERS, () => [{ finished: (call) => void finished.push(call) }])
    provide(COUNT, () => ({ count: 0 }))
  },
  routes: ({ container, options: { word } }) => [
    defineRoute({
      method: 'POST',
      path: '/words',
      summary: 'Stores the word',
      bucket: 'other',
      auth: 'required',
      changes: true,
      body: Type.Object({ wrong: Type.Optional(Type.Boolean()) }),
      responses: { 200: Type.Object({ word: Type.String() }) },
      handler: async ({ body, caller }) => {
        container.resolve(LOGGER).info('a word is stored')
        const by = caller.kind === 'integrator' ? caller.integratorId : ''
        await container.resolve(POOL).query('insert into tested_words values ($1, $2)', [word, by])
        return body.wrong === true ? { wrong: true } : { word }
      },
    }),
  ],
  start: async () => void steps.push('start'),
  stop: async () => void steps.push('stop'),
})

const bare = (more: Partial<Plugin>): Plugin => ({
  name: 'causeway-plugin-bare',
  version: '1.0.0',
  coreRange: '^1.0.0',
  options,
  ...more,
})

describe('a plugin that is run in a test', () => {
  let running: TestPlugin<{ word: string }>
  beforeAll(async () => {
    running = await startTestPlugin(plugin, {
      callers: { key: { kind: 'integrator', integratorId: 'acme', apiKeyId: 'k', keyName: null, elevated: false } },
    })
  })
  afterAll(() => running?.close())

  const post = (body: object, headers: Readonly<Record<string, string>> = { 'x-api-key': 'key' }) =>
    fetch(`${running.url}/words`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const words = async () => (await running.database.pool.query('select word, by from tested_words')).rows

  it('has its tables, its default options, the callers of the test, and answers a repeated call once', async () => {
    const keyed = { 'x-api-key': 'key', 'idempotency-key': 'a' }
    const [first, again] = [await post({}, keyed), await post({}, keyed)]
    expect([first.status, await first.json()]).toEqual([200, { word: 'hello' }])
    expect([again.headers.get('idempotency-replayed'), await again.json()]).toEqual(['true', { word: 'hello' }])
    expect(await words()).toEqual([{ word: 'hello', by: 'acme' }])
    expect([(await post({}, {})).status, (await post({}, { 'x-api-key': 'other' })).status]).toEqual([401, 401])
    expect(running.logged()).toContain('a word is stored')
  })

  it('fails where it answers what its route does not declare', async () => {
    const answer = await post({ wrong: true })
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining('does not answer 200 as declared'),
    ])
  })

  it('is observed by what it provides, which a test resolves: lists of extension points, and one of what is its own', () => {
    const { container } = running.context
    expect(container.resolve<QuoteExtension[]>(QUOTE_EXTENSIONS).map(({ name }) => name)).toEqual(['tested'])
    expect(container.resolve(CALL_OBSERVERS)).toHaveLength(1)
    expect(container.resolve<object>(COUNT)).toBe(container.resolve<object>(COUNT))
    expect(finished.map(({ route }) => route)).toContain('/words')
  })

  it('is started and stopped, and its database goes', async () => {
    const { name } = (await running.database.pool.query('select current_database() as name')).rows[0]
    const other = await startTestPlugin(bare({}))
    await running.close()
    expect(steps).toEqual(['start', 'stop'])
    const left = await other.database.pool.query('select 1 from pg_database where datname = $1', [name])
    expect(left.rowCount).toBe(0)
    await other.close()
    running = await startTestPlugin(plugin)
  })
})

describe('what a host would refuse', () => {
  it.each([
    { refused: bare({ coreRange: '^99.0.0' }), says: 'fits core ^99.0.0, but this is core' },
    { refused: bare({ requires: [PRICES] }), says: 'core/Prices' },
    {
      refused: bare({
        register: ({ provide }) => provide(RATE_LIMITER, () => ({ take: async () => ({ headers: {} }) })),
      }),
      says: 'which its "provides" does not list',
    },
  ])('$says', async ({ refused, says }) => {
    await expect(startTestPlugin(refused)).rejects.toThrow(says)
  })

  it('options that its schema refuses', async () => {
    await expect(startTestPlugin(plugin, { options: { word: 7 } })).rejects.toThrow('options.word')
  })
})

it('takes a stand-in for what another plugin provides', async () => {
  const unasked = async () => Promise.reject(new Error())
  const engine = { price: unasked, quote: unasked, reprice: unasked, requote: unasked }
  const running = await startTestPlugin(bare({ requires: [QUOTE_ENGINE] }), {
    register: (container) => container.register(QUOTE_ENGINE, { useValue: engine }),
  })
  expect(running.context.container.resolve(QUOTE_ENGINE)).toBe(engine)
  await running.close()
})

it('a plugin learns that no balances are kept, where none are', async () => {
  const bareOne = await startTestPlugin(bare({ requires: [BALANCE_CURRENCY] }))
  try {
    expect(bareOne.context.container.resolve(BALANCE_CURRENCY)).toBeNull()
  } finally {
    await bareOne.close()
  }
})
