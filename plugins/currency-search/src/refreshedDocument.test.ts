import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RefreshedDocument } from './refreshedDocument.js'
import { type SourceServer, sendJson, startSourceServer } from './sourceServer.test.support.js'

let server: SourceServer
beforeAll(async () => {
  server = await startSourceServer()
})
afterAll(() => server.close())

const logged: { readonly level: number; readonly msg: string }[] = []
const log = pino({ level: 'info', base: {} }, { write: (line: string) => void logged.push(JSON.parse(line)) })

it('a list is requested by its tag, keeps its last answer while it fails, and says so once', async () => {
  const { signal } = new AbortController()
  const document = new RefreshedDocument<string>({
    ...{ name: 'list', log, http: server.client(), base: server.url, headers: {}, maxBytes: 1_000, refreshMs: 60_000 },
    read: async (body) => ({ value: String(body), tokens: 1, refused: 0 }),
  })
  const step = async (answer: SourceServer['answer']) => {
    server.answer = answer
    await document.refresh(signal)
    return [await document.current(), server.requests.at(-1)?.headers['if-none-match'], logged.length]
  }
  const fails: SourceServer['answer'] = (response) => void response.writeHead(503).end()
  expect(await step(fails)).toEqual([null, undefined, 1])
  expect(await step((response) => sendJson(response, 'first', { etag: 'W/"1"' }))).toEqual(['first', undefined, 3])
  expect(await step((response) => void response.writeHead(304).end())).toEqual(['first', 'W/"1"', 3])
  expect(await step(fails)).toEqual(['first', 'W/"1"', 4])
  expect(await step((response) => sendJson(response, 'x'.repeat(2_000)))).toEqual(['first', 'W/"1"', 4])
  expect(await step((response) => sendJson(response, 'second'))).toEqual(['second', 'W/"1"', 6])
  expect(await step((response) => sendJson(response, 'third'))).toEqual(['third', undefined, 7])
  expect(logged.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    '40 A currency search source failed. It has no tokens yet.',
    '30 A token list was read',
    '30 The currency search source answers again',
    '40 A currency search source failed. Its last list stays in use.',
    '30 A token list was read',
    '30 The currency search source answers again',
    '30 A token list was read',
  ])
})

it('is requested until the job ends', async () => {
  server.answer = (response) => sendJson(response, 'again')
  const before = server.requests.length
  const document = new RefreshedDocument<string>({
    ...{ name: 'list', log, http: server.client(), base: server.url, headers: {}, maxBytes: 1_000, refreshMs: 10 },
    read: async (body) => ({ value: String(body), tokens: 1, refused: 0 }),
  })
  const stop = new AbortController()
  const running = document.run(stop.signal)
  await expect.poll(() => server.requests.length).toBeGreaterThan(before + 2)
  stop.abort()
  await running
})
