import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { NATIVE } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { askHistory, type HistoryQuery, type HistoryWorld, idsOf, startHistoryWorld } from './historyWorld.js'
import { leakIn, nativeBody, postQuote } from './httpWorld.js'
import { PRIVATE_CHAIN, PRIVATE_ID } from './privateChain.js'
import { namesAt } from './quoteAmounts.js'
import { addRequest, chargePlatformFee, type RequestRow } from './requestRows.js'

/*
 * Retirement, deprecation headers of every status and the removed signature operations: plugins/requests-v2, with a pinned
 * clock. The monthly cut: plugins/rate-limits. Here it is as if both were far away.
 */
const FAR = '2999-01-01'
const MANY = { points: 1_000_000, seconds: 60 }

let world: HistoryWorld
let real: HistoryWorld['real']
let other: HistoryWorld['other']
let limited: { readonly id: string; readonly apiKey: string }
let ownKeyId: string

beforeAll(async () => {
  world = await startHistoryWorld(() => ({
    'requests-v2': { sunsetAt: FAR },
    'rate-limits': {
      storeTimeoutMs: 10_000,
      requestsV2Cut: { from: FAR },
      buckets: { requests: { anonymous: MANY, key: { points: 20, seconds: 86_400 } } },
    },
  }))
  ;({ real, other, ownKeyId } = world)
  limited = await world.host.createApiKey('limited')
})
afterAll(() => world?.close())

const ask = (query: HistoryQuery = {}, apiKey?: string, path = '/requests/v2') => askHistory(world, path, query, apiKey)
const asOwner = (query: HistoryQuery) => ask(query, world.host.apiKey)
const found = async (query: HistoryQuery): Promise<readonly string[]> => idsOf(await ask(query))
const first = async (query: HistoryQuery, apiKey?: string): Promise<unknown> =>
  valueAt((await ask(query, apiKey)).body, 'requests.0')
const add = (row: RequestRow = {}): Promise<Hex> => addRequest(world.database.pool, real.requestId, row)
/** A word no other test has, to tell its own requests from those of others. */
const unique = (): Hex => `0x${randomBytes(20).toString('hex')}`
const refused = async (query: HistoryQuery, status = 400, apiKey?: string): Promise<void> => {
  const answer = await ask(query, apiKey)
  const shown = JSON.stringify(query).slice(0, 200)
  expect([shown, answer.status, namesAt(answer.body)]).toEqual([shown, status, ['message']])
  expect(leakIn(world, answer.text)).toBeNull()
  for (const name of ['deprecation', 'sunset', 'link']) expect(answer.headers.has(name)).toBe(true)
}

const ROOT = [
  ...['createdAt', 'data', 'depositAddress', 'id', 'moonpayId', 'protocol', 'recipient', 'status', 'updatedAt', 'user'],
]
const DATA = [
  ...['appFeeCurrencyObject', 'appFees', 'currency', 'currencyObject', 'expandedPriceImpact', 'failReason'],
  ...['failedCallData', 'failedTxBlockNumber', 'failedTxHash', 'feeCurrency', 'feeCurrencyObject', 'feeSponsorship'],
  ...['fees', 'feesUsd', 'inTxs', 'metadata', 'outTxs', 'paidAppFees', 'price', 'refundCurrencyData'],
  ...[
    'refundFailReason',
    'subsidizedFee',
    'subsidizedRequest',
    'supersededByRequestId',
    'timeEstimate',
    'usesExternalLiquidity',
  ],
]

describe('Request record of v2 (wire.md 3.2)', () => {
  it('the root has requests, deprecation and, before the last page, continuation', async () => {
    const answer = await ask({ id: real.requestId })
    expect(namesAt(answer.body)).toEqual(['deprecation', 'requests'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const user = unique()
    for (let n = 0; n < 2; n++) await add({ columns: { user_address: user } })
    expect(namesAt((await ask({ user, limit: 1 })).body)).toEqual(['continuation', 'deprecation', 'requests'])
  })

  it('root and data have exactly their fields', async () => {
    const record = await first({ id: real.requestId })
    expect(namesAt(record)).toEqual(ROOT)
    expect(namesAt(valueAt(record, 'data'))).toEqual([...DATA].sort())
    for (const side of ['fees', 'feesUsd']) {
      expect(namesAt(valueAt(record, `data.${side}`))).toEqual(['fixed', 'gas', 'gateway', 'price'])
    }
    expect(namesAt(valueAt(record, 'data.metadata'))).toEqual(
      ['currencyIn', 'currencyOut', 'quoteOraclePrice', 'rate', 'recipient', 'route', 'sender'].sort(),
    )
    for (const phase of ['quoted', 'actual']) {
      expect(namesAt(valueAt(record, `data.expandedPriceImpact.${phase}`))).toEqual(
        ['app', 'execution', 'relay', 'sponsored', 'swap'].sort(),
      )
    }
    for (const list of ['inTxs', 'outTxs']) {
      expect(namesAt(valueAt(record, `data.${list}.0`))).toEqual(
        ['block', 'chainId', 'data', 'fee', 'hash', 'stateChanges', 'status', 'timestamp', 'type'].sort(),
      )
    }
  })

  it('failReason and refundFailReason are N/A when there is none, else the reason', async () => {
    expect(await first({ id: real.requestId })).toMatchObject({ data: { failReason: 'N/A', refundFailReason: 'N/A' } })
    const columns = { fail_reason: 'SLIPPAGE', refund_fail_reason: 'MANUAL_REFUND_REQUIRED' }
    const id = await add({ status: 'failure', columns })
    expect(await first({ id })).toMatchObject({
      status: 'failure',
      data: { failReason: 'SLIPPAGE', refundFailReason: 'MANUAL_REFUND_REQUIRED' },
    })
  })

  it('depositAddress is text or null (wire.md K.3 6)', async () => {
    const address = unique()
    const id = await add({ columns: { deposit_address: address } })
    expect(await first({ id })).toMatchObject({ depositAddress: address })
    expect(await first({ id: real.requestId })).toMatchObject({ depositAddress: null })
  })

  it('status never says depositing, submitted or delayed, but pending (wire.md K.3 6, B.1)', async () => {
    for (const [status, shown] of [
      ['waiting', 'waiting'],
      ['depositing', 'pending'],
      ['pending', 'pending'],
      ['submitted', 'pending'],
      ['success', 'success'],
      ['failure', 'failure'],
      ['refund', 'refund'],
    ] as const) {
      const id = await add({ status })
      expect([status, valueAt(await first({ id }), 'status')]).toEqual([status, shown])
    }
  })

  it('the partner identifier is at the root (wire.md K.3 7)', async () => {
    expect(await first({ id: real.requestId })).toMatchObject({ moonpayId: null })
    const body = { requestId: real.requestId, additionalMetadata: { moonpayId: 'mp-1' } }
    await callApi(world.host.url, '/requests/metadata', { body, apiKey: world.host.apiKey })
    expect(await first({ id: real.requestId })).toMatchObject({ moonpayId: 'mp-1' })
  })

  it('metadata.quoteOraclePrice and currencyGasTopup, where the quote has them', async () => {
    const id = await add()
    await world.database.pool.query(
      `update request_facts set quoted = (jsonb_set(quoted::jsonb, '{details,currencyGasTopup}', quoted::jsonb#>'{details,currencyOut}')
         || jsonb_build_object('quoteOraclePrice', jsonb_build_object('rate', '0.99', 'observedAt', '2026-01-01T00:00:00.000Z',
           'inputCurrency', quoted::jsonb#>'{details,currencyIn}', 'outputCurrency', quoted::jsonb#>'{details,currencyOut}')))::text
       where request_id = $1`,
      [Buffer.from(id.slice(2), 'hex')],
    )
    const { currencyIn, currencyOut } = real.details
    const [from, to] = world.network.chains.map(({ chain: { chainId } }) => ({
      chainId,
      address: NATIVE,
      currencyId: 'eth',
      decimals: 18,
    }))
    expect(valueAt(await first({ id }), 'data.metadata')).toMatchObject({
      currencyGasTopup: { amount: currencyOut.amount },
      quoteOraclePrice: {
        rate: '0.99',
        observedAt: '2026-01-01T00:00:00.000Z',
        inputAmount: currencyIn.amount,
        outputAmount: currencyOut.amount,
        from,
        to,
      },
    })
  })

  it('a quote that nobody paid is found by id and order id, and shows what it promises', async () => {
    const recipient = freshAddress()
    const { body } = await postQuote(world, nativeBody(world, { recipient }), '/quote', world.host.apiKey)
    const id = textAt(body, 'requestId')
    expect(await found({ orderId: textAt(body, 'protocol.v2.orderId') })).toEqual([id])
    expect(await first({ id })).toMatchObject({
      status: 'waiting',
      data: { price: textAt(body, 'details.currencyOut.amount'), inTxs: [], outTxs: [], paidAppFees: [] },
    })
  })
})

describe('GET /requests/v2, parameter by parameter (wire.md 3.2)', () => {
  it('limit: default 20, 1 to 50, else 400', async () => {
    const user = unique()
    for (let n = 0; n < 21; n++) await add({ columns: { user_address: user } })
    expect(await found({ user })).toHaveLength(20)
    expect(await found({ user, limit: 50 })).toHaveLength(21)
    expect(await found({ user, limit: 1 })).toHaveLength(1)
    for (const limit of ['0', '51', '-1', '1.5', '1e1', 'x', '']) await refused({ limit })
  })

  it('continuation goes through everything once; it belongs to its parameters, operation and caller', async () => {
    const user = unique()
    const made: string[] = []
    for (let n = 0; n < 5; n++) made.push(await add({ columns: { user_address: user } }))
    const seen: string[] = []
    let continuation: unknown = ''
    while (continuation !== undefined) {
      const answer = await ask({
        user,
        limit: 2,
        ...(continuation === '' ? {} : { continuation: String(continuation) }),
      })
      seen.push(...idsOf(answer))
      continuation = valueAt(answer.body, 'continuation')
    }
    expect([...seen].sort()).toEqual([...made].sort())
    const cursor = textAt((await ask({ user, limit: 1 })).body, 'continuation')
    await refused({ user: unique(), continuation: cursor })
    await refused({ user, continuation: `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}` })
    await refused({ user, continuation: cursor }, 400, other.apiKey)
    expect((await ask({ user, continuation: cursor }, undefined, '/requests')).status).toBe(400)
  })

  it('user is the sender or recipient', async () => {
    const [user, recipient] = [unique(), unique()]
    const id = await add({ columns: { user_address: user, recipient } })
    for (const name of [user, recipient, `0x${user.slice(2).toUpperCase()}`]) {
      expect(await found({ user: name })).toEqual([id])
    }
  })

  it('hash is any origin or destination transaction', async () => {
    const [deposit, fill] = [unique(), unique()]
    const id = await add({
      txs: [
        { purpose: 'deposit', txId: deposit },
        { purpose: 'fill', txId: fill },
      ],
    })
    for (const hash of [deposit, fill]) expect(await found({ hash })).toEqual([id])
    expect(await found({ hash: unique() })).toEqual([])
  })

  it('originChainId and destinationChainId; chainId is either and is overridden by them', async () => {
    const user = unique()
    const id = await add({ columns: { user_address: user } })
    const [from = 0, to = 0] = world.network.chains.map(({ chain }) => chain.chainId)
    expect(await found({ user, originChainId: from, destinationChainId: to })).toEqual([id])
    expect(await found({ user, originChainId: to })).toEqual([])
    for (const chainId of [from, to]) expect(await found({ user, chainId })).toEqual([id])
    expect(await found({ user, chainId: 424_242 })).toEqual([])
    expect(await found({ user, chainId: 424_242, originChainId: from })).toEqual([id])
    for (const bad of ['x', '1e3', '-1', '0']) await refused({ chainId: bad })
  })

  it('privateChainsToInclude: requests of private chains appear only to who passes the UUID (K.3 8)', async () => {
    const user = unique()
    const id = await add({ columns: { user_address: user, destination_chain_id: PRIVATE_CHAIN } })
    for (const query of [{ user }, { id }]) {
      expect(await found(query)).toEqual([])
      expect(await found({ ...query, privateChainsToInclude: PRIVATE_ID })).toEqual([id])
    }
    await refused({ privateChainsToInclude: 'x' })
  })

  it('id and orderId', async () => {
    expect(await found({ id: real.requestId })).toEqual([real.requestId])
    expect(await found({ orderId: real.protocol.v2.orderId })).toEqual([real.requestId])
    for (const name of ['id', 'orderId']) expect(await found({ [name]: 'nonsense' })).toEqual([])
  })

  it('includeOrderData adds the order; who does not own a pending request is not told its output', async () => {
    expect(await first({ id: real.requestId })).not.toHaveProperty('orderData')
    const whole = await first({ id: real.requestId, includeOrderData: true })
    expect(namesAt(valueAt(whole, 'orderData'))).toEqual(
      ['fees', 'inputs', 'output', 'salt', 'solver', 'solverChainId', 'version'].sort(),
    )
    const { body } = await postQuote(world, nativeBody(world), '/quote', world.host.apiKey)
    const query = { id: textAt(body, 'requestId'), includeOrderData: true }
    for (const apiKey of [undefined, other.apiKey]) {
      const orderData = valueAt(await first(query, apiKey), 'orderData')
      expect(orderData).toHaveProperty('inputs')
      expect(orderData).not.toHaveProperty('output')
    }
    expect(valueAt(await first(query, world.host.apiKey), 'orderData')).toHaveProperty('output')
    const orderless = await add({ columns: { order_id: null } })
    expect(await first({ id: orderless, includeOrderData: true })).toMatchObject({ orderData: null, protocol: null })
  })

  it('startTimestamp and endTimestamp are inclusive seconds; of updatedAt when sorted by it', async () => {
    const user = unique()
    const columns = { user_address: user, created_at: '2026-01-02T00:00:00.5Z', updated_at: '2026-01-03T00:00:00.5Z' }
    const id = await add({ columns })
    const [created = 0, updated = 0] = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'].map(
      (at) => Date.parse(at) / 1000,
    )
    const at = (seconds: number, more = {}) => found({ user, startTimestamp: seconds, endTimestamp: seconds, ...more })
    expect(await at(created)).toEqual([id])
    expect(await at(updated)).toEqual([])
    expect(await at(updated, { sortBy: 'updatedAt' })).toEqual([id])
    await refused({ startTimestamp: 2, endTimestamp: 1 })
    await refused({ startTimestamp: '1e3' })
  })

  it('startBlock and endBlock are blocks of the origin, inclusive', async () => {
    const user = unique()
    const id = await add({
      columns: { user_address: user },
      txs: [
        { purpose: 'deposit', txId: unique(), height: 700 },
        { purpose: 'fill', txId: unique(), height: 900 },
      ],
    })
    expect(await found({ user, startBlock: 700, endBlock: 700 })).toEqual([id])
    expect(await found({ user, startBlock: 701 })).toEqual([])
    await refused({ startBlock: 2, endBlock: 1 })
  })

  it('apiKey: own keys by key or id; of somebody else, or without a key, 403 (K.3 3)', async () => {
    const user = unique()
    const id = await add({ columns: { user_address: user } })
    for (const apiKey of [ownKeyId, world.host.apiKey]) expect(idsOf(await asOwner({ user, apiKey }))).toEqual([id])
    await refused({ apiKey: other.id }, 403, world.host.apiKey)
    await refused({ apiKey: ownKeyId }, 403)
    await refused({ apiKey: 'unknown' }, 403, world.host.apiKey)
  })

  it('referrer: exact, only with an own apiKey: 400, 403; empty 400 (K.3 6)', async () => {
    const user = unique()
    const id = await add({ columns: { user_address: user } })
    const own = (referrer: string) => asOwner({ user, referrer, apiKey: ownKeyId })
    expect(idsOf(await own('Shop %_'))).toEqual([id])
    for (const referrer of ['shop %_', 'Shop', 'Shop %%']) expect(idsOf(await own(referrer))).toEqual([])
    await refused({ referrer: 'Shop %_' }, 400, world.host.apiKey)
    await refused({ referrer: 'Shop %_' })
    await refused({ referrer: 'Shop %_', apiKey: other.id }, 403, world.host.apiKey)
    await refused({ referrer: 'Shop %_', apiKey: ownKeyId }, 403)
    await refused({ referrer: '', apiKey: ownKeyId }, 400, world.host.apiKey)
  })

  it('includeAuthenticatedData: referrer and platformFee to the owner alone; null when owned but empty (K.3 1, 6)', async () => {
    const query = { id: real.requestId, includeAuthenticatedData: true }
    const own = await first(query, world.host.apiKey)
    expect(own).toMatchObject({ referrer: 'Shop %_', data: { platformFee: null } })
    for (const [asked, apiKey] of [
      [query, undefined],
      [query, other.apiKey],
      [{ id: real.requestId }, world.host.apiKey],
    ] as const) {
      expect(namesAt(await first(asked, apiKey))).toEqual(ROOT)
    }
    const id = await add({ columns: { referrer: null } })
    expect(await first({ ...query, id }, world.host.apiKey)).toMatchObject({ referrer: null })
    await chargePlatformFee(world.database.pool, id, 30)
    const bps = async (apiKey: string) => valueAt(await first({ ...query, id }, apiKey), 'data.platformFee.totalFeeBps')
    expect([await bps(world.host.apiKey), await bps(other.apiKey)]).toEqual([30, undefined])
  })

  it('depositAddress, with includeChildRequests also duplicates, retries and refunds; so with id', async () => {
    const address = unique()
    const parent = await add({ columns: { deposit_address: address } })
    const columns = { refund_reason: 'DOUBLE_SPEND', deposit_address: address }
    const child = await add({ status: 'refund', parent, columns })
    expect(await found({ depositAddress: address })).toEqual([parent])
    expect(await found({ id: parent })).toEqual([parent])
    for (const query of [{ depositAddress: address }, { id: parent }]) {
      expect([...(await found({ ...query, includeChildRequests: true }))].sort()).toEqual([parent, child].sort())
    }
  })

  it('status: pending finds what shows as pending, depositing only those; other words are 400 (K.3 6)', async () => {
    const user = unique()
    const ids: Record<string, string> = {}
    for (const status of ['waiting', 'depositing', 'pending', 'submitted', 'success', 'failure', 'refund']) {
      ids[status] = await add({ status, columns: { user_address: user } })
    }
    const of = async (status: string) => [...(await found({ user, status }))].sort()
    expect(await of('pending')).toEqual([ids.depositing, ids.pending, ids.submitted].sort())
    for (const status of ['depositing', 'success', 'failure', 'refund']) expect(await of(status)).toEqual([ids[status]])
    for (const status of ['waiting', 'submitted', 'delayed', 'SUCCESS', '']) await refused({ status })
  })

  it('sortBy createdAt or updatedAt, sortDirection asc or desc; newest first by default', async () => {
    const user = unique()
    const [a, b] = [
      await add({
        columns: { user_address: user, created_at: '2026-02-01T00:00:00Z', updated_at: '2026-03-02T00:00:00Z' },
      }),
      await add({
        columns: { user_address: user, created_at: '2026-02-02T00:00:00Z', updated_at: '2026-03-01T00:00:00Z' },
      }),
    ]
    expect(await found({ user })).toEqual([b, a])
    expect(await found({ user, sortDirection: 'asc' })).toEqual([a, b])
    expect(await found({ user, sortBy: 'updatedAt' })).toEqual([a, b])
    await refused({ sortBy: 'amountUsd' })
    await refused({ sortDirection: 'up' })
  })

  it('hostile text is text like any other; a null byte and a parameter given twice are 400; others are ignored', async () => {
    for (const name of ['id', 'orderId', 'user', 'hash', 'depositAddress']) {
      const hostile = ["' or 1=1 --", '\\', '%', '_', '😀', '\u202e', '$1', 'x'.repeat(256)]
      const answers = await Promise.all(hostile.map((value) => found({ [name]: value })))
      expect([name, answers.flat()]).toEqual([name, []])
      await refused({ [name]: 'a\u0000b' })
    }
    expect((await callApi(world.host.url, '/requests/v2?user=a&user=b')).status).toBe(400)
    expect(await found({ id: real.requestId, term: 'x', filters: '{' })).toEqual([real.requestId])
  })

  it('a wrong key is 401, with the headers', async () => {
    await refused({}, 401, `cct_test_${'x'.repeat(43)}`)
  })
})

describe('GET /requests (wire.md 3.4)', () => {
  const legacy = (query: HistoryQuery) => ask(query, undefined, '/requests')

  it('answers {requests, continuation} with exactly the legacy record, and no deprecation', async () => {
    const answer = await legacy({ id: real.requestId })
    expect(namesAt(answer.body)).toEqual(['requests'])
    const record = valueAt(answer.body, 'requests.0')
    expect(namesAt(record)).toEqual(['createdAt', 'data', 'id', 'recipient', 'status', 'updatedAt', 'user'])
    expect(namesAt(valueAt(record, 'data'))).toEqual(
      [
        ...['appFees', 'currency', 'feeCurrency', 'fees', 'feesUsd', 'inTxs', 'metadata', 'outTxs', 'price'],
        ...['timeEstimate', 'usesExternalLiquidity'],
      ].sort(),
    )
    expect(namesAt(valueAt(record, 'data.inTxs.0'))).toEqual(
      ['chainId', 'data', 'fee', 'hash', 'stateChanges', 'timestamp', 'type'].sort(),
    )
    expect(namesAt(valueAt(record, 'data.fees'))).toEqual(['fixed', 'gas', 'price'])
    expect(namesAt(valueAt(record, 'data.metadata'))).toEqual(
      ['currencyIn', 'currencyOut', 'rate', 'recipient', 'sender'].sort(),
    )
    expect(answer.headers.has('sunset')).toBe(false)
  })

  it('says received, depositing, pending, success, failure and fallback (wire.md B.1)', async () => {
    for (const [status, shown] of [
      ['waiting', 'received'],
      ['depositing', 'depositing'],
      ['submitted', 'pending'],
      ['failure', 'failure'],
      ['refund', 'fallback'],
    ] as const) {
      const { body } = await legacy({ id: await add({ status }) })
      expect(valueAt(body, 'requests.0.status')).toBe(shown)
    }
  })

  it('has its parameters: limit, continuation, user, hash, chains, private chains, id and times', async () => {
    const [user, hash] = [unique(), unique()]
    const columns = { user_address: user, created_at: '2026-01-02T00:00:00Z' }
    const id = await add({ columns, txs: [{ purpose: 'deposit', txId: hash }] })
    const [from = 0, to = 0] = world.network.chains.map(({ chain }) => chain.chainId)
    const at = Date.parse(columns.created_at) / 1000
    for (const more of [
      { hash },
      { originChainId: from, destinationChainId: to },
      { startTimestamp: at, endTimestamp: at },
    ]) {
      expect(idsOf(await legacy({ user, ...more }))).toEqual([id])
    }
    for (const more of [{ hash: unique() }, { originChainId: to }, { startTimestamp: at + 1 }]) {
      expect(idsOf(await legacy({ user, ...more }))).toEqual([])
    }
    const second = await add({ columns: { ...columns, created_at: '2026-01-03T00:00:00Z' } })
    const page = await legacy({ user, limit: 1 })
    expect(idsOf(page)).toEqual([second])
    expect(idsOf(await legacy({ user, continuation: textAt(page.body, 'continuation') }))).toEqual([id])
    for (const limit of [0, 51]) expect((await legacy({ limit })).status).toBe(400)
    const hidden = await add({ columns: { origin_chain_id: PRIVATE_CHAIN } })
    expect(idsOf(await legacy({ id: hidden }))).toEqual([])
    expect(idsOf(await legacy({ id: hidden, privateChainsToInclude: PRIVATE_ID }))).toEqual([hidden])
  })
})

describe('one bucket of GET /requests and GET /requests/v2 (wire.md H.1)', () => {
  it('what one uses the other lacks; v2 refuses in a body of its own, without Retry-After', async () => {
    const call = (path: string) => ask({ limit: 1, id: real.requestId }, limited.apiKey, path)
    const spent = await Promise.all(Array.from({ length: 10 }, () => call('/requests')))
    expect(spent.filter(({ status }) => status === 200)).toHaveLength(10)
    const rest = await Promise.all(Array.from({ length: 11 }, () => call('/requests/v2')))
    const refusals = rest.filter(({ status }) => status === 429)
    expect(refusals).toHaveLength(1)
    for (const { body, headers } of refusals) {
      expect(namesAt(body)).toEqual(['message', 'migrationGuide', 'successor'])
      expect(['deprecation', 'sunset', 'link', 'retry-after'].map((name) => headers.has(name))).toEqual([
        true,
        true,
        true,
        false,
      ])
    }
    const plain = await call('/requests')
    expect([plain.status, plain.headers.has('retry-after'), namesAt(plain.body)]).toEqual([429, true, ['message']])
  })
})
