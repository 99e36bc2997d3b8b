import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAt, textAt, valueAt } from '../harness/apiCall.js'
import { until } from '../harness/until.js'
import {
  badChunks,
  breakOff,
  breakOffHard,
  hang,
  leave,
  type Receiver,
  redirectTo,
  reset,
  upgrade,
} from './receiver.js'
import type { WebhookHost } from './webhookHost.js'
import { startWebhookWorld, type TestKey, type WebhookWorld } from './webhookWorld.js'

const DELAYS_SECONDS = [5, 15, 30, 60, 120, 300, 900, 3_600, 10_800, 21_600]
const DAY_MS = 86_400_000

let world: WebhookWorld
let host: WebhookHost
let clockMs = 0

beforeAll(async () => {
  world = await startWebhookWorld()
  host = await world.startHost({ webhooks: { timeoutSeconds: 1 } })
})
afterAll(() => world?.close())

/** A key whose endpoint is a receiver of its own. */
const newShop = async (): Promise<{ readonly key: TestKey; readonly receiver: Receiver }> => {
  const [key, receiver] = [await world.newKey(), await world.startReceiver()]
  await world.connect(host, key, receiver.url)
  return { key, receiver }
}

const deliveriesOf = async ({ id }: TestKey) => {
  const { body } = await world.manage(host, 'GET', `/keys/${id}/webhook/deliveries`)
  return listAt(body, 'deliveries')
}
const triesOf = (delivery: unknown) => listAt(delivery, 'tries')
const firstWhen = (key: TestKey, state: string, tries: number) =>
  until(`a delivery to be ${state} after ${tries} tries`, async () => {
    const [delivery] = await deliveriesOf(key)
    return valueAt(delivery, 'state') === state && triesOf(delivery).length === tries ? delivery : null
  })

/** Moves every host to when the delivery is tried next; how long after its last try that is, milliseconds. */
const skipToNext = async (key: TestKey): Promise<number> => {
  const [delivery] = await deliveriesOf(key)
  const next = Date.parse(textAt(delivery, 'nextAt'))
  const last = Date.parse(textAt(triesOf(delivery).at(-1), 'at'))
  clockMs = next - Date.now() + 50
  await world.setClock(clockMs, host)
  return next - last
}

describe('Delivery (wire.md 5.2, H.4)', () => {
  it('an endpoint that answers 500 nine times gets the event the tenth time: backoff with jitter, the same id and body, a new time of sending (F97)', async () => {
    const { key, receiver } = await newShop()
    receiver.behave((_call, response) => void response.writeHead(receiver.calls.length < 10 ? 500 : 200).end('no'))
    await world.move(await world.newRequest(key), 'pending')
    const waits: number[] = []
    for (let failed = 1; failed < 10; failed += 1) {
      await firstWhen(key, 'waiting', failed)
      waits.push(await skipToNext(key))
    }
    const delivery = await firstWhen(key, 'delivered', 10)
    expect(triesOf(delivery).map((item) => valueAt(item, 'status'))).toEqual([...Array(9).fill(500), 200])
    expect(valueAt(triesOf(delivery)[0], 'answer')).toBe('no')
    waits.forEach((wait, at) => {
      const planned = (DELAYS_SECONDS[at] ?? 0) * 1000
      expect(wait, `wait ${at + 1}`).toBeGreaterThanOrEqual(planned * 0.8)
      expect(wait, `wait ${at + 1}`).toBeLessThanOrEqual(planned * 1.2 + 1_500)
    })
    expect(waits.some((wait, at) => Math.abs(wait - (DELAYS_SECONDS[at] ?? 0) * 1000) > 100)).toBe(true)
    const { calls } = receiver
    expect(calls).toHaveLength(10)
    expect(new Set(calls.map(({ headers }) => headers['x-event-id'])).size).toBe(1)
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    expect(new Set(calls.map(({ headers }) => headers['x-signature-timestamp'])).size).toBe(10)
    expect(new Set(calls.map(({ headers }) => headers['x-signature-sha256'])).size).toBe(10)
  })

  it('is tried eleven times at most and parked then, visible and ready to be replayed; the next status goes out after it', async () => {
    const { key, receiver } = await newShop()
    receiver.behave((call, response) => {
      response.writeHead(textAt(JSON.parse(call.body), 'data.status') === 'pending' ? 503 : 200).end()
    })
    const id = await world.newRequest(key)
    await world.move(id, 'pending')
    await world.move(id, 'submitted')
    for (let failed = 1; failed <= 10; failed += 1) {
      await until('the next try', async () => {
        const delivery = (await deliveriesOf(key)).at(-1)
        const ready = valueAt(delivery, 'state') === 'waiting' && triesOf(delivery).length === failed
        return ready ? true : null
      })
      expect(receiver.calls.every(({ body }) => body.includes('"pending"'))).toBe(true)
      const older = (await deliveriesOf(key)).at(-1)
      clockMs = Date.parse(textAt(older, 'nextAt')) - Date.now() + 50
      await world.setClock(clockMs, host)
    }
    await receiver.received(11)
    // An endpoint that failed so often in a row rests for a minute.
    clockMs += 61_000
    await world.setClock(clockMs, host)
    await receiver.received(12)
    const [newer, older] = await until('both to be over', async () => {
      const list = await deliveriesOf(key)
      return list.every((item) => valueAt(item, 'state') !== 'waiting') ? list : null
    })
    expect(older).toMatchObject({ state: 'parked', reason: 'no retries left', status: 'pending' })
    expect(triesOf(older)).toHaveLength(11)
    expect(newer).toMatchObject({ state: 'delivered', status: 'submitted' })
    receiver.behave(200)
    const replayed = await world.manage(
      host,
      'POST',
      `/keys/${key.id}/webhook/deliveries/${textAt(older, 'id')}/replay`,
    )
    expect(replayed.status).toBe(200)
    const calls = await receiver.received(13)
    expect([calls[12]?.headers['x-event-id'], calls[12]?.body]).toEqual([
      calls[0]?.headers['x-event-id'],
      calls[0]?.body,
    ])
  })

  it.each([
    ['hangs', hang, 'No answer within the time limit', null],
    ['resets', reset, 'The connection ended before an answer', null],
    ['leaves', leave, 'The connection ended before an answer', null],
    ['answers 101', upgrade, null, 101],
    ['redirects', redirectTo('/elsewhere'), null, 307],
    ['answers 404', 404, null, 404],
    ['answers 304', 304, null, 304],
  ])('a receiver that %s is tried again', async (_, behaviour, error, status) => {
    const { key, receiver } = await newShop()
    receiver.behave(behaviour)
    await world.move(await world.newRequest(key), 'pending')
    const delivery = await firstWhen(key, 'waiting', 1)
    expect(triesOf(delivery)[0]).toMatchObject({ error, status })
    receiver.behave(200)
    await skipToNext(key)
    await firstWhen(key, 'delivered', 2)
    expect(receiver.calls.map(({ path }) => path)).toEqual(receiver.calls.map(() => '/'))
  })

  it.each([
    ['ends too early', breakOff],
    ['is reset', breakOffHard],
    ['is no HTTP', badChunks],
  ])('any 2xx is success, though the answer %s', async (_, behaviour) => {
    const { key, receiver } = await newShop()
    receiver.behave(behaviour)
    await world.move(await world.newRequest(key), 'pending')
    expect(triesOf(await firstWhen(key, 'delivered', 1))[0]).toMatchObject({ status: 200 })
  })
})

describe('what a receiver answers', () => {
  it.each([
    ['499 characters and an emoji', `${'x'.repeat(499)}😀`],
    ['an emoji at both ends', `😀${'x'.repeat(497)}😀`],
    ['an emoji cut by the end of what is read', `${'x'.repeat(2_047)}😀`],
    ['NUL and halves of characters', '\0\ud83d\ude00\0'],
  ])('is logged however it ends: %s', async (_, answer) => {
    const { key, receiver } = await newShop()
    receiver.behave((_call, response) => void response.writeHead(200).end(answer))
    await world.move(await world.newRequest(key), 'pending')
    const delivery = await firstWhen(key, 'delivered', 1)
    expect(textAt(triesOf(delivery)[0], 'answer').length).toBeLessThanOrEqual(500)
    expect(receiver.calls).toHaveLength(1)
  })

  it('of one that cannot be stored blocks none of the others: each of those is sent once', async () => {
    const { key, receiver } = await newShop()
    const [bad, ...good] = await world.newRequests(key, 30)
    await world.database.pool.query(`
      create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
      create trigger refuse_one before insert on webhook_deliveries for each row
        when (new.request_id = '\\x${bad?.slice(2)}') execute function refuse_one()`)
    for (const id of [bad, ...good]) await world.move(id ?? '0x', 'pending')
    const waiting = await until('all others to be over', async () => {
      const left = (await deliveriesOf(key)).filter((item) => valueAt(item, 'state') === 'waiting')
      return left.length === 1 ? left : null
    })
    expect(waiting).toEqual([expect.objectContaining({ requestId: bad })])
    const told = receiver.calls.map(({ body }) => textAt(JSON.parse(body), 'data.requestId'))
    for (const id of good) expect(told.filter((one) => one === id)).toEqual([id])
    await world.database.pool.query('drop trigger refuse_one on webhook_deliveries')
    await until('it to be given back', async () => {
      clockMs += 61_000
      await world.setClock(clockMs, host)
      return (await world.counts()).waiting === 0 ? true : null
    })
  })
})

describe('order of a request (faults.md F101)', () => {
  it('of two changes at once the second waits until the first was answered, however slowly, and none is dropped', async () => {
    const { key, receiver } = await newShop()
    const open: (() => void)[] = []
    let underWay = 0
    let most = 0
    receiver.behave((_call, response) => {
      underWay += 1
      most = Math.max(most, underWay)
      open.push(() => {
        underWay -= 1
        response.writeHead(200).end()
      })
    })
    const id = await world.newRequest(key)
    await world.move(id, 'pending')
    await world.move(id, 'submitted')
    for (let count = 1; count <= 2; count += 1) {
      await receiver.received(count)
      open.at(-1)?.()
    }
    await until('the queue to be empty', async () =>
      (await deliveriesOf(key)).every((item) => valueAt(item, 'state') === 'delivered') ? true : null,
    )
    expect(most).toBe(1)
    const told = receiver.calls.map(({ body }) => JSON.parse(body).data)
    expect(told.map(({ status }) => status)).toEqual(['pending', 'submitted'])
    expect(told[1].updatedAt).toBeGreaterThanOrEqual(told[0].updatedAt)
  })
})

describe('an endpoint that only fails', () => {
  it('is turned off after three days of only failures, its deliveries parked, and what comes meanwhile too; a range brings all of it', async () => {
    const { key, receiver } = await newShop()
    receiver.behave(500)
    const first = await world.newRequest(key)
    await world.move(first, 'pending')
    await firstWhen(key, 'waiting', 1)
    const shown = async () => (await world.manage(host, 'GET', `/keys/${key.id}/webhook`)).body
    const failAfter = async (milliseconds: number, tries: number) => {
      expect(await shown()).toMatchObject({ enabled: true })
      clockMs += milliseconds
      await world.setClock(clockMs, host)
      await until('the next try', async () => (receiver.calls.length === tries ? true : null))
      if (tries < 9) await firstWhen(key, 'waiting', tries)
    }
    // Four days of silence are no days of failures.
    await failAfter(4 * DAY_MS, 2)
    for (let tries = 3; tries <= 8; tries += 1) await failAfter(DAY_MS / 2 - 60_000, tries)
    await failAfter(DAY_MS / 2, 9)
    await until('the endpoint to be off', async () => (valueAt(await shown(), 'enabled') === false ? true : null))
    expect(await shown()).toMatchObject({ disabledReason: 'failing' })
    const parked = await firstWhen(key, 'parked', 9)
    expect(parked).toMatchObject({ reason: 'failing' })
    await world.move(first, 'submitted')
    await until('the event to be logged', async () => ((await deliveriesOf(key)).length === 2 ? true : null))
    expect(receiver.calls).toHaveLength(9)
    const range = { startTimestamp: 0, endTimestamp: 4_000_000_000 }
    expect((await world.manage(host, 'POST', `/keys/${key.id}/webhook/replay`, range)).status).toBe(409)
    const replay = async (enabled: boolean) => {
      await world.manage(host, 'PUT', `/keys/${key.id}/webhook`, { url: receiver.url, enabled: true })
      const { body } = await world.manage(host, 'POST', `/keys/${key.id}/webhook/replay`, range)
      expect(body).toEqual({ queued: 2, nextCursor: null })
      await world.manage(host, 'PUT', `/keys/${key.id}/webhook`, { url: receiver.url, enabled })
    }
    // What is parked once more is there for the next range.
    receiver.behave(hang)
    await replay(false)
    await until('both to be parked again', async () => {
      const list = await deliveriesOf(key)
      return list.length === 4 && list.every((item) => valueAt(item, 'state') === 'parked') ? true : null
    })
    const before = receiver.calls.length
    receiver.behave(200)
    await replay(true)
    await receiver.received(before + 2)
    expect(receiver.calls.slice(before).map((call) => textAt(JSON.parse(call.body), 'data.status'))).toEqual([
      'pending',
      'submitted',
    ])
    const again = await world.manage(host, 'POST', `/keys/${key.id}/webhook/replay`, range)
    expect(again.body).toEqual({ queued: 0, nextCursor: null })
  })

  it('costs another endpoint nothing: neither a slot nor a place in the queue', async () => {
    const [dead, well] = [await newShop(), await newShop()]
    dead.receiver.behave(hang)
    for (const id of await world.newRequests(dead.key, 200)) await world.move(id, 'pending')
    await dead.receiver.received(1)
    for (const id of await world.newRequests(well.key, 20)) await world.move(id, 'pending')
    await well.receiver.received(20)
    // They came before the turn of most that were there first: slow start, then one call at a time.
    expect(dead.receiver.calls.length).toBeLessThan(30)
  })
})

describe('what cannot be opened', () => {
  it('holds up its own endpoint alone, is neither sent nor parked nor turned off, and goes out when it can be', async () => {
    const shops = [await newShop(), await newShop(), await newShop(), await newShop()] as const
    const [badTarget, badKey, ...good] = shops
    const { pool } = world.database
    const broken = `set ciphertext = overlay(ciphertext placing '\\x00000000'::bytea from length(ciphertext) - 3)`
    const kept = await pool.query(
      `select v.id, v.ciphertext from sealed_values v join webhook_endpoints e on e.sealed_id = v.id where e.api_key_id = $1`,
      [badTarget.key.id],
    )
    const keptKey = await pool.query('select id, ciphertext from api_keys where id = $1', [badKey.key.id])
    await pool.query(`update sealed_values ${broken} where id = $1`, [kept.rows[0].id])
    await pool.query(`update api_keys ${broken} where id = $1`, [badKey.key.id])
    for (const { key } of shops) await world.move(await world.newRequest(key), 'pending')
    for (const { receiver } of good) await receiver.received(1)
    await until('the rest to be put off', async () => {
      const { rows } = await pool.query(
        `select from webhook_streams s join webhook_endpoints e on e.id = s.endpoint_id
         where e.api_key_id = any($1) and s.claimed_by is null and s.next_at > $2`,
        [[badTarget.key.id, badKey.key.id], new Date(host.clock.now() + 30_000)],
      )
      return rows.length === 2 ? true : null
    })
    for (const { key, receiver } of [badTarget, badKey]) {
      expect(receiver.calls).toEqual([])
      const { rows } = await pool.query('select enabled from webhook_endpoints where api_key_id = $1', [key.id])
      expect(rows).toEqual([{ enabled: true }])
    }
    await pool.query('update sealed_values set ciphertext = $2 where id = $1', Object.values(kept.rows[0]))
    await pool.query('update api_keys set ciphertext = $2 where id = $1', Object.values(keptKey.rows[0]))
    clockMs += 61_000
    await world.setClock(clockMs, host)
    for (const { receiver } of [badTarget, badKey]) await receiver.received(1)
  })
})

describe('a revoked key (wire.md H.4, Key revoked)', () => {
  it('has its deliveries stopped', async () => {
    const { key, receiver } = await newShop()
    receiver.behave(500)
    await world.move(await world.newRequest(key), 'pending')
    await firstWhen(key, 'waiting', 1)
    await world.manage(host, 'POST', `/keys/${key.id}/revoke`)
    await firstWhen(key, 'parked', 1)
    const { body } = await world.manage(host, 'GET', `/keys/${key.id}/webhook`)
    expect(body).toMatchObject({ enabled: false, disabledReason: 'key revoked' })
    const { rows } = await world.database.pool.query(
      `select actor, details from operator_audit where action = 'webhooks disable' and subject = $1`,
      [`api key ${key.id}`],
    )
    expect(rows).toEqual([{ actor: 'causeway', details: { reason: 'key revoked' } }])
  })
})
