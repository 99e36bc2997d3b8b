import { connect } from 'node:net'
import { Type } from '@sinclair/typebox'
import { afterEach, expect, it } from 'vitest'
import { defineRoute } from '../route.js'
import { startTestServer, type TestServer } from '../testServer.js'
import { serveSockets } from './serveSockets.js'
import type { SocketCall, SocketEndpoint } from './socketEndpoint.js'

let running: TestServer | undefined
afterEach(() => running?.close())

const echo = defineRoute({
  method: 'POST',
  path: '/echo',
  summary: 'Echo',
  tags: ['test'],
  bucket: 'other',
  auth: 'none',
  body: Type.Object({ text: Type.String() }),
  responses: { 200: Type.Object({ text: Type.String() }) },
  handler: async ({ body }) => ({ text: body.text }),
})

const start = async (trustedProxies: readonly string[] = []) => {
  const calls: SocketCall[] = []
  const endpoint: SocketEndpoint = {
    paths: ['/', '/ws'],
    open: (call) => {
      calls.push(call)
      call.socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    },
    close: async () => undefined,
  }
  running = await startTestServer([echo])
  serveSockets(running.server, { endpoints: [endpoint], trustedProxies })
  return { calls, port: running.server.port }
}

/** Sends bytes and collects what comes back until the other side ends or falls silent with a whole answer. */
const talk = (port: number, text: string, enough: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString()
      if (enough.test(answer)) socket.end()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

const upgrade = (target: string, more = '') =>
  `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: WebSocket\r\n${more}\r\n`

it('hands over websockets at the paths of an endpoint, a slash at the end tolerated, with the address of the client', async () => {
  const { calls, port } = await start(['127.0.0.1'])
  for (const target of ['/', '/ws', '/ws/?apiKey=a', '/?x=/y']) {
    expect(await talk(port, upgrade(target, 'x-forwarded-for: 203.0.113.9\r\n'), /101/)).toContain('101')
  }
  expect(calls.map(({ ip }) => ip)).toEqual(Array.from({ length: 4 }, () => '203.0.113.9'))
})

it('answers 404 `{message}` where no websocket is', async () => {
  const { calls, port } = await start()
  const answer = await talk(port, upgrade('/elsewhere'), /\}$/)
  expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ message: expect.any(String) })
  expect(calls).toEqual([])
})

it('serves a request that wishes for another protocol as if it had not, body and following requests included', async () => {
  const { port } = await start()
  const body = '{"text":"whole"}'
  const head = `POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
  const wish = 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n'
  const answer = await talk(port, `${head}${wish}\r\n${body}${head}\r\n${body}`, /whole[\s\S]*whole/)
  expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
})

it('refuses to start two endpoints at one path', async () => {
  running = await startTestServer([echo])
  const endpoint: SocketEndpoint = { paths: ['/ws'], open: () => undefined, close: async () => undefined }
  const { server } = running
  expect(() => serveSockets(server, { endpoints: [endpoint, endpoint] })).toThrow('/ws')
})
