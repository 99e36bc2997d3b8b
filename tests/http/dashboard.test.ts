import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { operatorToken, startTestHost, type TestHost } from '../harness/host/host.js'
import { until } from '../harness/until.js'
import { KEYS, newWallet, SESSION, signedMessage, signIn } from './dashboardSession.js'
import { type HttpWorld, leakIn, nativeBody, startHttpWorld } from './httpWorld.js'

let world: HttpWorld
let second: TestHost
beforeAll(async () => {
  world = await startHttpWorld()
  second = await startTestHost({ network: world.network, database: world.database })
})
afterAll(async () => {
  await second?.stop()
  await world?.close()
})

/** Asked again on 503, as a client would: a busy machine's node may answer late. */
const quoteStatus = (url: string, apiKey: string): Promise<number> =>
  until('an answer', async () => {
    const { status } = await callApi(url, '/quote/v2', { body: nativeBody(world), apiKey })
    return status === 503 ? null : status
  })

/** A leak in an answer, which may name the address that was asked. */
const leakBesides = (url: string, { text }: ApiAnswer) =>
  leakIn(world, text.replaceAll(url, '').replaceAll(new URL(url).host, ''))

describe('the management API of a whole deployment', () => {
  it('sign in, make a key, quote with it, rename, revoke: refused on two hosts', async () => {
    const headers = await signIn(world.host.url)
    const made = await callApi(world.host.url, KEYS, { body: { label: 'shop' }, headers })
    expect(made).toMatchObject({ status: 200, body: { label: 'shop' } })
    const [id, apiKey] = [textAt(made.body, 'id'), textAt(made.body, 'apiKey')]
    for (const { url } of [world.host, second]) expect(await quoteStatus(url, apiKey)).toBe(200)
    const renamed = await callApi(world.host.url, `${KEYS}/${id}`, {
      method: 'PATCH',
      body: { label: 'till' },
      headers,
    })
    expect(renamed).toMatchObject({ status: 200, body: { label: 'till' } })
    expect((await callApi(world.host.url, `${KEYS}/${id}/revoke`, { body: {}, headers })).status).toBe(200)
    for (const { url } of [world.host, second]) {
      await until('the key to be refused', async () => ((await quoteStatus(url, apiKey)) === 401 ? true : null))
    }
    const listed = await callApi(second.url, KEYS, { headers })
    expect(listed).toMatchObject({
      status: 200,
      body: { keys: [{ id, label: 'till', revokedAt: expect.any(String) }] },
    })
    const metrics = await callApi(world.host.url, '/metrics')
    for (const { text } of [listed, metrics]) expect(text).not.toContain(apiKey)
  })

  it('a repeated call makes no second key, and does not show the first one again (Idempotency-Key, F94)', async () => {
    const headers = { ...(await signIn(world.host.url)), 'idempotency-key': 'make-a-key' }
    const make = (url: string) => callApi(url, KEYS, { body: { label: 'once' }, headers })
    const first = await make(world.host.url)
    expect(first.status).toBe(200)
    for (const { url } of [world.host, second]) {
      const again = await make(url)
      expect(again.status).toBe(409)
      expect(again.text).not.toContain(textAt(first.body, 'apiKey'))
    }
    expect(listAt((await callApi(second.url, KEYS, { headers })).body, 'keys')).toHaveLength(1)
  })

  it('a replayed message is refused on the other host as well', async () => {
    const signed = await signedMessage(world.host.url, newWallet())
    expect((await callApi(world.host.url, SESSION, { body: signed })).status).toBe(200)
    expect((await callApi(world.host.url, SESSION, { body: signed })).status).toBe(401)
    const elsewhere = await callApi(second.url, SESSION, { body: signed })
    expect(elsewhere).toMatchObject({ status: 401, body: { message: expect.any(String) } })
    expect(leakBesides(second.url, elsewhere)).toBeNull()
  })

  it('lets pages of other origins in neither by CORS nor by a forged call', async () => {
    const headers = await signIn(world.host.url)
    const origin = 'https://evil.example'
    const preflight = await callApi(world.host.url, KEYS, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-csrf-token' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    const forged = await callApi(world.host.url, KEYS, { body: {}, headers: { ...headers, origin } })
    expect(forged.status).toBe(403)
    expect(forged.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('the audit has the client of the connection, whatever x-forwarded-for says', async () => {
    const wallet = newWallet()
    const body = await signedMessage(world.host.url, wallet)
    await callApi(world.host.url, SESSION, { body, headers: { 'x-forwarded-for': '203.0.113.9' } })
    const { rows } = await world.database.pool.query<{ actor: string }>(
      'select actor from operator_audit order by operator_audit.id desc limit 1',
    )
    expect(rows[0]?.actor).toBe(`wallet ${wallet.address.toLowerCase()} from 127.0.0.1`)
  })
})

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature that anybody can make of one: it recovers the same address. */
const twinOf = (signature: string): string => {
  const s = CURVE_ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`
}

const otherDigit = (digit: string, by: number): string => ((Number.parseInt(digit, 16) + by) % 16).toString(16)

it('property: a message or signature with any change never signs in, and does not use the nonce up', async () => {
  const signed = await signedMessage(world.host.url, newWallet())
  const { message, signature } = signed
  const at = (text: string) => fc.nat(text.length - 1)
  const changed = fc.oneof(
    fc.tuple(at(message), fc.string({ minLength: 1, maxLength: 3 })).map(([i, text]) => ({
      ...signed,
      message: message.slice(0, i) + text + message.slice(i),
    })),
    fc.tuple(at(message), fc.integer({ min: 1, max: 4 })).map(([i, count]) => ({
      ...signed,
      message: message.slice(0, i) + message.slice(i + count),
    })),
    fc.tuple(at(message), fc.constantFrom('x', '0', '\n', ' ', 'é')).map(([i, text]) => ({
      ...signed,
      message: message.slice(0, i) + text + message.slice(i + 1),
    })),
    fc.tuple(fc.integer({ min: 2, max: 131 }), fc.integer({ min: 1, max: 15 })).map(([i, by]) => ({
      ...signed,
      signature: signature.slice(0, i) + otherDigit(signature.charAt(i), by) + signature.slice(i + 1),
    })),
    fc
      .constantFrom(
        twinOf(signature),
        `${signature}00`,
        signature.slice(2),
        signature.slice(0, -2),
        `0x00${signature.slice(2)}`,
      )
      .map((other) => ({ ...signed, signature: other })),
  )
  const unlike = changed.filter((pair) => pair.message !== message || pair.signature !== signature)
  await fc.assert(
    fc.asyncProperty(unlike, async (body) => {
      const answer = await callApi(world.host.url, SESSION, { body })
      // Whatever the key did not sign a contract wallet may have: the chain is asked, some times a minute.
      expect([401, 429]).toContain(answer.status)
      expect(answer.headers.get('set-cookie')).toBeNull()
    }),
    { numRuns: 30 },
  )
  expect((await callApi(world.host.url, SESSION, { body: signed })).status).toBe(200)
})

it('the example of the README works as it stands', async () => {
  const packageFile = createRequire(import.meta.url).resolve('@causeway/plugin-api-keys/package.json')
  const example = /```sh\n(base=[\s\S]*?)```/.exec(readFileSync(join(dirname(packageFile), 'README.md'), 'utf8'))?.[1]
  const folder = mkdtempSync(join(tmpdir(), 'causeway-curl-'))
  const token = await operatorToken(world.database.pool)
  const script = `set -e\ncauseway() { echo "token:   ${token}"; }\n${example?.replace('http://127.0.0.1:3000', world.host.url)}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder })
  rmSync(folder, { recursive: true, force: true })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  const made = answers.find((answer) => valueAt(answer, 'apiKey') !== undefined)
  expect(made).toMatchObject({ label: 'production', apiKey: expect.stringMatching(/^cct_test_/) })
  expect(answers).toContainEqual(expect.objectContaining({ id: textAt(made, 'id'), revokedAt: expect.any(String) }))
  expect(await quoteStatus(world.host.url, textAt(made, 'apiKey'))).toBe(401)
})
