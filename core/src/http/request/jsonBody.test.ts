import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRaw } from '../../testing/sendRaw.js'
import { AmountText } from '../openapi/amountSchema.js'
import { defineRoute } from '../route.js'
import { startTestServer, type TestServer } from '../testServer.js'
import { parseJsonBody } from './jsonBody.js'

/** Caches of the processor are shared: the best of a few tries counts. */
const SHARED_CORES = { retry: 4 }
/** Time of a processor: a quadratic pass over 256 KiB takes tens of seconds, a linear one tens of milliseconds. */
const QUADRATIC_MS = 1_000

const echo = defineRoute({
  method: 'POST',
  path: '/echo',
  summary: 'Answers its body',
  bucket: 'none',
  auth: 'none',
  body: Type.Object({
    amount: Type.Optional(AmountText()),
    list: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Null()]))),
    inner: Type.Optional(Type.Object({ deep: Type.Number({ default: 1 }) })),
  }),
  query: Type.Object({ n: Type.Optional(Type.Number()) }),
  responses: { 200: Type.Unknown() },
  errors: 'quote',
  handler: ({ body }) => ({ body }),
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('JSON bodies (faults.md F91)', () => {
  let test: TestServer
  let url: string
  beforeAll(async () => {
    test = await startTestServer([echo], { limits: { bodyMilliseconds: 300 } })
    url = `${test.server.url}/echo`
    await sendRaw(url, { headers: { 'content-type': 'application/json' }, body: '{}' })
  })
  afterAll(async () => {
    expect((await sendRaw(url, { body: '{}' })).status).toBe(200)
    await test.close()
  })

  const type = 'application/json'
  const table: readonly [string, number, string, string | Uint8Array, Record<string, string>?][] = [
    ['duplicate keys', 400, type, '{"a":1,"a":2}'],
    ['duplicate keys, one escaped', 400, type, '{"a":1,"\\u0061":2}'],
    ['duplicate keys in a nested list', 400, type, '{"list":[{"a":"{","b":[{}],"a":1}]}'],
    ['__proto__', 400, type, '{"__proto__":{"polluted":true}}'],
    ['__proto__ escaped and nested', 400, type, '{"a":[{"\\u005f_proto__":{"polluted":true}}]}'],
    ['constructor.prototype', 400, type, '{"constructor":{"prototype":{"polluted":true}}}'],
    ['10,000 nested lists', 400, type, `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['10,000 nested objects', 400, type, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['10,000 open lists', 400, type, '['.repeat(10_000)],
    ['U+0000 in a text', 400, type, '{"a":"x\\u0000"}'],
    ['U+0000 in a key', 400, type, '{"a\\u0000":1}'],
    ['half of a surrogate pair', 400, type, '{"a":["\\ud83d"]}'],
    ['the halves in the wrong order', 400, type, '{"a":"\\ude00\\ud83d"}'],
    ['trailing comma', 400, type, '{"a":1,}'],
    ['two values', 400, type, '{}{}'],
    ['no value', 400, type, '   '],
    ['not an object', 400, type, '[1]'],
    ['null', 400, type, 'null'],
    ['a number beyond double', 400, type, '{"inner":{"deep":1e999}}'],
    ['comments', 400, type, '{/**/}'],
    ['byte order mark and garbage', 400, type, new Uint8Array([0xef, 0xbb, 0xbf, 0x7b])],
    ['invalid UTF-8', 400, type, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16 bytes', 400, type, Buffer.from('{"a":1}', 'utf16le')],
    ['wrong charset', 415, 'application/json; charset=utf-16', '{}'],
    ['latin charset', 415, 'application/json;charset="iso-8859-1"', '{}'],
    ['text', 415, 'text/plain', '{}'],
    ['form', 415, 'application/x-www-form-urlencoded', 'a=1'],
    ['gzip bomb', 415, type, gzipSync(Buffer.alloc(20_000_000)), { 'content-encoding': 'gzip' }],
    ['unknown encoding', 415, type, '{}', { 'content-encoding': 'br, gzip' }],
    ['more than 256 KiB', 413, type, `{"a":"${'x'.repeat(256 * 1024)}"}`],
    [
      'more than 256 KiB without a length',
      413,
      type,
      `{"a":"${'x'.repeat(300 * 1024)}"}`,
      { 'transfer-encoding': 'chunked' },
    ],
  ]
  it.each(table)('%s -> %i', async (_, status, contentType, body, headers) => {
    const answer = await sendRaw(url, { headers: { 'content-type': contentType, ...(headers ?? {}) }, body })
    expect(answer.status, answer.text).toBe(status)
    expect(JSON.parse(answer.text)).toMatchObject({ message: expect.any(String), errorCode: 'INVALID_REQUEST' })
    expect(answer.text.length).toBeLessThan(500)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('answers 413 to 20 MB, announced or not, and the client can read it', async () => {
    const body = Buffer.alloc(20_000_000, 0x20)
    expect((await sendRaw(url, { headers: { 'content-type': type }, body })).status).toBe(413)
    expect(
      (await sendRaw(url, { headers: { 'content-type': type, 'transfer-encoding': 'chunked' }, body })).status,
    ).toBe(413)
    const byFetch = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
    expect([byFetch.status, Object.keys((await byFetch.json()) as object)]).toEqual([
      413,
      ['message', 'errorCode', 'statusCode'],
    ])
  })

  it('answers 413 before the body has arrived, and cuts a client that never ends', async () => {
    const sent = httpRequest(url, { method: 'POST', headers: { 'content-length': '20000000' } })
    const status = new Promise((resolve) => sent.on('response', (answer) => resolve(answer.resume().statusCode)))
    const cut = new Promise((resolve) => sent.on('close', resolve))
    sent.on('error', () => {})
    sent.write('{')
    expect(await status).toBe(413)
    await cut
  })

  it('answers 408 to a body that stalls', async () => {
    const sent = httpRequest(url, { method: 'POST', headers: { 'content-length': '10' } })
    sent.on('error', () => {})
    const status = new Promise((resolve) => sent.on('response', (answer) => resolve(answer.resume().statusCode)))
    sent.write('{')
    expect(await status).toBe(408)
    sent.destroy()
  })

  it('accepts JSON of any spelling of its type, and keys that only look alike', async () => {
    for (const contentType of ['application/json', 'Application/JSON; Charset="UTF-8"', 'application/vnd.api+json']) {
      expect(
        (
          await sendRaw(url, {
            headers: { 'content-type': contentType },
            body: '{"a":{"a":1},"b":["a","a"],"c":"\\"a\\":\\\\"}',
          })
        ).status,
      ).toBe(200)
    }
    expect((await sendRaw(url, { body: '{"a":1}' })).status).toBe(200)
    expect((await sendRaw(url, { body: '{"a":"\\ud83d\\ude00 \\\\u0000 \\u00e9"}' })).status).toBe(200)
  })

  it('parses a quote-sized body in under 40 us of the processor', SHARED_CORES, () => {
    const quote = {
      user: `0x${'1'.repeat(40)}`,
      originChainId: 8453,
      destinationChainId: 10,
      amount: '1000000',
      txs: [{ to: `0x${'2'.repeat(40)}`, data: `0x${'ab'.repeat(120)}`, value: '0' }],
    }
    const text = bytes(
      JSON.stringify({
        ...quote,
        tradeType: 'EXACT_INPUT',
        recipient: quote.user,
        appFees: [{ recipient: quote.user, fee: '10' }],
        more: 'x'.repeat(40),
      }),
    )
    expect(text.length).toBeGreaterThan(550)
    for (let warm = 0; warm < 5_000; warm++) parseJsonBody(text)
    const started = process.cpuUsage()
    for (let round = 0; round < 5_000; round++) parseJsonBody(text)
    expect(process.cpuUsage(started).user / 5_000).toBeLessThan(40)
  })

  it('guards linearly: 256 KiB of quotes, backslashes or keys', () => {
    const hostile = [
      `"${'\\"'.repeat(130_000)}"`,
      `"${'\\\\'.repeat(130_000)}"`,
      `{${Array.from({ length: 25_000 }, (_, at) => `"k${at}":1`).join()}}`,
      `[${'"\\\\u00e9",'.repeat(25_000)}1]`,
    ]
    for (const text of hostile) {
      const before = process.cpuUsage()
      parseJsonBody(bytes(text))
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(QUADRATIC_MS)
    }
  })

  it('property: what it accepts is what JSON.parse says', () => {
    const safe = (value: unknown): boolean => !/__proto__|constructor/.test(JSON.stringify(value))
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }).filter(safe), (value) => {
        const text = JSON.stringify(value)
        expect(parseJsonBody(bytes(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('fuzz: random bytes, headers and JSON never make a 5xx', async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.json().map(bytes),
      fc
        .record({ amount: fc.anything(), list: fc.anything(), inner: fc.anything() }, { requiredKeys: [] })
        .map((value) => bytes(safeStringify(value))),
      fc.string().map(bytes),
    )
    const contentType = fc.oneof(fc.constant('application/json'), fc.stringMatching(/^[ -~]{0,40}$/))
    await fc.assert(
      fc.asyncProperty(body, contentType, fc.webQueryParameters(), async (sent, mime, query) => {
        const answer = await sendRaw(url, {
          path: `/echo?${query}&n=${query}`,
          headers: { 'content-type': mime },
          body: sent,
        })
        expect(answer.status, answer.text).toBeLessThan(500)
        JSON.parse(answer.text)
      }),
      { numRuns: 400 },
    )
  })
})

const safeStringify = (value: unknown): string =>
  JSON.stringify(value, (_, entry: unknown) => (typeof entry === 'bigint' ? String(entry) : entry)) ?? ''
