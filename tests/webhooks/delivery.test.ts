import { createHmac } from 'node:crypto'
import type { RequestStatus, StatusChange } from '@causeway/core/plugin'
import { verifyWebhook } from '@causeway/plugin-webhooks'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textAt, valueAt } from '../harness/apiCall.js'
import { until } from '../harness/until.js'
import type { Receiver } from './receiver.js'
import type { WebhookHost } from './webhookHost.js'
import { startWebhookWorld, type TestKey, type WebhookWorld } from './webhookWorld.js'

type Move = readonly [to: RequestStatus, more?: Partial<StatusChange>]

let world: WebhookWorld
let host: WebhookHost
let receiver: Receiver
let key: TestKey
let secret: string

beforeAll(async () => {
  world = await startWebhookWorld()
  host = await world.startHost()
  receiver = await world.startReceiver()
  key = await world.newKey()
  secret = await world.connect(host, key, `${receiver.url}/hook?a=b`, {
    headers: { 'X-Shop': 'north', Authorization: 'Bearer t' },
  })
})
afterAll(() => world?.close())

const lastCall = async (count: number) => {
  const calls = await receiver.received(count)
  const call = calls[count - 1]
  if (call === undefined) throw new Error('no call')
  return call
}

describe('Webhook configuration (wire.md 5.2)', () => {
  it('1: requests of the key post to its endpoint, those of other keys and of nobody do not', async () => {
    const other = await world.newKey()
    for (const id of [await world.newRequest(other), await world.newRequest(null)]) await world.move(id, 'pending')
    const own = await world.newRequest(key)
    await world.move(own, 'pending')
    const { body } = await lastCall(1)
    expect(textAt(JSON.parse(body), 'data.requestId')).toBe(own)
    expect(receiver.calls).toHaveLength(1)
  })

  it('2: it is a POST to the URL as given, with the custom headers of the endpoint', async () => {
    const { method, path, headers } = await lastCall(1)
    expect([method, path]).toEqual(['POST', '/hook?a=b'])
    expect(headers).toMatchObject({ 'x-shop': 'north', authorization: 'Bearer t', 'content-type': 'application/json' })
    expect(headers.host).toBe(`127.0.0.1:${receiver.port}`)
  })

  it('3: every status is posted, in the order of the request', async () => {
    const before = receiver.calls.length
    const id = await world.newRequest(key)
    const statuses = ['depositing', 'pending', 'waiting', 'pending', 'submitted', 'success'] as const
    for (const status of statuses) await world.move(id, status)
    const failed = await world.newRequest(key)
    for (const status of ['pending', 'failure', 'refund'] as const) await world.move(failed, status)
    await receiver.received(before + statuses.length + 3)
    const told = receiver.calls.slice(before).map(({ body }) => JSON.parse(body))
    const of = (request: string) => told.filter(({ data }) => data.requestId === request).map(({ data }) => data.status)
    expect(of(id)).toEqual(statuses)
    expect(of(failed)).toEqual(['pending', 'failure', 'refund'])
  })
})

describe('Event request.status.updated (wire.md 5.2)', () => {
  it('has exactly its fields, numbers as numbers, and the bytes of JSON.stringify', async () => {
    const before = receiver.calls.length
    const id = await world.newRequest(key)
    await world.move(id, 'pending')
    await world.move(id, 'failure', { failReason: 'DOUBLE_SPEND', details: 'Transaction failed: é "q"' })
    const { body } = await lastCall(before + 2)
    const event = JSON.parse(body)
    expect(JSON.stringify(event)).toBe(body)
    expect(event).toEqual({
      event: 'request.status.updated',
      timestamp: expect.any(Number),
      data: {
        status: 'failure',
        inTxHashes: [],
        txHashes: [],
        updatedAt: event.timestamp,
        originChainId: 8453,
        destinationChainId: 42161,
        depositAddress: null,
        requestId: id,
        referrer: null,
        details: { message: 'Transaction failed: é "q"' },
        failReason: 'DOUBLE_SPEND',
        refundFailReason: 'N/A',
      },
    })
    expect(Math.abs(event.timestamp - Date.now())).toBeLessThan(60_000)
  })

  /** What is told of a request that a change of `requests` and its transactions prepare. */
  const dataOf = async (prepare: (id: string) => Promise<unknown>, moves: readonly Move[]) => {
    const id = await world.newRequest(key)
    await prepare(id.slice(2))
    for (const [to, more] of moves) await world.move(id, to, more)
    const own = () =>
      receiver.calls.map(({ body }) => JSON.parse(body).data).filter(({ requestId }) => requestId === id)
    await until('every status', async () => (own().length === moves.length ? true : null))
    return own().at(-1)
  }
  const set = (columns: string) => (id: string) =>
    world.database.pool.query(`update requests set ${columns} where id = decode($1, 'hex')`, [id])
  const addTx = (id: string, direction: 'in' | 'out', purpose: string, hash: string) =>
    world.database.pool.query(
      `insert into request_txs (request_id, direction, purpose, chain_id, tx_id, status, created_at)
       values (decode($1, 'hex'), $2, $3, 8453, $4, 'success', clock_timestamp())`,
      [id, direction, purpose, hash],
    )
  const addAll = async (id: string) => {
    await addTx(id, 'in', 'deposit', '0xd1')
    await addTx(id, 'in', 'deposit', '0xd2')
    await addTx(id, 'out', 'fill', '0xf1')
    await addTx(id, 'out', 'refund', '0xe1')
  }
  const nothing = async () => undefined

  it('data.inTxHashes and data.txHashes: the deposits and the fills, oldest first', async () => {
    const data = await dataOf(addAll, [['pending'], ['submitted'], ['success']])
    expect([data.inTxHashes, data.txHashes]).toEqual([['0xd1', '0xd2'], ['0xf1']])
  })

  it('data.txHashes of a refund: the refunds', async () => {
    const data = await dataOf(addAll, [['pending'], ['refund']])
    expect([data.inTxHashes, data.txHashes]).toEqual([['0xd1', '0xd2'], ['0xe1']])
  })

  it('data.referrer: that of the quote', async () => {
    expect((await dataOf(set(`referrer = 'shop.example'`), [['pending']])).referrer).toBe('shop.example')
  })

  it('data.failReason: UNKNOWN on failure and refund without a recorded reason, the recorded one else', async () => {
    for (const to of ['failure', 'refund'] as const) {
      const moves: readonly Move[] = [['pending'], [to]]
      expect((await dataOf(nothing, moves)).failReason).toBe('UNKNOWN')
      expect((await dataOf(set(`fail_reason = 'DOUBLE_SPEND'`), moves)).failReason).toBe('DOUBLE_SPEND')
    }
    expect((await dataOf(set(`fail_reason = 'DOUBLE_SPEND'`), [['pending']])).failReason).toBe('N/A')
  })

  it('data.refundFailReason: the recorded one', async () => {
    const data = await dataOf(nothing, [
      ['pending'],
      ['failure', { failReason: 'DOUBLE_SPEND', refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND' }],
    ])
    expect(data.refundFailReason).toBe('AMOUNT_TOO_LOW_TO_REFUND')
  })

  it('data.depositAddress: its address and kind, and the depositor and its transfer where they are known', async () => {
    const unpaid = await dataOf(set(`deposit_address = '0xaa'`), [['pending']])
    expect(unpaid.depositAddress).toEqual({
      address: '0xaa',
      depositAddressType: 'open',
      depositor: null,
      depositTxHash: null,
    })
    const prepare = async (id: string) => {
      const terms = `terms = '{"address":{"type":"strict"}}'`
      await set(`deposit_address = '0xaa', depositor = '0xbb', transfer_tx = '0xd1', ${terms}`)(id)
      // The transaction of the deposit is the sweep.
      await addTx(id, 'in', 'deposit', '0xd2')
    }
    expect((await dataOf(prepare, [['pending']])).depositAddress).toEqual({
      address: '0xaa',
      depositAddressType: 'strict',
      depositor: '0xbb',
      depositTxHash: '0xd1',
    })
  })

  it('for a regenerated deposit address carries the id that owns the fill, and nothing is told of the quote-time one', async () => {
    const before = receiver.calls.length
    const [quoted, owner] = [await world.newRequest(key), await world.newRequest(key)]
    await world.database.pool.query(
      `update requests set superseded_by = decode($2, 'hex') where id = decode($1, 'hex')`,
      [quoted.slice(2), owner.slice(2)],
    )
    await world.move(quoted, 'pending')
    await world.move(owner, 'pending')
    await receiver.received(before + 1)
    await until('the queue to be empty', async () => ((await world.counts()).waiting === 0 ? true : null))
    expect(receiver.calls.slice(before).map(({ body }) => textAt(JSON.parse(body), 'data.requestId'))).toEqual([owner])
  })
})

describe('Verification (wire.md 5.2)', () => {
  it('X-Signature-SHA256 is the hex HMAC-SHA256 of timestamp, dot and body with the API key', async () => {
    const { headers, body } = await lastCall(receiver.calls.length)
    const timestamp = String(headers['x-signature-timestamp'])
    expect(timestamp).toMatch(/^[0-9]{10}$/)
    const expected = createHmac('sha256', key.apiKey).update(`${timestamp}.${body}`).digest('hex')
    expect(headers['x-signature-sha256']).toBe(expected)
    // The documented receiver parses and writes the body before it hashes (wire.md 5.2).
    const again = JSON.stringify(JSON.parse(body))
    expect(createHmac('sha256', key.apiKey).update(`${timestamp}.${again}`).digest('hex')).toBe(expected)
  })

  it('verifyWebhook accepts both secrets and gives the event; the reference library of Standard Webhooks accepts ours', async () => {
    const { headers, body } = await lastCall(receiver.calls.length)
    expect(valueAt(verifyWebhook(body, headers, key.apiKey), 'event')).toBe('request.status.updated')
    expect(valueAt(verifyWebhook(Buffer.from(body), headers, secret), 'event')).toBe('request.status.updated')
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
    const standard = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
    expect(new Webhook(secret).verify(body, standard)).toEqual(JSON.parse(body))
    expect(headers['webhook-id']).toBe(headers['x-event-id'])
    expect(headers['x-event-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
