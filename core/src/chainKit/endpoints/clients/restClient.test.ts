import type { ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { afterEach, expect, test } from 'vitest'
import { type AnsweringServer, type Asked, startServer } from './answeringServer.test.support.js'
import { answerOf } from './checkedAnswer.js'
import { RestClient, type RestClientDeps } from './restClient.js'

const account = answerOf(Type.Object({ balance: Type.String({ pattern: '^[0-9]+$' }), sequence: Type.Integer() }))

let server: AnsweringServer
let client: RestClient

const open = async (
  answer: (asked: Asked, response: ServerResponse) => void,
  options: Partial<RestClientDeps> = {},
): Promise<void> => {
  server = await startServer(answer)
  client = new RestClient({ url: server.url, timeoutMs: 2000, ...options })
}

afterEach(async () => {
  client.close()
  await server.close()
})

const failureOf = (question: Promise<unknown>): Promise<unknown> =>
  question.then(
    () => 'none',
    (error: unknown) => {
      expect(String(error)).not.toContain(server.url)
      return error instanceof Error ? Reflect.get(error, 'code') : error
    },
  )

test('an answer is what its schema says, or none; status 404 is the absence of what was asked for', async () => {
  await open(({ path }, response) => {
    if (path.startsWith('/key/accounts/lost')) response.writeHead(404).end()
    else if (path.startsWith('/key/accounts/strange')) response.end('{"balance":"1.5","sequence":1}')
    else if (path.startsWith('/key/accounts/broken')) response.end('{"balance"')
    else if (path.startsWith('/key/accounts/busy')) response.writeHead(429).end()
    else response.end('{"balance":"15","sequence":1}')
  })
  expect(await client.get('/accounts/a', account)).toEqual({ balance: '15', sequence: 1 })
  expect(await client.get('/accounts/lost', account)).toBeNull()
  for (const name of ['strange', 'broken', 'busy']) {
    expect(await failureOf(client.get(`/accounts/${name}`, account)), name).toBe('RPC_HTTP_ERROR')
  }
})

test('paths are below the node’s own, queries are encoded, bodies have their type', async () => {
  await open((_, response) => response.end('{"ok":true}'))
  await client.get('/a', (answer) => answer, { query: { after: 'x&y', limit: '2' } })
  await client.get('/d', (answer) => answer, { query: { timestamp: ['gte:1', 'lte:2'], order: 'asc' } })
  await client.post('/b', { tx: 'aa' }, (answer) => answer, { repeatable: false })
  expect(await client.postText('/c', 'bytes', { repeatable: false })).toEqual({ status: 200, text: '{"ok":true}' })
  expect(server.asked.map(({ method, path, type, body }) => [method, path, type, body])).toEqual([
    ['GET', '/key/a?after=x%26y&limit=2', undefined, ''],
    // A list names its parameter several times.
    ['GET', '/key/d?timestamp=gte%3A1&timestamp=lte%3A2&order=asc', undefined, ''],
    ['POST', '/key/b', 'application/json', '{"tx":"aa"}'],
    ['POST', '/key/c', 'text/plain', 'bytes'],
  ])
})

test('an answer that is too long is not read, and one that takes too long is not waited for', async () => {
  await open(({ path }, response) => (path === '/key/hang' ? undefined : response.end('x'.repeat(200))), {
    maxBytes: 100,
    timeoutMs: 200,
  })
  expect(await failureOf(client.getText('/long'))).toBe('RPC_HTTP_ERROR')
  expect(await failureOf(client.getText('/hang'))).toBe('REQUEST_TIMED_OUT')
})

test('F54: what was on a connection that the node closed is sent again only if it may be', async () => {
  const ending = new Set(['/key/read', '/key/send'])
  await open(({ path, connection }, response) => {
    // The first answer leaves a kept connection; the next question on it gets none.
    if (ending.delete(path)) connection.destroy()
    else response.end('{}')
  })
  await client.getText('/first')
  expect(await client.getText('/read')).toBe('{}')
  expect(await failureOf(client.postText('/send', 'bytes', { repeatable: false }))).toBe('RPC_HTTP_ERROR')
  expect(server.asked.map(({ path }) => path)).toEqual(['/key/first', '/key/read', '/key/read', '/key/send'])
})

test('a signal ends a request and its connection, and so does closing', async () => {
  let ended = 0
  await open(({ connection }) => {
    connection.on('close', () => {
      ended += 1
    })
  })
  const stop = new AbortController()
  const stopped = failureOf(client.getText('/hang', { signal: stop.signal }))
  await expect.poll(() => server.asked.length).toBe(1)
  stop.abort()
  expect(await stopped).toBe('RPC_HTTP_ERROR')
  expect(await failureOf(client.getText('/hang', { signal: stop.signal }))).toBe('RPC_HTTP_ERROR')
  const closed = failureOf(client.getText('/hang'))
  await expect.poll(() => server.asked.length).toBe(2)
  client.close()
  expect(await closed).toBe('RPC_HTTP_ERROR')
  await expect.poll(() => ended).toBe(2)
})

test('headers of a client are in every request of its own', async () => {
  await open((_, response) => response.end(JSON.stringify({ key: response.req.headers['x-key'] ?? 'none' })), {
    headers: { 'X-Key': 'secret' },
  })
  const key = answerOf(Type.Object({ key: Type.String() }))
  expect(await client.get('/get', key)).toEqual({ key: 'secret' })
  expect(await client.post('/post', {}, key, { repeatable: true })).toEqual({ key: 'secret' })
})

test('a status that a node explains comes with its body, any other one is a failure; a form has its type', async () => {
  await open(({ path }, response) => {
    const status = path.includes('missing') ? 400 : path.includes('busy') ? 429 : 200
    response.writeHead(status).end(`{"code":${status}}`)
  })
  expect(await client.getAnswer('/missing', [400], { query: { by: 'a' } })).toEqual({
    status: 400,
    text: '{"code":400}',
  })
  expect(await client.getAnswer('/there', [])).toEqual({ status: 200, text: '{"code":200}' })
  expect(await failureOf(client.getAnswer('/missing', []))).toBe('RPC_HTTP_ERROR')
  expect(await failureOf(client.getAnswer('/busy', [400]))).toBe('RPC_HTTP_ERROR')
  const form = { type: '12', info: '{"a":"b&c"}' }
  expect(await client.postForm('/send', form, [400], { repeatable: false })).toEqual({
    status: 200,
    text: '{"code":200}',
  })
  expect(await failureOf(client.postForm('/busy', form, [400], { repeatable: false }))).toBe('RPC_HTTP_ERROR')
  const sent = server.asked.find(({ path }) => path === '/key/send')
  expect([sent?.type, sent?.body]).toEqual([
    'application/x-www-form-urlencoded',
    'type=12&info=%7B%22a%22%3A%22b%26c%22%7D',
  ])
})
