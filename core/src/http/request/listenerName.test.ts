import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRaw } from '../../testing/sendRaw.js'
import { createApplication } from '../application.js'
import { type RunningServer, startServer } from '../listen.js'
import { createLogger } from '../logging/logger.js'
import { defineRoute } from '../route.js'
import { isConsolePath, type ListenerName } from './listenerName.js'

const route = (path: string) =>
  defineRoute({
    method: 'GET',
    path,
    summary: 'Which listener it came in by',
    bucket: 'none',
    auth: 'none',
    responses: {},
    handler: ({ ctx }) => ({ listener: ctx.listener }),
  })

const get = (url: string, path: string, headers: Record<string, string> = {}) =>
  sendRaw(url, { method: 'GET', path, headers })

const servers: RunningServer[] = []
const start = async (consoleOn: ListenerName | null): Promise<Record<ListenerName, string>> => {
  const log = createLogger({ level: 'silent' })
  const app = createApplication({ log, routes: ['/console', '/console/api/x', '/other'].map(route), consoleOn })
  const at = (name: ListenerName) => startServer(app, { name, host: '127.0.0.1', port: 0 })
  const [main, own] = await Promise.all([at('main'), at('console')])
  servers.push(main, own)
  return { main: main.url, console: own.url }
}
afterAll(() => Promise.all(servers.map((server) => server.close(0))))

const CONSOLE_PATHS = [
  '/console',
  '/console/',
  '/console/api/x',
  '/console/api/x?y=1',
  '/console/no-such',
  '/console//x',
]

describe('two listeners of one application', () => {
  let urls: Record<ListenerName, string>
  beforeAll(async () => {
    urls = await start('console')
  })

  it('each knows its requests, and the paths of the console are known to its own alone', async () => {
    for (const name of ['main', 'console'] as const) {
      const answer = await get(urls[name], '/other')
      expect(JSON.parse(answer.text)).toEqual({ listener: name })
    }
    for (const path of ['/console', '/console/api/x'])
      expect(JSON.parse((await get(urls.console, path)).text)).toEqual({ listener: 'console' })
    for (const path of CONSOLE_PATHS) {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE'])
        expect((await sendRaw(urls.main, { path, method })).status, `${method} ${path}`).toBe(404)
    }
  })

  it('nothing that a client or a proxy sends makes it the other one', async () => {
    const host = new URL(urls.console).host
    const headers = {
      host,
      'x-forwarded-host': host,
      'x-forwarded-port': new URL(urls.console).port,
      forwarded: `host=${host}`,
    }
    expect((await get(urls.main, '/console/api/x', headers)).status).toBe(404)
    // Absolute targets, and other spellings of the path.
    for (const path of [
      `${urls.console}/console/api/x`,
      '/./console/api/x',
      '/%63onsole/api/x',
      '//console/api/x',
      '/Console',
    ])
      expect((await get(urls.main, path, headers)).status, path).toBe(404)
  })
})

it('by `null` no listener knows them, by default the main one does', async () => {
  const nowhere = await start(null)
  for (const url of Object.values(nowhere)) expect((await get(url, '/console/api/x')).status).toBe(404)
  const usual = await start('main')
  expect((await get(usual.main, '/console/api/x')).status).toBe(200)
  expect((await get(usual.console, '/console/api/x')).status).toBe(404)
})

it('paths of the console are those below its name', () => {
  expect(CONSOLE_PATHS.filter((path) => !isConsolePath(path.split('?')[0] ?? ''))).toEqual([])
  expect(['/', '/consoles', '/console-x', '/x/console', '/dashboard'].filter(isConsolePath)).toEqual([])
})
