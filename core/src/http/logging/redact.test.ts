import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors/serviceError.js'
import { defineRoute, type ErrorFamily } from '../route.js'
import { startTestServer } from '../testServer.js'
import { createLogger } from './logger.js'
import { redactErrorMessage, redactText } from './redact.js'

const database = 'postgres://causeway:hunter2secret@db.internal:5432/causeway'
const rpc = 'https://eth.example.org/v2/RPCKEYabcdef0123456789'
const apiKey = `cct_live_${'K3y'.repeat(14)}`
const secrets = [
  'hunter2secret',
  'RPCKEYabcdef',
  'db.internal',
  'K3yK3y',
  'insert into',
  'select "id"',
  'node_modules',
  '    at ',
]

const leakyError = (): Error => {
  const driver = Object.assign(
    new Error(`insert into "quotes" ("id") values ($1) - connect ECONNREFUSED ${database}`),
    {
      code: 'ECONNREFUSED',
      query: 'select "id" from quotes',
      config: { url: rpc, headers: { 'x-api-key': apiKey } },
    },
  )
  driver.stack = `${driver.stack}\n    at query (/srv/node_modules/pg/lib/client.js:10:5)`
  return new Error(`HTTP request failed. URL: ${rpc}\nRequest body: {"x-api-key":"${apiKey}"}`, { cause: driver })
}

const families: readonly ErrorFamily[] = ['plain', 'quote', 'execute']
const routes = families.flatMap((family) => [
  defineRoute({
    method: 'GET',
    path: `/${family}/crash`,
    summary: 'Crashes',
    bucket: 'none',
    auth: 'none',
    responses: {},
    errors: family,
    handler: ({ ctx }) => {
      ctx.log.warn(
        { error: leakyError(), options: { url: rpc, password: 'hunter2secret' }, headers: ctx.headers },
        `calling ${rpc}`,
      )
      throw leakyError()
    },
  }),
  defineRoute({
    method: 'GET',
    path: `/${family}/service`,
    summary: 'Fails with a careless message',
    bucket: 'none',
    auth: 'none',
    responses: { 200: Type.Object({}) },
    errors: family,
    handler: () => {
      const { message } = leakyError()
      throw new ServiceError('RPC_HTTP_ERROR', message, {
        data: { errorData: { inner: [message] } },
        cause: leakyError(),
      })
    },
  }),
])

describe('redaction (faults.md F96)', () => {
  it('keeps URLs, keys, SQL and stacks of an internal error out of bodies and logs', async () => {
    const lines: string[] = []
    const test = await startTestServer(routes, {
      checkResponses: false,
      log: createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } }),
    })
    for (const family of families) {
      for (const how of ['crash', 'service']) {
        const answer = await fetch(`${test.server.url}/${family}/${how}`, {
          headers: { 'x-api-key': apiKey, authorization: `Bearer ${apiKey}` },
        })
        const text = await answer.text()
        expect([500, 503]).toContain(answer.status)
        for (const secret of secrets) expect(text).not.toContain(secret)
      }
    }
    await test.close()
    const log = lines.join('')
    expect(log).toContain('[url]')
    expect(log).toContain('ECONNREFUSED')
    expect(log).toContain('redact.test.ts')
    for (const secret of secrets) expect(log).not.toContain(secret)
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })

  it.each([
    ['x-api-key: abc123', 'x-api-key: [redacted]'],
    ['{"x-api-key":"a\\"bc","n":1}', '{"x-api-key":"[redacted]","n":1}'],
    ['{"body":"{\\"apiKey\\":\\"abc\\"}"}', '{"body":"{\\"apiKey\\":\\"[redacted]\\"}"}'],
    ['Authorization: Bearer abc.def', 'Authorization: [redacted]'],
    ['{"apiKey":null,"secret":12,"apiKeyId":"k1"}', '{"apiKey":null,"secret":12,"apiKeyId":"k1"}'],
    ['{"mnemonic":"test test test"}', '{"mnemonic":"[redacted]"}'],
    ['host=db password=abc user=x', 'host=db password=[redacted] user=x'],
    ['wss://user:pw@h/x, then', '[url] then'],
    [
      'GET /balance-events/0x5a?limit=2&id=s3cr3t&context=claim',
      'GET /balance-events/0x5a?limit=2&id=[redacted]&context=claim',
    ],
    ['http://127.0.0.1:4000 and http://127.0.0.1:4000/v2/KEY', 'http://127.0.0.1:4000 and [url]'],
    [`key ${apiKey}.`, 'key [key].'],
    ['a plain line', 'a plain line'],
  ])('%s', (text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  it.each([
    ['referrer goes together with apiKey: name the keys whose requests are meant', null],
    ['connect failed, password: hunter2 was refused', 'connect failed, password: [redacted] was refused'],
    ['connect failed, password: hunter', 'connect failed, password: [redacted]'],
    ['connect failed, password=hunter was refused', 'connect failed, password=[redacted] was refused'],
    ['Authorization: Bearer abcdef was refused', 'Authorization: [redacted] was refused'],
  ])('of a message keeps sentences and takes values: %s', (message, expected) => {
    expect(redactErrorMessage(message)).toBe(expected ?? message)
  })

  it('replaces the configured secrets', () => {
    const lines: string[] = []
    const log = createLogger({
      level: 'info',
      destination: { write: (line: string) => void lines.push(line) },
      secrets: ['v2/abcdef', 'x'],
    })
    log.info({ host: 'eth.example.org/v2/abcdef' }, 'x')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ host: 'eth.example.org/[redacted]', msg: 'x' })
  })

  it('is linear on long calldata', () => {
    /** Microseconds of a processor, the best of some tries: other processes may have it in between. */
    const cost = (times: number): number =>
      Math.min(
        ...Array.from({ length: 5 }, () => {
          const before = process.cpuUsage()
          redactText(`${'ab'.repeat(50_000 * times)} password ${'a.'.repeat(20_000 * times)}`)
          return process.cpuUsage(before).user
        }),
      )
    cost(1)
    // Sixty-four times as much where it is quadratic.
    expect(cost(8)).toBeLessThan(32 * Math.max(cost(1), 1_000))
  })

  it('prints readable lines when asked', () => {
    const lines: string[] = []
    createLogger({ level: 'info', pretty: true, destination: { write: (line: string) => void lines.push(line) } }).info(
      { chain: 1 },
      'watching',
    )
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}watching chain=1\n$/)
  })
})
