import type { Hex } from '@causeway/core'
import { packRecord, unpackRecord } from '@causeway/plugin-requests-v3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HistoryWorld, idsOf } from './historyWorld.js'
import { nativeBody, postQuote } from './httpWorld.js'
import { namesAt } from './quoteAmounts.js'
import { chargePlatformFee } from './requestRows.js'
import { add, ask, found, openWorld, refused, unique, world } from './requestsV3Calls.js'

let real: HistoryWorld['real']
let other: HistoryWorld['other']

beforeAll(async () => {
  ;({ real, other } = await openWorld())
})
afterAll(() => world?.close())

const ROOT = [
  ...['createdAt', 'data', 'depositAddress', 'features', 'id', 'protocol', 'recipient', 'refundTo', 'requestType'],
  ...['sender', 'status', 'supersededByRequestId', 'updatedAt', 'user'],
]
const DATA = [
  ...['appFees', 'externalMetadata', 'failReason', 'failedCallData', 'failedTxBlockNumber', 'failedTxHash'],
  ...['feeSponsorship', 'fees', 'inTxs', 'outTxs', 'quoteOraclePrice', 'refundCurrencyData', 'refundFailReason'],
  ...['route', 'slippageTolerance', 'timeEstimate', 'triggeredByFastFill', 'usesExternalLiquidity'],
]

describe('who may ask (Authentication 2; wire.md 3.1)', () => {
  it('x-api-key is required: without or with a wrong one 401 {message}, before anything else is looked at', async () => {
    for (const query of ['', '?limit=0', '?filters=%5B']) {
      const answer = await callApi(world.host.url, `/requests/v3${query}`)
      expect([answer.status, namesAt(answer.body)]).toEqual([401, ['message']])
    }
    expect((await ask({}, `cct_test_${'x'.repeat(43)}`)).status).toBe(401)
  })

  it('is never cached', async () => {
    const { headers } = await ask({ id: real.requestId })
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('the record (wire.md 3.1)', () => {
  it('has exactly the fields of root and data, without those of the owner', async () => {
    const { body } = await ask({ id: real.requestId })
    expect(namesAt(body)).toEqual(['requests'])
    expect(namesAt(valueAt(body, 'requests.0'))).toEqual(ROOT)
    expect(namesAt(valueAt(body, 'requests.0.data'))).toEqual([...DATA].sort())
  })

  it('anyone with a key reads it; owner fields only the owner, and only when asked for (Authentication 5, rule 5)', async () => {
    const theirs = await ask({ id: real.requestId, includeAuthenticatedData: true }, other.apiKey)
    expect(namesAt(valueAt(theirs.body, 'requests.0.data'))).toEqual([...DATA].sort())
    const own = await ask({ id: real.requestId, includeAuthenticatedData: true })
    expect(valueAt(own.body, 'requests.0.data')).toMatchObject({
      referrer: 'Shop %_',
      platformFee: null,
      apiKeyName: 'tests',
    })
    expect(valueAt((await ask({ id: real.requestId })).body, 'requests.0.data')).not.toHaveProperty('referrer')
  })

  it('owner fields are null when owned but empty (wire.md K.3 1)', async () => {
    const id = await add({ columns: { referrer: null } })
    const { body } = await ask({ id, includeAuthenticatedData: true })
    expect(valueAt(body, 'requests.0.data')).toMatchObject({ referrer: null, platformFee: null, apiKeyName: 'tests' })
  })

  it('platformFee is told to the owner alone', async () => {
    const id = await add()
    await chargePlatformFee(world.database.pool, id, 30)
    const query = { id, includeAuthenticatedData: true }
    const ruleOf = async (apiKey?: string) =>
      valueAt((await ask(query, apiKey)).body, 'requests.0.data.platformFee.totalFeeBps')
    expect(await ruleOf()).toBe(30)
    expect(await ruleOf(other.apiKey)).toBeUndefined()
  })

  it('a quote that nobody paid is found by id, order id and term, and only by them', async () => {
    const recipient = freshAddress()
    const answer = await postQuote(world, nativeBody(world, { recipient }), '/quote', world.host.apiKey)
    const id = textAt(answer.body, 'requestId')
    const orderId = textAt(answer.body, 'protocol.v2.orderId')
    for (const query of [{ id }, { term: id }, { orderId }]) expect(await found(query)).toEqual([id])
    expect(valueAt((await ask({ id })).body, 'requests.0.status')).toBe('waiting')
    expect(await found({ recipient })).toEqual([])
  })

  it('is never older than a status that was told: rows that were touched are built anew', async () => {
    const id = await add()
    for (const status of ['failure', 'refund', 'success']) {
      await world.database.pool.query('update requests set status = $2, version = version + 1 where id = $1', [
        Buffer.from(id.slice(2), 'hex'),
        status,
      ])
      expect(valueAt((await ask({ id })).body, 'requests.0.status')).toBe(status)
    }
  })

  it('is built for each page while its request is unfinished, and stored when that is finished', async () => {
    const id = await add()
    const bytes = Buffer.from(id.slice(2), 'hex')
    const set = (text: string) => world.database.pool.query(`update requests set ${text} where id = $1`, [bytes])
    const stored = async () => {
      const { rows } = await world.database.pool.query<{ packed: Buffer }>(
        'select packed from record_texts where request_id = $1',
        [bytes],
      )
      return rows.map(({ packed }) => valueAt(JSON.parse(unpackRecord(packed)), 'status'))
    }
    const untouched = () =>
      until('the touches to be taken', async () => {
        const { rowCount } = await world.database.pool.query('select from request_touches where request_id = $1', [
          bytes,
        ])
        return rowCount === 0 ? true : null
      })
    await untouched()
    await world.database.pool.query('delete from record_texts where request_id = $1', [bytes])
    await set(`status = 'pending', version = version + 1, next_action = 'await-payout', next_action_at = '2200-01-01'`)
    await untouched()
    expect(await stored()).toEqual([])
    expect(valueAt((await ask({ id })).body, 'requests.0.status')).toBe('pending')
    await set(`status = 'success', version = version + 1, next_action = null, next_action_at = null`)
    await untouched()
    expect(await stored()).toEqual(['success'])
    // The request goes back: what is stored follows.
    await set(`status = 'pending', version = version + 1, next_action = 'await-payout', next_action_at = '2200-01-01'`)
    await untouched()
    expect(await stored()).toEqual(['pending'])
  })

  it('is stored once nothing changes any more, and read from there', async () => {
    const id = await add()
    const bytes = Buffer.from(id.slice(2), 'hex')
    const text = await until('the stored record', async () => {
      const { rows } = await world.database.pool.query<{ packed: Buffer }>(
        `select packed from record_texts where request_id = $1
         and not exists (select from request_touches t where t.request_id = $1)`,
        [bytes],
      )
      return rows[0] === undefined ? null : unpackRecord(rows[0].packed)
    })
    expect(JSON.parse(text)).toEqual(valueAt((await ask({ id })).body, 'requests.0'))
    await world.database.pool.query('update record_texts set packed = $2 where request_id = $1', [
      bytes,
      packRecord(text.replace('"user":"', '"user":"stored')),
    ])
    expect(textAt((await ask({ id })).body, 'requests.0.user')).toMatch(/^stored/)
  })
})

describe('Other', () => {
  it('sortBy and sortDirection: newest first by default, amounts smallest first, ties by id (rule 1, wire.md H.3)', async () => {
    const user = unique()
    const rows: Hex[] = []
    for (const n of [3, 1, 2]) {
      const at = `2026-02-0${n}T00:00:00Z`
      rows.push(
        await add({
          columns: { user_address: user, created_at: at, updated_at: `2026-03-0${4 - n}T00:00:00Z`, amount_usd: n },
        }),
      )
    }
    const [three, one, two] = rows
    expect(await found({ user })).toEqual([three, two, one])
    expect(await found({ user, sortDirection: 'asc' })).toEqual([one, two, three])
    expect(await found({ user, sortBy: 'updatedAt' })).toEqual([one, two, three])
    expect(await found({ user, sortBy: 'amountUsd' })).toEqual([one, two, three])
    expect(await found({ user, sortBy: 'amountUsd', sortDirection: 'desc' })).toEqual([three, two, one])
    await refused({ sortBy: 'id' })
    await refused({ sortDirection: 'up' })
  })

  it('pages go through everything once; the last has no continuation; includeTotal counts them all (rule 4, K.3 4)', async () => {
    const user = unique()
    const made = new Set<string>()
    for (let n = 0; n < 5; n++) made.add(await add({ columns: { user_address: user } }))
    const seen: string[] = []
    let continuation = ''
    for (let pages = 0; pages < 5; pages++) {
      const answer = await ask({ user, limit: 2, includeTotal: true, ...(continuation === '' ? {} : { continuation }) })
      seen.push(...idsOf(answer))
      expect(valueAt(answer.body, 'total')).toBe(pages === 0 ? 5 : 6)
      // One that comes while paging is newer than every page.
      if (pages === 0) await add({ columns: { user_address: user, created_at: '2099-01-01T00:00:00Z' } })
      const next = valueAt(answer.body, 'continuation')
      if (next === undefined) break
      continuation = String(next)
    }
    expect(seen).toHaveLength(5)
    expect(new Set(seen)).toEqual(made)
  })

  it('a continuation belongs to its filters, order and caller; a changed one is 400', async () => {
    const user = unique()
    for (let n = 0; n < 3; n++) await add({ columns: { user_address: user } })
    const { body } = await ask({ user, limit: 1 })
    const continuation = textAt(body, 'continuation')
    expect(idsOf(await ask({ user, limit: 2, continuation }))).toHaveLength(2)
    await refused({ user, continuation, sortDirection: 'asc' })
    await refused({ user: unique(), continuation })
    await refused({ continuation })
    await refused({ user, continuation: `${continuation.startsWith('A') ? 'B' : 'A'}${continuation.slice(1)}` })
    await refused({ user, continuation: 'x' })
    expect((await ask({ user, limit: 1, continuation }, other.apiKey)).status).toBe(400)
  })

  it('includeChildRequests: with id or depositAddress also duplicates, retries and refunds (rule 6)', async () => {
    const address = unique()
    const parent = await add({ columns: { deposit_address: address } })
    const child = await add({
      status: 'refund',
      parent,
      columns: { refund_reason: 'DOUBLE_SPEND', deposit_address: address },
    })
    const family = [parent, child].sort()
    expect(await found({ id: parent })).toEqual([parent])
    expect([...(await found({ id: parent, includeChildRequests: true }))].sort()).toEqual(family)
    expect([...(await found({ depositAddress: address, includeChildRequests: true }))].sort()).toEqual(family)
    expect(await found({ depositAddress: address })).toEqual([parent])
  })

  it('?depositAddress= answers the newest first with what the hooks read (wire.md A.9)', async () => {
    const address = unique()
    await add({ columns: { deposit_address: address, created_at: '2026-01-01T00:00:00Z' } })
    const newest = await add({
      columns: { deposit_address: address, created_at: '2026-01-02T00:00:00Z' },
      txs: [
        { purpose: 'deposit', txId: '0x01' },
        { purpose: 'fill', txId: '0x02' },
      ],
    })
    const { body } = await ask({ depositAddress: address })
    const [first] = listAt(body, 'requests')
    expect(first).toMatchObject({
      id: newest,
      status: 'success',
      data: { failReason: null, inTxs: [{ txHash: '0x01' }], outTxs: [{ txHash: '0x02' }] },
    })
  })

  it('unknown parameters are ignored; one given twice is 400', async () => {
    expect(await found({ id: real.requestId, somethingElse: 'x' })).toEqual([real.requestId])
    const twice = await callApi(world.host.url, '/requests/v3?user=a&user=b', { apiKey: world.host.apiKey })
    expect(twice.status).toBe(400)
  })
})

describe('POST /requests/metadata (wire.md 2.10, K.3 7)', () => {
  const send = (body: unknown, apiKey?: string) =>
    callApi(world.host.url, '/requests/metadata', { body, ...(apiKey === undefined ? {} : { apiKey }) })
  const stored = async (id: string) => valueAt((await ask({ id })).body, 'requests.0.data.externalMetadata')
  const given = (requestId: string, moonpayId: unknown = 'mp-1') => ({ requestId, additionalMetadata: { moonpayId } })

  it('sets the partner identifier, also before the request is paid', async () => {
    const answer = await send(given(real.requestId), world.host.apiKey)
    expect([answer.status, namesAt(answer.body)]).toEqual([200, ['message']])
    expect(await stored(real.requestId)).toEqual({ moonpayId: 'mp-1' })
    await send(given(real.requestId.toUpperCase().replace('0X', '0x'), 'mp-2'), world.host.apiKey)
    expect(await stored(real.requestId)).toEqual({ moonpayId: 'mp-2' })
    const quoted = await postQuote(world, nativeBody(world), '/quote', world.host.apiKey)
    const id = textAt(quoted.body, 'requestId')
    expect(await stored(id)).toEqual({ moonpayId: null })
    expect((await send(given(id, "o'x %"), world.host.apiKey)).status).toBe(200)
    expect(await stored(id)).toEqual({ moonpayId: "o'x %" })
  })

  it('without a key, of a request made without one: once, in the capitalization of the client', async () => {
    const id = textAt((await postQuote(world, nativeBody(world))).body, 'requestId')
    const answer = await send({ requestId: id, additionalMetadata: { moonPayId: 'mp-3' } })
    expect([answer.status, await stored(id)]).toEqual([200, { moonpayId: 'mp-3' }])
    expect((await send(given(id, 'mp-3'))).status).toBe(200)
    expect((await send(given(id, 'mp-4'))).status).toBe(403)
    expect((await send(given(id, 'mp-4'), other.apiKey)).status).toBe(403)
    expect(await stored(id)).toEqual({ moonpayId: 'mp-3' })
  })

  it('only the integrator whose request it is: 401, 403, 404; malformed 400', async () => {
    expect((await send(given(real.requestId), `${world.host.apiKey}0`)).status).toBe(401)
    expect((await send(given(real.requestId))).status).toBe(403)
    expect((await send(given(real.requestId), other.apiKey)).status).toBe(403)
    expect((await send(given(`0x${'ef'.repeat(32)}`), world.host.apiKey)).status).toBe(404)
    for (const body of [
      {},
      given('x'),
      given(real.requestId, ''),
      given(real.requestId, 5),
      given(real.requestId, 'x'.repeat(300)),
      { requestId: real.requestId, additionalMetadata: { other: 'x' } },
      { requestId: real.requestId, additionalMetadata: { moonpayId: 'x', other: 'x' } },
    ]) {
      expect((await send(body, world.host.apiKey)).status).toBe(400)
    }
  })
})
