import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { get as getTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { createApplication } from './application.js'
import { type RunningServer, startServer } from './listen.js'
import { createLogger } from './logger.js'
import { defineRoute } from './route.js'

const log = createLogger({ level: 'silent' })

describe('the server', () => {
  const running: RunningServer[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.close(0)))
  })

  const start = async () => {
    const started = deferred()
    const release = deferred()
    const slow = defineRoute({
      method: 'GET',
      path: '/slow',
      summary: 'Waits',
      bucket: 'none',
      auth: 'none',
      responses: { 200: Type.Unknown() },
      handler: async () => {
        started.resolve()
        await release.promise
        return { done: true }
      },
    })
    const server = await startServer(createApplication({ routes: [slow], log }), { host: '127.0.0.1', port: 0 })
    running.push(server)
    return { server, started: started.promise, release: () => release.resolve() }
  }

  it('drains: refuses new connections, finishes what is in flight, closes idle ones', async () => {
    const { server, started, release } = await start()
    const agent = new Agent({ keepAlive: true })
    await new Promise<void>((resolve) =>
      get(`${server.url}/none`, { agent }, (answer) => answer.resume().on('end', resolve)),
    )
    const answer = fetch(`${server.url}/slow`)
    await started
    let closed = false
    const closing = server.close(10_000).then(() => {
      closed = true
    })
    await expect(fetch(`${server.url}/none`)).rejects.toThrow()
    expect(closed).toBe(false)
    release()
    expect(await (await answer).json()).toEqual({ done: true })
    await closing
    agent.destroy()
  })

  it('cuts what is left after the grace', async () => {
    const { server, started } = await start()
    const answer = fetch(`${server.url}/slow`).catch(() => 'cut')
    await started
    await server.close(20)
    expect(await answer).toBe('cut')
    await server.close(20)
  })

  it('speaks TLS with a configured certificate (wire.md K.5 3)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-tls-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost']
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
    rmSync(folder, { recursive: true })
    const server = await startServer(createApplication({ routes: [], log }), { host: '127.0.0.1', port: 0, tls })
    running.push(server)
    expect(server.url).toMatch(/^https:/)
    const options = { ca: tls.cert, servername: 'localhost', agent: false as const }
    const status = await new Promise((resolve, reject) => {
      getTls(server.url, options, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
    })
    expect(status).toBe(404)
  })

  it('reports a port that is taken', async () => {
    const { server } = await start()
    await expect(
      startServer(createApplication({ routes: [], log }), { host: '127.0.0.1', port: server.port }),
    ).rejects.toThrow('EADDRINUSE')
  })
})

const deferred = () => {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
