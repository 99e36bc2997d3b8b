import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApplication } from '../application.js'
import { type RunningServer, startServer } from '../listen.js'
import { createLogger } from '../logging/logger.js'
import type { ConnectionLimitOptions, ConnectionRefusal } from './connectionLimits.js'

const log = createLogger({ level: 'silent' })
const OWN = '127.0.0.1'
const OTHER = '127.0.0.2'

const servers: RunningServer[] = []
const sockets: Socket[] = []
const agents: Agent[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const agent of agents.splice(0)) agent.destroy()
  await Promise.all(servers.splice(0).map((server) => server.close(0)))
})

const start = async (options: Partial<ConnectionLimitOptions>) => {
  const refused: ConnectionRefusal[] = []
  const server = await startServer(createApplication({ routes: [], log }), {
    ...{ host: '0.0.0.0', port: 0 },
    connections: {
      most: 100,
      perAddress: 100,
      trustedProxies: [],
      onRefused: (reason) => refused.push(reason),
      ...options,
    },
  })
  servers.push(server)
  return { server, refused }
}

/** A connection that sends `text` and nothing more; `heard` is what was answered before its end. */
const openSocket = async ({ port }: RunningServer, from: string, text = '') => {
  const socket = connect({ port, host: OWN, localAddress: from })
  sockets.push(socket)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk
  })
  socket.on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)))
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return { socket, ended }
}

/** Status of a call on a connection of its own; 0 where it was cut. */
const call = ({ port }: RunningServer, from: string, agent?: Agent): Promise<number> =>
  new Promise((resolve) => {
    const request = get({ port, host: OWN, localAddress: from, agent: agent ?? false, path: '/none' }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    request.on('error', () => resolve(0))
  })

const counted = (server: RunningServer, count: number) =>
  vi.waitFor(() => expect(server.connections()).toBe(count), { timeout: 60_000 })

describe('limits of connections', () => {
  it('one address has as many as it may, silent ones and half requests too; the next is 503 and closed, others are served', async () => {
    const { server, refused } = await start({ perAddress: 4 })
    const open = []
    for (const text of ['', '', 'GET / HTTP/1.1\r\nhost: a\r\n', 'POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\n1']) {
      open.push(await openSocket(server, OTHER, text))
    }
    await counted(server, 4)
    const over = await openSocket(server, OTHER)
    expect(await over.ended).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5[\s\S]*\{"message":"Too many connections/)
    expect(await call(server, OWN)).toBe(404)
    expect(refused).toEqual(['address'])
    open[0]?.socket.destroy()
    await vi.waitFor(async () => expect(await call(server, OTHER)).toBe(404), { timeout: 60_000 })
  })

  it('what a refused connection sends is not answered', async () => {
    const { server, refused } = await start({ perAddress: 1 })
    await openSocket(server, OTHER)
    await counted(server, 1)
    for (let at = 0; at < 20; at += 1) {
      const over = await openSocket(server, OTHER, 'GET /none HTTP/1.1\r\nhost: a\r\n\r\n')
      expect(await over.ended).not.toContain('404')
    }
    expect(refused).toHaveLength(20)
    await counted(server, 1)
  })

  it('a full process refuses, and closes who is idle, so that the next is served', async () => {
    const { server, refused } = await start({ most: 3 })
    for (const from of [OWN, OTHER, '127.0.0.3']) {
      const agent = new Agent({ keepAlive: true })
      agents.push(agent)
      expect(await call(server, from, agent)).toBe(404)
    }
    await counted(server, 3)
    await vi.waitFor(async () => expect(await call(server, '127.0.0.4')).toBe(404), { timeout: 60_000 })
    expect(refused[0]).toBe('total')
  })

  it('a trusted proxy, which stands for many clients, has no limit', async () => {
    const { server, refused } = await start({ perAddress: 1, most: 2, trustedProxies: ['127.0.0.2/32'] })
    for (let at = 0; at < 5; at += 1) await openSocket(server, OTHER)
    await counted(server, 5)
    expect(await call(server, OTHER)).toBe(404)
    expect(refused).toEqual([])
  })

  it('who sends nothing, or its header or body too slowly, is not waited for', async () => {
    const { server } = await start({})
    expect(server.server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 })
    expect(Reflect.get(server.server, 'connectionsCheckingInterval')).toBe(5_000)
  })
})
