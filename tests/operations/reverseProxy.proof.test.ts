import 'reflect-metadata'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { type RunningHost, startHost } from '@causeway/host'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProxyKind, startProxy, withProxy } from '../harness/host/reverseProxy.js'
import { followSocket } from '../harness/socketFollower.js'
import { until } from '../harness/until.js'

const SOCKETS = 2
const REQUEST = { id: `0x${'77'.repeat(32)}` }
const OPERATOR_PATHS = [
  '/console',
  '/console/',
  '/console/api/commands',
  '/metrics',
  '//metrics',
  '/x/../console',
  '/%63onsole',
]

let database: TestDatabase
let folder: string
let host: RunningHost
beforeAll(async () => {
  database = await createTestDatabase({ packages: [] })
  folder = mkdtempSync(join(tmpdir(), 'causeway-proxied-'))
  for (const name of ['order', 'master'])
    writeFileSync(join(folder, `${name}.key`), Buffer.from(name.padEnd(32)).toString('hex'), { mode: 0o600 })
  host = await startHost({
    config: {
      network: 'testnet',
      database: { url: database.url, poolSize: 4 },
      http: { port: 0, trustedProxies: ['127.0.0.1'] },
      plugins: [
        ...['api-keys', 'chains', 'operator'].map((name) => `@causeway/plugin-${name}`),
        { package: '@causeway/plugin-realtime', options: { socketsPerAddress: SOCKETS } },
      ],
      defaultPlugins: false,
      keys: { order: { file: 'order.key' }, master: { file: 'master.key' } },
    },
    folder,
    log: pino({ level: 'silent' }),
  })
})
afterAll(async () => {
  await host?.stop()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(['nginx', 'caddyfile'] satisfies ProxyKind[])('the example of day0.md for %s', (kind) => {
  it.skipIf(!withProxy(kind))(
    'serves the API and its websocket, neither console nor metrics, and counts each caller',
    async () => {
      const proxy = await startProxy(kind, host.url)
      try {
        const statusAt = async (base: string, path: string) => (await fetch(`${base}${path}`)).status
        expect(await statusAt(proxy.url, '/chains')).toBe(200)
        for (const path of OPERATOR_PATHS) expect(await statusAt(proxy.url, path), path).toBe(404)
        expect(await statusAt(host.consoleUrl ?? '', '/metrics')).toBe(200)
        expect(await statusAt(host.consoleUrl ?? '', '/console/api/commands')).toBe(401)
        // A caller invents addresses: all its sockets count for the one that the proxy saw.
        const open = (at: number) =>
          followSocket(proxy.url, { filters: REQUEST, headers: { 'x-forwarded-for': `203.0.113.${at}` } })
        const followers = Array.from({ length: SOCKETS }, (_, at) => open(at))
        for (const follower of followers) await until('the subscription', async () => follower.cursor)
        expect(await open(9).closed).toBe(429)
        for (const follower of followers) follower.end()
        await Promise.allSettled(followers.map(({ closed }) => closed))
      } finally {
        await proxy.close()
      }
    },
  )
})
