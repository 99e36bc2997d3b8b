import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '../errors/serviceError.js'
import { createLogger } from '../http/logging/logger.js'
import { startTestServer } from '../http/testServer.js'
import type { PermitCall, PermitHandler } from './permitHandler.js'
import { permitRoutes } from './permitRoutes.js'

const ID = `0x${'aB'.repeat(32)}`

const handler = (...kinds: string[]): PermitHandler & { readonly calls: PermitCall[] } => {
  const calls: PermitCall[] = []
  const execute = async (call: PermitCall) => {
    calls.push(call)
    if (call.signature === 'bad') throw new ServiceError('PERMIT_FAILED', 'It is not signed by its wallet')
    return { message: `taken as ${call.kind}` }
  }
  return { kinds, calls, execute }
}

const first = handler('one', 'uno')
const second = handler('two')
let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  const log = createLogger({ level: 'silent', destination: { write: () => {} } })
  server = await startTestServer(permitRoutes([first, second]), { log })
})
afterAll(() => server?.close())

const post = async (query: string, body: object, path = '/execute/permits') => {
  const response = await fetch(`${server.server.url}${path}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

describe('POST /execute/permits (wire.md 2.7, A.4)', () => {
  it('goes to the plugin of its kind, by its alias too; what the client adds is ignored', async () => {
    const body = { kind: 'uno', requestId: ID, api: 'swap', referrer: 'shop.example' }
    expect(await post('?signature=0x12&referrer=shop.example', body)).toEqual({
      status: 200,
      body: { message: 'taken as uno' },
    })
    expect(await post('?signature=0x12', { kind: 'two', requestId: ID }, '/execute/permit')).toMatchObject({
      status: 200,
    })
    expect(first.calls).toMatchObject([{ kind: 'uno', requestId: ID.toLowerCase(), api: 'swap', signature: '0x12' }])
    expect(second.calls).toMatchObject([{ kind: 'two', requestId: ID.toLowerCase(), signature: '0x12' }])
  })

  it.each([
    {
      name: 'a kind that nobody takes',
      query: '?signature=0x12',
      body: { kind: 'permit2', requestId: ID },
      says: /must be one of: one, uno, two/,
    },
    { name: 'no signature', query: '', body: { kind: 'one', requestId: ID }, says: /query.signature/ },
    {
      name: 'a signature without end',
      query: `?signature=${'f'.repeat(13_000)}${'f'.repeat(8_000)}`,
      body: { kind: 'one', requestId: ID },
      says: null,
    },
    {
      name: 'an id that is none',
      query: '?signature=0x12',
      body: { kind: 'one', requestId: '0x12' },
      says: /body.requestId/,
    },
    {
      name: 'what the plugin refuses',
      query: '?signature=bad',
      body: { kind: 'one', requestId: ID },
      says: /not signed by its wallet/,
    },
  ])('refuses $name', async ({ query, body, says }) => {
    if (says === null) {
      const status = await post(query, body).then(
        ({ status: told }) => told,
        () => 431,
      )
      expect([400, 431]).toContain(status)
      return
    }
    const answer = await post(query, body)
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(says) } })
  })
})

it('there is no such operation where no plugin takes signatures, and two plugins never share a kind', () => {
  expect(permitRoutes([])).toEqual([])
  expect(() => permitRoutes([handler('one'), handler('two', 'one')])).toThrow(
    'Two plugins take signatures of the kind one',
  )
})
