import 'reflect-metadata'
import { KeyObject, webcrypto } from 'node:crypto'
import { Agent, get } from 'node:http'
import { get as getTls } from 'node:https'
import { X509CertificateGenerator } from '@peculiar/x509'
import { Type } from '@sinclair/typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { createApplication } from './application.js'
import { type RunningServer, startServer } from './listen.js'
import { createLogger } from './logging/logger.js'
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
    const tls = await selfSigned()
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

/** A certificate of localhost that is its own authority, and its key; PEM. */
const selfSigned = async () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const name = 'CN=localhost'
  const certificate = await X509CertificateGenerator.createSelfSigned({ name, signingAlgorithm: algorithm, keys })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString()
  return { cert: certificate.toString('pem'), key }
}

const deferred = () => {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
