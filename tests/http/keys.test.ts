import { createHmac, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { EnvironmentKeys } from '@causeway/core/host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi } from '../harness/apiCall.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld } from './httpWorld.js'

let world: HttpWorld
let log = ''
/** Texts of keys, valid or not, that were sent; none may show anywhere. */
const sent = new Set<string>()
const answers: string[] = []

beforeAll(async () => {
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      log += String(chunk)
      done()
    },
  })
  world = await startHttpWorld({ log: destination })
  sent.add(world.host.apiKey)
})
afterAll(() => world?.close())

interface RawAnswer {
  readonly status: number
  readonly text: string
}

/** Sends header lines as they are: what a client library would not let through. */
const sendRaw = (path: string, headerLines: readonly string[]): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.host.url)
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n${headerLines.join('\r\n')}\r\n\r\n`)
    })
    let text = ''
    const finish = () => {
      answers.push(text)
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? Number.NaN), text })
    }
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    // A server may close on a header it did not read to its end.
    socket.on('error', (error) => (text === '' ? reject(error) : finish()))
    socket.on('close', () => finish())
  })

const statusWith = async (apiKey: string): Promise<number> => {
  sent.add(apiKey)
  const { status, text } = await callApi(world.host.url, '/chains', { apiKey })
  answers.push(text)
  return status
}

const newText = (prefix: string): string => prefix + randomBytes(40).toString('hex').slice(0, 43)

/** A key that is stored here, but under the master key of another deployment. */
const storeForeignKey = async (): Promise<string> => {
  const apiKey = newText('cct_test_')
  const lookup = new EnvironmentKeys(new Map([['master' as const, `0x${'6b'.repeat(32)}`]])).derive('api-keys/lookup')
  const hmac = createHmac('sha256', lookup).update(apiKey).digest()
  await world.database.pool.query(
    `insert into api_keys (id, integrator_id, version, hmac, ciphertext, elevated, created_at)
     select gen_random_uuid(), integrator_id, version, $1, ciphertext, true, created_at from api_keys limit 1`,
    [hmac],
  )
  return apiKey
}

describe('a key that is not a valid one (wire.md H.1; faults.md D)', () => {
  it('in the query string is no key: the caller is anonymous', async () => {
    const { apiKey } = world.host
    for (const name of ['x-api-key', 'apiKey', 'api_key', 'key']) {
      const path = `/quote/v2?${name}=${apiKey}`
      const answer = await postQuote(world, nativeBody(world), path)
      answers.push(answer.text)
      expect(answer.status).toBe(401)
      expect((await callApi(world.host.url, `/chains?${name}=${apiKey}`)).status).toBe(200)
    }
    expect((await postQuote(world, nativeBody(world), '/quote/v2', apiKey)).status).toBe(200)
  })

  it('sent twice is 401, even the same valid one', async () => {
    const { apiKey } = world.host
    const { apiKey: other } = await world.host.createApiKey('twice')
    sent.add(other)
    for (const second of [apiKey, other]) {
      const { status } = await sendRaw('/chains', [`x-api-key: ${apiKey}`, `X-API-KEY: ${second}`])
      expect(status).toBe(401)
    }
    expect((await sendRaw('/chains', [`x-api-key: ${apiKey}`])).status).toBe(200)
  })

  it('with spaces, tabs or other bytes within is 401; around it they are no part of a header (RFC 9110 5.5)', async () => {
    const { apiKey } = world.host
    const [start, end] = [apiKey.slice(0, 20), apiKey.slice(20)]
    for (const between of [' ', '\t', '\u00e9', '"', ', ']) {
      expect((await sendRaw('/chains', [`x-api-key: ${start}${between}${end}`])).status).toBe(401)
    }
    expect((await sendRaw('/chains', [`x-api-key:   ${apiKey} \t`])).status).toBe(200)
    expect((await sendRaw('/chains', ['x-api-key:'])).status).toBe(401)
  })

  it('with a newline or a zero byte within is refused, as a bad request or a bad key', async () => {
    const { apiKey } = world.host
    const [start, end] = [apiKey.slice(0, 20), apiKey.slice(20)]
    for (const between of ['\n', '\r', '\r\n', '\u0000', '\r\n folded: ']) {
      const { status } = await sendRaw('/chains', [`x-api-key: ${start}${between}${end}`])
      expect([400, 401]).toContain(status)
    }
  })

  it('of 1 MB is 431, and the host goes on', async () => {
    const long = 'k'.repeat(1_048_576)
    expect((await sendRaw('/chains', [`x-api-key: ${long}`])).status).toBe(431)
    expect((await sendRaw('/chains', [`x-api-key: ${'k'.repeat(10_000)}`])).status).toBe(401)
    expect(await statusWith(world.host.apiKey)).toBe(200)
  })

  it('with the prefix of the other network is 401', async () => {
    expect(await statusWith(world.host.apiKey.replace('cct_test_', 'cct_live_'))).toBe(401)
    expect(await statusWith(newText('cct_live_'))).toBe(401)
  })

  it('of another deployment is 401, even in the same table', async () => {
    expect(await statusWith(await storeForeignKey())).toBe(401)
  })

  it('in another case, or a part of one, is 401', async () => {
    const { apiKey } = world.host
    expect(await statusWith(apiKey.toUpperCase())).toBe(401)
    expect(await statusWith(apiKey.slice(0, -1))).toBe(401)
    expect(await statusWith(`${apiKey}0`)).toBe(401)
  })

  it('that is the id of one is 401', async () => {
    const { id, apiKey } = await world.host.createApiKey('by id')
    sent.add(apiKey)
    const { status, text } = await callApi(world.host.url, '/chains', { apiKey: id })
    answers.push(text)
    expect(status).toBe(401)
  })
})

it('no key that was sent shows in an answer, the log or the metrics (faults.md F96)', async () => {
  const metrics = await callApi(world.host.url, '/metrics')
  expect(metrics.status).toBe(200)
  expect(log).toContain('request refused')
  expect(answers.length).toBeGreaterThan(20)
  for (const [place, text] of Object.entries({ log, metrics: metrics.text, answers: answers.join('\n') })) {
    for (const key of sent) expect(text.includes(key), `${place} shows a key`).toBe(false)
    expect(text).not.toMatch(/cct_(?:test|live)_|k{200}/)
  }
  // Half a key is a leak as well.
  expect(log).not.toContain(world.host.apiKey.slice(0, 20))
})
