import { createServer, type Server } from 'node:net'
import { OutgoingError, type OutgoingGet, OutgoingHttp, type OutgoingPost, parseTarget } from '@causeway/core/plugin'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Authority, createAuthority } from './certificates.js'
import {
  type Behaviour,
  babble,
  badChunks,
  breakOff,
  breakOffHard,
  hang,
  leave,
  type Receiver,
  redirectTo,
  reset,
  startReceiver,
  upgrade,
  upgradeToNothing,
} from './receiver.js'

let authority: Authority
let receiver: Receiver
let inside: OutgoingHttp
const opened: { close(): unknown }[] = []
const keep = <T extends { close(): unknown }>(item: T): T => {
  opened.push(item)
  return item
}

beforeAll(async () => {
  authority = await createAuthority()
  receiver = await startReceiver(await authority.issue(['127.0.0.1', 'hooks.example']))
  inside = new OutgoingHttp({ rules: { allowPrivate: true }, ca: [authority.ca], resolve: async () => ['127.0.0.1'] })
})
afterAll(async () => {
  inside.close()
  for (const item of opened) await item.close()
  await receiver.close()
})
beforeEach(() => receiver.behave(200))

const post = (
  http: OutgoingHttp,
  url = receiver.url,
  { timeoutMs = 2_000, signal }: Partial<Pick<OutgoingPost, 'timeoutMs' | 'signal'>> = {},
) =>
  http.post({
    url: parseTarget(url, { allowPrivate: true }),
    headers: { 'content-type': 'application/json' },
    body: '{}',
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  })

const failure = async (answer: Promise<unknown>): Promise<string> => {
  const error = await answer.catch((thrown: unknown) => thrown)
  if (!(error instanceof OutgoingError)) throw new Error(`Not an OutgoingError: ${error}`)
  expect(error.message).not.toMatch(/127\.0\.0\.1|example|https?:/)
  return error.failure
}

describe('requests to user-given URLs reach public addresses only (wire.md H.4, Webhook URL)', () => {
  const answering = (...answers: (readonly string[])[]) => {
    let asked = 0
    const resolve = async () => answers[Math.min(asked++, answers.length - 1)] ?? []
    const http = keep(new OutgoingHttp({ rules: { allowPrivate: false }, ca: [authority.ca], resolve }))
    return { http, asked: () => asked }
  }
  const url = () => `https://hooks.example:${receiver.port}/`

  it('a name with a private address is not connected to, also where another of its addresses is public', async () => {
    const before = receiver.calls.length
    expect(await failure(post(answering(['127.0.0.1']).http, url()))).toBe('forbidden address')
    expect(await failure(post(answering(['8.8.8.8', '127.0.0.1']).http, url()))).toBe('forbidden address')
    expect(await failure(post(answering(['::ffff:127.0.0.1']).http, url()))).toBe('forbidden address')
    expect(receiver.calls.length).toBe(before)
  })

  it('a name that answers differently each time is asked once for a connection, and that answer is the one checked', async () => {
    const changing = answering(['127.0.0.1'], ['8.8.8.8'], ['127.0.0.1'])
    expect(await failure(post(changing.http, url()))).toBe('forbidden address')
    expect(changing.asked()).toBe(1)
    // Now it answers a public address; the request goes there or nowhere, and never to the third answer.
    const before = receiver.calls.length
    const outcome = await failure(post(changing.http, url(), { timeoutMs: 300 }))
    expect(['time limit', 'no connection', 'connection lost', 'bad certificate']).toContain(outcome)
    expect([changing.asked(), receiver.calls.length]).toEqual([2, before])
  })

  it('an address in the URL is checked as well, though nothing is resolved', async () => {
    const { http, asked } = answering(['8.8.8.8'])
    expect(await failure(post(http, receiver.url))).toBe('forbidden address')
    expect(await failure(post(http, `https://[::ffff:7f00:1]:${receiver.port}/`))).toBe('forbidden address')
    expect(asked()).toBe(0)
  })

  it('a name without addresses is an unknown host', async () => {
    expect(await failure(post(answering([]).http, url()))).toBe('unknown host')
  })
})

describe('a receiver that fails, hangs, resets, redirects or lies', () => {
  it('has its status and the start of its body read', async () => {
    receiver.behave((_call, response) => void response.writeHead(422).end('no such order'))
    expect(await post(inside)).toEqual({ status: 422, text: 'no such order' })
  })

  it('is not followed to where it redirects', async () => {
    receiver.behave(redirectTo(`${receiver.url}/elsewhere`))
    const before = receiver.calls.length
    expect(await post(inside)).toMatchObject({ status: 307 })
    expect(receiver.calls.slice(before).map(({ path }) => path)).toEqual(['/'])
  })

  it('that hangs is given up after the time limit', async () => {
    receiver.behave(hang)
    expect(await failure(post(inside, receiver.url, { timeoutMs: 200 }))).toBe('time limit')
  })

  it('that hangs before TLS is given up as well', async () => {
    const silent: Server = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    expect(await failure(post(inside, `https://127.0.0.1:${port}/`, { timeoutMs: 200 }))).toBe('time limit')
    silent.close()
  })

  it('that resets or leaves is a lost connection; nobody there is no connection', async () => {
    for (const behaviour of [reset, leave]) {
      receiver.behave(behaviour)
      expect(await failure(post(inside))).toBe('connection lost')
    }
    const gone = await startReceiver(await authority.issue(['127.0.0.1']))
    await gone.close()
    expect(await failure(post(inside, gone.url))).toBe('no connection')
  })

  it('whose body never ends, or ends too early, has answered with its status all the same', async () => {
    receiver.behave(babble)
    const { status, text } = await post(inside)
    expect([status, text.length]).toEqual([200, 2048])
    for (const behaviour of [breakOff, breakOffHard, badChunks]) {
      receiver.behave(behaviour)
      expect(await post(inside)).toEqual({ status: 200, text: expect.stringMatching(/^(a start)?$/) })
    }
  })

  it('that answers 101 is over at once, and is no success', async () => {
    receiver.behave(upgrade)
    expect(await post(inside, receiver.url, { timeoutMs: 100_000 })).toEqual({ status: 101, text: '' })
    receiver.behave(upgradeToNothing)
    const answer = await post(inside, receiver.url, { timeoutMs: 300 }).catch((error: unknown) => error)
    expect(answer instanceof OutgoingError || Reflect.get(Object(answer), 'status') === 101).toBe(true)
  })

  it('with a certificate of nobody known, of another name, or expired is not spoken to', async () => {
    const strangers = keep(new OutgoingHttp({ rules: { allowPrivate: true } }))
    expect(await failure(post(strangers))).toBe('bad certificate')
    expect(await failure(post(inside, `https://other.example:${receiver.port}/`))).toBe('bad certificate')
    const expired = keep(await startReceiver(await authority.issue(['127.0.0.1'], -1)))
    expect(await failure(post(inside, expired.url))).toBe('bad certificate')
    expect(expired.calls).toEqual([])
  })

  it('that speaks no HTTP is no receiver', async () => {
    receiver.behave((_call, _response, { socket }) => void socket.end('hello there\r\n\r\n'))
    expect(await failure(post(inside))).toBe('not HTTP')
  })

  it('that closed the kept connection gets the request on a new one', async () => {
    await post(inside)
    receiver.hangUp()
    expect(await post(inside)).toMatchObject({ status: 200 })
  })

  it('is left when the service stops', async () => {
    receiver.behave(hang)
    const stop = new AbortController()
    const before = receiver.calls.length
    const answer = failure(post(inside, receiver.url, { signal: stop.signal }))
    await receiver.received(before + 1)
    stop.abort()
    expect(await answer).toBe('stopped')
  })
})

describe('a document of an untrusted server', () => {
  const get = (more: Partial<OutgoingGet> = {}, http = inside) =>
    http.get({
      ...{ url: parseTarget(receiver.url, { allowPrivate: true }), headers: {}, timeoutMs: 5_000, maxBytes: 1_000 },
      ...more,
    })

  it('is read whole, with its status and tag, also behind a redirect that is not followed', async () => {
    receiver.behave((_call, response) => void response.writeHead(200, { etag: '"1"' }).end('é'.repeat(500)))
    expect(await get({ headers: { 'if-none-match': '"0"' } })).toEqual({
      status: 200,
      etag: '"1"',
      text: 'é'.repeat(500),
    })
    expect(receiver.calls.at(-1)).toMatchObject({
      method: 'GET',
      headers: { 'if-none-match': '"0"', 'accept-encoding': 'identity' },
    })
    receiver.behave((_call, response) => void response.writeHead(304).end())
    expect(await get()).toEqual({ status: 304, etag: null, text: '' })
    const before = receiver.calls.length
    receiver.behave(redirectTo(`${receiver.url}/elsewhere`))
    expect(await get()).toMatchObject({ status: 307 })
    expect(receiver.calls.length).toBe(before + 1)
  })

  it.each<[string, Behaviour]>([
    ['too large', (_call, response) => void response.writeHead(200).end('x'.repeat(1_001))],
    ['too large', (_call, response) => void response.writeHead(200, { 'content-length': '1001' }).write('x')],
    ['too large', babble],
    ['unreadable', (_call, response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('x')],
    ['unreadable', (_call, response) => void response.writeHead(200).end(Buffer.from([0xff]))],
    ['connection lost', breakOff],
    ['not HTTP', badChunks],
  ])('is %s', async (failed, behaviour) => {
    receiver.behave(behaviour)
    expect(await failure(get())).toBe(failed)
  })

  it('has one time limit for head and body', async () => {
    receiver.behave((_call, response) => void response.writeHead(200).write('a start'))
    expect(await failure(get({ timeoutMs: 300 }))).toBe('time limit')
  })

  it('of a private address is not asked for', async () => {
    const http = keep(new OutgoingHttp({ rules: { allowPrivate: false }, ca: [authority.ca] }))
    expect(await failure(get({}, http))).toBe('forbidden address')
  })
})
