import 'reflect-metadata'
import { CLOCK, environmentOf, systemClock } from '@causeway/core'
import { createLogger, EnvironmentKeys } from '@causeway/core/host'
import {
  type Command,
  DEPLOYMENT,
  defineRoute,
  ENVIRONMENT,
  INTEGRATOR_AUTH,
  type IntegratorAuth,
  KEYS,
  LOGGER,
  NOTIFIER,
  POOL,
  PostgresNotifier,
} from '@causeway/core/plugin'
import { createTestDatabase, startTestServer, type TestDatabase, type TestServer } from '@causeway/core/testing'
import { Type } from '@sinclair/typebox'
import { pino } from 'pino'
import { container as root } from 'tsyringe'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiKeyAuth } from './apiKeyAuth.js'
import { apiKeyTables } from './fixtures/apiKeyTables.js'
import plugin from './index.js'
import { KeyRing } from './store/keyRing.js'
import { KeyUsage } from './store/keyUsage.js'
import { KeyVault } from './store/keyVault.js'

const keys = new EnvironmentKeys(new Map([['master' as const, `0x${'7'.repeat(64)}`]]))

let database: TestDatabase
let server: TestServer
let commands: readonly Command[]
let auth: IntegratorAuth
const listening = new AbortController()
const context = {
  container: root.createChildContainer(),
  options: { maxKeysPerIntegrator: 50, proxy: { origins: [] } },
}

beforeAll(async () => {
  database = await createTestDatabase({ packages: apiKeyTables })
  const { container } = context
  container.registerInstance(POOL, database.pool)
  container.registerInstance(CLOCK, systemClock)
  container.registerInstance(ENVIRONMENT, environmentOf(process.env))
  container.registerInstance(KEYS, keys)
  const notifier = new PostgresNotifier({ connectionString: database.url })
  void notifier.run(listening.signal)
  container.registerInstance(NOTIFIER, notifier)
  container.registerInstance(DEPLOYMENT, { network: 'testnet', serviceName: 'relay', version: '1.0.0' })
  container.registerInstance(LOGGER, createLogger({ level: 'silent' }))
  await plugin.register?.({
    ...context,
    provide: (token, factory) => void container.register(token, { useFactory: factory }),
  })
  commands = plugin.commands?.(context) ?? []
  auth = container.resolve(INTEGRATOR_AUTH)
  const route = (path: string, need: 'optional' | 'required') =>
    defineRoute({
      method: 'GET',
      path,
      summary: 'Who calls',
      bucket: 'other',
      auth: need,
      responses: { 200: Type.Any() },
      handler: ({ caller }) => caller,
    })
  server = await startTestServer([route('/who', 'optional'), route('/mine', 'required')], { auth })
})

afterAll(async () => {
  await server.close()
  await plugin.stop?.(context)
  listening.abort()
  await database.drop()
})

const run = async (name: string, options: Record<string, unknown> = {}, args: readonly string[] = []) => {
  const lines: string[] = []
  const command = commands.find((candidate) => candidate.name === name)
  await command?.run({ arguments: args, options, print: (line) => void lines.push(line) })
  return lines
}

const createKey = async (integrator: string, label: string, more: Record<string, unknown> = {}) => {
  const lines = await run('api-keys create', { integrator, label, ...more })
  const after = (prefix: string): string => lines.find((line) => line.startsWith(prefix))?.slice(prefix.length) ?? ''
  return { id: after('id:  '), key: after('key: ') }
}

const who = async (key?: string, path = '/who') => {
  const answer = await fetch(`${server.server.url}${path}`, key === undefined ? {} : { headers: { 'x-api-key': key } })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe('who is calling', () => {
  it('is anonymous without a key, and refused where one is needed (wire.md H.1)', async () => {
    expect(await who()).toEqual({ status: 200, body: { kind: 'anonymous' } })
    expect(await who(undefined, '/mine')).toEqual({
      status: 401,
      body: { message: expect.any(String), statusCode: 401 },
    })
  })

  it('is the integrator that owns the key, with its label and limits', async () => {
    const first = await createKey('Acme', 'production', { elevated: true })
    const second = await createKey('Acme', 'staging')
    const [one, two] = [await who(first.key), await who(second.key, '/mine')]
    expect(one).toMatchObject({
      status: 200,
      body: { kind: 'integrator', apiKeyId: first.id, keyName: 'production', elevated: true, trusted: true },
    })
    expect(two.body).toMatchObject({ apiKeyId: second.id, keyName: 'staging', elevated: false })
    expect(two.body.integratorId).toBe(one.body.integratorId)
  })

  it.each([
    ['unknown', `cct_test_${'a'.repeat(43)}`],
    ['too short', 'short'],
    ['empty', ''],
    ['with a blank', `${'a'.repeat(20)} ${'b'.repeat(20)}`],
  ])('a key that is %s is 401 {message} also where a key is optional (wire.md H.1)', async (_, key) => {
    expect(await who(key)).toEqual({ status: 401, body: { message: 'The API key is not valid', statusCode: 401 } })
  })

  it('a key brought from elsewhere works', async () => {
    vi.stubEnv('BROUGHT_KEY', 'legacy-key-0123456789')
    const lines = await run('api-keys import', { integrator: 'Beta', label: 'old', fromEnv: 'BROUGHT_KEY' })
    expect(lines.join('\n')).not.toContain('legacy-key')
    expect((await who('legacy-key-0123456789')).status).toBe(200)
  })
})

describe('commands', () => {
  it('make, find and change what integrators have, and say so', async () => {
    const [made = ''] = await run('integrators create', {}, ['Theta'])
    expect(await run('integrators list', { search: 'thet' })).toEqual([
      'id\tname\tcreated',
      expect.stringMatching(new RegExp(`^${made.replace('id: ', '')}\tTheta\t2`)),
    ])
    const { id, key } = await createKey('Theta', 'first')
    expect(await run('api-keys rename', { label: 'second' }, [id])).toEqual([`${id} is "second" now.`])
    await run('api-keys elevate', {}, [id])
    await expect.poll(async () => (await who(key)).body).toMatchObject({ keyName: 'second', elevated: true })
    await run('api-keys unelevate', {}, [id])
    await run('api-keys distrust', {}, [id])
    await expect.poll(async () => (await who(key)).body).toMatchObject({ trusted: false })
    expect(await run('api-keys trust', {}, [id])).toEqual([
      `${id} is trusted now; every host knows within five seconds.`,
    ])
    expect(await run('api-keys rename', {}, [id])).toEqual([`${id} has no label now.`])
    const [, row = ''] = await run('api-keys list', { integrator: 'Theta' })
    expect(row.split('\t').slice(0, 7)).toEqual([
      id,
      'Theta',
      made.replace('id: ', ''),
      '-',
      'default',
      'yes',
      key.slice(0, 12),
    ])
    await expect(run('api-keys list', { integrator: 'Nobody' })).rejects.toThrow('There is no integrator "Nobody".')
  })

  it('none takes the text of a key as an argument or option', () => {
    for (const { name, arguments: given = [], options = [] } of commands) {
      const words = [...given.map((argument) => argument.name), ...options.map(({ flags }) => flags)]
      expect(words.join(' '), name).not.toMatch(/key/i)
    }
  })
})

describe('what is stored', () => {
  it('shows no key to a reader of the table, and the vault opens it as the webhook secret (architecture.md 6)', async () => {
    const { id, key } = await createKey('Gamma', 'live')
    const { rows } = await database.pool.query('select *, api_keys::text as whole from api_keys where id = $1', [id])
    expect(rows[0].whole).not.toContain(key)
    expect(rows[0].whole).not.toContain(Buffer.from(key).toString('hex'))
    expect(new KeyVault(keys).open(rows[0])).toBe(key)
  })

  it('api-keys list shows labels and never a key', async () => {
    const { id, key } = await createKey('Delta', 'listed')
    const lines = (await run('api-keys list')).join('\n')
    expect(lines).toContain(id)
    expect(lines).toContain('listed')
    expect(lines).not.toContain(key)
  })
})

describe('revocation', () => {
  it('reaches a host that has just accepted the key (wire.md H.1)', async () => {
    const { id, key } = await createKey('Epsilon', 'gone')
    expect((await who(key)).status).toBe(200)
    expect(await run('api-keys revoke', {}, [id])).toEqual([`${id} is revoked.`])
    await expect.poll(async () => (await who(key)).status, { interval: 20 }).toBe(401)
    expect(await run('api-keys revoke', {}, [id])).toEqual([`${id} was revoked before.`])
  })

  it('works within five seconds where the notice is lost', async () => {
    const { id, key } = await createKey('Zeta', 'unheard')
    let now = 0
    const deaf = new ApiKeyAuth({
      pool: database.pool,
      ring: new KeyRing(keys),
      now: () => now,
      onUse: () => undefined,
    })
    await deaf.authenticate(key)
    await run('api-keys revoke', {}, [id])
    now = 4999
    await expect(deaf.authenticate(key)).resolves.toMatchObject({ kind: 'integrator' })
    now = 5000
    await expect(deaf.authenticate(key)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('refuses an id that is none', async () => {
    await expect(run('api-keys revoke', {}, ['x'.repeat(52)])).rejects.toThrow(/^There is no such key\.$/)
    await expect(run('api-keys revoke', {}, ['00000000-0000-4000-8000-000000000000'])).rejects.toThrow(/no key/)
  })
})

describe('without its needs', () => {
  it('the last use is stored in one batch at the stop', async () => {
    const { id, key } = await createKey('Eta', 'used')
    await who(key)
    await plugin.stop?.(context)
    const uses = async () =>
      (await database.pool.query('select first_used_at, last_used_at from api_keys where id = $1', [id])).rows[0]
    const { first_used_at: first, last_used_at: last } = await uses()
    expect(last).toBeInstanceOf(Date)
    expect(first).toEqual(last)
    const later = new Date(last.getTime() + 60_000)
    const again = new KeyUsage({
      pool: database.pool,
      clock: { now: () => later.getTime() },
      log: pino({ level: 'silent' }),
    })
    again.note(id)
    await again.flush()
    expect(await uses()).toEqual({ first_used_at: first, last_used_at: later })
  })

  it('is 503, not 401 or 500, when the database cannot be asked', async () => {
    const broken = new ApiKeyAuth({
      // CAST: the one method used.
      pool: { query: () => Promise.reject(new Error('gone')) } as never,
      ring: new KeyRing(keys),
      now: () => 0,
      onUse: () => undefined,
    })
    await expect(broken.authenticate('a'.repeat(20))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
