import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { runKeyCommand } from '../harness/host/host.js'
import { until } from '../harness/until.js'
import { signIn } from '../http/dashboardSession.js'
import { hang, type Receiver } from './receiver.js'
import type { WebhookHost } from './webhookHost.js'
import { startWebhookWorld, type TestKey, type WebhookWorld } from './webhookWorld.js'

let world: WebhookWorld
/** One whose owners may name receivers of this machine, and one as it is by default. */
let host: WebhookHost
let strict: WebhookHost
let receiver: Receiver
let key: TestKey

beforeAll(async () => {
  world = await startWebhookWorld()
  ;[host, strict] = await Promise.all([
    world.startHost(),
    world.startHost({ jobs: [], webhooks: { allowPrivateTargets: false } }),
  ])
  receiver = await world.startReceiver()
  key = await world.newKey()
})
afterAll(() => world?.close())

const path = () => `/keys/${key.id}/webhook`
const put = (body: unknown, on = strict) => world.manage(on, 'PUT', path(), body)

describe('the endpoint of a key (wire.md 5.2)', () => {
  it('is made with its secret shown once, changed without another, given a new secret, and removed', async () => {
    const made = await put({ url: `${receiver.url}/one`, headers: { 'X-Token': 'hunter2' } }, host)
    expect(made.status).toBe(200)
    expect(textAt(made.body, 'secret')).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const shown = await world.manage(host, 'GET', path())
    expect(shown.body).toMatchObject({ url: `${receiver.url}/one`, enabled: true, headers: ['x-token'] })
    expect(shown.text).not.toMatch(/hunter2|whsec_/)
    const changed = await put({ url: `${receiver.url}/two`, enabled: false }, host)
    expect(changed.body).toMatchObject({ url: `${receiver.url}/two`, enabled: false, headers: ['x-token'] })
    expect((await put({ url: `${receiver.url}/two`, headers: {} }, host)).body).toMatchObject({ headers: [] })
    expect(valueAt(changed.body, 'secret')).toBeUndefined()
    const renewed = await world.manage(host, 'POST', `${path()}/secret`)
    expect(textAt(renewed.body, 'secret')).not.toBe(textAt(made.body, 'secret'))
    expect((await world.manage(host, 'DELETE', path())).body).toEqual({ removed: true })
    expect((await world.manage(host, 'DELETE', path())).body).toEqual({ removed: false })
    expect((await world.manage(host, 'GET', path())).status).toBe(404)
  })

  it('is in no table in clear: neither URL nor headers nor secret', async () => {
    const made = await put({ url: `${receiver.url}/secret-path`, headers: { 'X-Token': 'hunter2' } }, host)
    const { rows } = await world.database.pool.query(
      `select (select string_agg(w::text, '') from webhook_endpoints w) as endpoints,
        (select string_agg(v::text || encode(v.ciphertext, 'escape'), '') from sealed_values v) as sealed,
        (select string_agg(a::text, '') from operator_audit a) as audit`,
    )
    expect(JSON.stringify(rows)).not.toMatch(/hunter2|secret-path|whsec_/)
    expect(JSON.stringify(rows)).not.toContain(textAt(made.body, 'secret').slice(6))
    expect(JSON.stringify(rows)).toMatch(/webhooks create/)
  })

  it('belongs to the owner of the key: a stranger is 401, another integrator finds nothing', async () => {
    await put({ url: receiver.url }, host)
    const before = (await world.manage(host, 'GET', path())).body
    const called = receiver.calls.length
    const headers = await signIn(host.url)
    const own = await callApi(host.url, '/dashboard/api/keys', { headers, body: { label: 'mine' } })
    expect(own.status).toBe(200)
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['PUT', '', { url: `${receiver.url}/taken` }],
      ['POST', '/secret', undefined],
      ['POST', '/test', undefined],
      ['GET', '/deliveries', undefined],
      ['GET', '/deliveries/1', undefined],
      ['POST', '/deliveries/1/replay', undefined],
      ['POST', '/replay', { startTimestamp: 0, endTimestamp: 1 }],
      ['DELETE', '', undefined],
    ] as const) {
      const call = { method, ...(body === undefined ? {} : { body }) }
      const stranger = await callApi(host.url, `/dashboard/api${path()}${rest}`, call)
      expect([stranger.status, `${method} ${rest}`]).toEqual([401, `${method} ${rest}`])
      const other = await callApi(host.url, `/dashboard/api${path()}${rest}`, { ...call, headers })
      expect([other.status, `${method} ${rest}`]).toEqual([404, `${method} ${rest}`])
    }
    expect((await world.manage(host, 'GET', path())).body).toEqual(before)
    expect(receiver.calls).toHaveLength(called)
  })
})

describe('bad input', () => {
  const refusedUrls = [
    'http://hooks.example/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[2002:a00:1::]/',
    'https://169.254.169.254/latest/meta-data',
    'https://user:pass@hooks.example/',
    'https://hooks.example:22/',
    'https://hooks.example/\r\nHost: evil',
    'ftp://hooks.example/',
    'not a url',
    '',
  ]
  it.each(refusedUrls)('the URL %j is refused with a reason', async (url) => {
    const answer = await put({ url })
    expect(answer.status).toBe(400)
    expect(textAt(answer.body, 'message')).toMatch(/^url: /)
  })

  it.each([
    [{ url: 'https://hooks.example/', headers: { host: 'evil' } }],
    [{ url: 'https://hooks.example/', headers: { 'X-Signature-SHA256': 'forged' } }],
    [{ url: 'https://hooks.example/', headers: { 'content-length': '0' } }],
    [{ url: 'https://hooks.example/', headers: { a: 'b\r\nc: d' } }],
    [{ url: 'https://hooks.example/', headers: { a: 7 } }],
    [{ url: 'https://hooks.example/', headers: 'a: b' }],
    [{ url: 7 }],
    [{}],
  ])('%j is 400', async (body) => {
    expect((await put(body)).status).toBe(400)
  })

  it('an international name is kept in its ASCII form', async () => {
    expect((await put({ url: 'https://bücher.example/ä' })).body).toMatchObject({
      url: 'https://xn--bcher-kva.example/%C3%A4',
    })
  })
})

describe('the test event', () => {
  it('is sent at once and its outcome told; it stands in the log and cannot be sent again', async () => {
    await put({ url: receiver.url }, host)
    receiver.behave((_call, response) => void response.writeHead(418).end('short and stout'))
    const failed = await world.manage(host, 'POST', `${path()}/test`)
    expect(failed.body).toMatchObject({
      delivered: false,
      try: { status: 418, answer: 'short and stout', error: null },
    })
    receiver.behave(200)
    const sent = await world.manage(host, 'POST', `${path()}/test`)
    expect(sent.body).toMatchObject({ delivered: true, try: { status: 200 } })
    const call = receiver.calls.at(-1)
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ event: 'webhook.test', data: { status: 'success' } })
    const { body } = await world.manage(host, 'GET', `${path()}/deliveries`)
    expect(listAt(body, 'deliveries').map((item) => valueAt(item, 'state'))).toEqual(['delivered', 'parked'])
    const replay = `${path()}/deliveries/${textAt(body, 'deliveries.0.id')}/replay`
    expect((await world.manage(host, 'POST', replay)).status).toBe(409)
  })
})

describe('the delivery log', () => {
  it('is paged newest first, by state, with the body and a capped answer of each attempt', async () => {
    receiver.behave((_call, response) => void response.writeHead(200).end('x'.repeat(5_000)))
    const before = receiver.calls.length
    for (const id of await world.newRequests(key, 5)) await world.move(id, 'pending')
    await receiver.received(before + 5)
    await until('the queue to be empty', async () => ((await world.counts()).waiting === 0 ? true : null))
    const pages: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await world.manage(host, 'GET', `${path()}/deliveries?limit=2&state=delivered${query}`)
      pages.push(...listAt(body, 'deliveries'))
      const next = valueAt(body, 'nextCursor')
      cursor = typeof next === 'string' ? next : null
    }
    const ids = pages.map((item) => Number(textAt(item, 'id')))
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(new Set(ids).size).toBe(ids.length)
    expect(textAt(pages[0], 'tries.0.answer')).toBe('x'.repeat(500))
    const one = await world.manage(host, 'GET', `${path()}/deliveries/${ids[0]}`)
    expect(textAt(one.body, 'body')).toBe(receiver.calls.find(({ body }) => body === textAt(one.body, 'body'))?.body)
  })

  it('shows what waits, and when it is tried next', async () => {
    receiver.behave(hang)
    const before = receiver.calls.length
    await world.move(await world.newRequest(key), 'pending')
    await receiver.received(before + 1)
    const { body } = await world.manage(host, 'GET', `${path()}/deliveries?state=waiting`)
    expect(listAt(body, 'deliveries')).toEqual([
      expect.objectContaining({ state: 'waiting', endedAt: null, nextAt: expect.any(String) }),
    ])
  })
})

it('the log of the service names no URL, header or secret of an endpoint (faults.md F96)', async () => {
  // The one whose log is read does all the work.
  await host.stop()
  const lines: string[] = []
  // CAST: the one method that the log calls.
  const log = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream
  const other = await world.startHost({ log })
  const owner = await world.newKey()
  receiver.behave((_call, response) => void response.writeHead(200).end('thanks'))
  await world.connect(other, owner, `${receiver.url}/secret-path`, { headers: { 'x-token': 'hunter2' } })
  const { pool } = world.database
  const told = (words: string) =>
    until(`the log to say "${words}"`, async () => (lines.some((line) => line.includes(words)) ? true : null))
  // A result that the database refuses.
  const [refused, unopened, last] = await world.newRequests(owner, 3)
  await pool.query(`
    create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse_one before insert on webhook_deliveries for each row
      when (new.request_id = '\\x${refused?.slice(2)}') execute function refuse_one()`)
  await world.move(refused ?? '0x', 'pending')
  await told('could not be stored')
  await pool.query('drop trigger refuse_one on webhook_deliveries')
  await until('it to be stored', async () => {
    const stored = await pool.query(`select from webhook_deliveries where request_id = '\\x${refused?.slice(2)}'`)
    return stored.rows.length > 0 ? true : null
  })
  // An endpoint that cannot be opened.
  const { rows } = await pool.query(
    `update webhook_endpoints e set version = version + 1 where api_key_id = $1
     returning sealed_id, (select ciphertext from sealed_values where id = sealed_id)`,
    [owner.id],
  )
  await pool.query(`update sealed_values set ciphertext = '\\x00' where id = $1`, [rows[0].sealed_id])
  await world.move(unopened ?? '0x', 'pending')
  await told('cannot be opened')
  await pool.query('update sealed_values set ciphertext = $2 where id = $1', [rows[0].sealed_id, rows[0].ciphertext])
  // One that fails for too long.
  receiver.behave(500)
  await pool.query(
    `update webhook_endpoints set failing_since = now() - interval '9 days', failed_at = now() where api_key_id = $1`,
    [owner.id],
  )
  await world.move(last ?? '0x', 'pending')
  await told('was turned off')
  await runKeyCommand(pool, 'api-keys revoke', [owner.id], {})
  expect(lines.join('')).not.toMatch(/hunter2|secret-path|whsec_|cct_test/)
})
