import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { askHistory, type HistoryQuery, type HistoryWorld, idsOf, startHistoryWorld } from './historyWorld.js'
import { leakIn, nativeBody, postQuote } from './httpWorld.js'
import { PRIVATE_CHAIN, PRIVATE_ID } from './privateChain.js'
import { namesAt } from './quoteAmounts.js'
import { addRequest, chargePlatformFee, type RequestRow } from './requestRows.js'

let world: HistoryWorld
let real: HistoryWorld['real']
let other: HistoryWorld['other']
let ownKeyId: string

beforeAll(async () => {
  world = await startHistoryWorld()
  ;({ real, other, ownKeyId } = world)
})
afterAll(() => world?.close())

const ask = (query: HistoryQuery = {}, apiKey = world.host.apiKey) => askHistory(world, '/requests/v3', query, apiKey)
const found = async (query: HistoryQuery): Promise<readonly string[]> => idsOf(await ask(query))
const add = (row: RequestRow = {}): Promise<Hex> => addRequest(world.database.pool, real.requestId, row)
/** A word no other test has, to tell its own requests from those of others. */
const unique = (): Hex => `0x${randomBytes(20).toString('hex')}`

const refused = async (query: HistoryQuery, status = 400): Promise<string> => {
  const answer = await ask(query)
  const shown = JSON.stringify(query).slice(0, 200)
  expect([shown, answer.status, namesAt(answer.body)]).toEqual([shown, status, ['message']])
  expect(leakIn(world, answer.text)).toBeNull()
  return textAt(answer.body, 'message')
}

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

describe('the record (specification, Request record)', () => {
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

  it('is stored once nothing changes any more, and read from there', async () => {
    const id = await add()
    const bytes = Buffer.from(id.slice(2), 'hex')
    const text = await until('the stored record', async () => {
      const { rows } = await world.database.pool.query<{ text: string }>(
        `select text from record_texts where request_id = $1
         and not exists (select from request_touches t where t.request_id = $1)`,
        [bytes],
      )
      return rows[0]?.text ?? null
    })
    expect(JSON.parse(text)).toEqual(valueAt((await ask({ id })).body, 'requests.0'))
    await world.database.pool.query('update record_texts set text = replace(text, $2, $3) where request_id = $1', [
      bytes,
      '"user":"',
      '"user":"stored',
    ])
    expect(textAt((await ask({ id })).body, 'requests.0.user')).toMatch(/^stored/)
  })
})

describe('Search', () => {
  it('term: request id, wallet, deposit address and every transaction hash', async () => {
    const [wallet, address, deposit, fill, failed] = [unique(), unique(), unique(), unique(), unique()]
    const id = await add({
      columns: { user_address: wallet, deposit_address: address },
      txs: [
        { purpose: 'deposit', txId: deposit },
        { purpose: 'fill', txId: fill },
        { purpose: 'sweep', txId: failed },
      ],
    })
    for (const term of [id, wallet, address, deposit, fill, failed, wallet.toUpperCase().replace('0X', '0x')]) {
      expect([term, await found({ term })]).toEqual([term, [id]])
    }
    expect(await found({ term: unique() })).toEqual([])
  })

  it('id, orderId, depositTxHash, fillTxHash, refundTxHash: exact, each of its own kind', async () => {
    const [deposit, fill, refund] = [unique(), unique(), unique()]
    const id = await add({
      txs: [
        { purpose: 'deposit', txId: deposit },
        { purpose: 'fill', txId: fill },
        { purpose: 'refund', txId: refund },
      ],
    })
    for (const query of [{ id }, { depositTxHash: deposit }, { fillTxHash: fill }, { refundTxHash: refund }]) {
      expect(await found(query)).toEqual([id])
    }
    expect(await found({ fillTxHash: deposit })).toEqual([])
    expect(await found({ id: 'nonsense' })).toEqual([])
    expect(await found({ orderId: real.protocol.v2.orderId })).toEqual([real.requestId])
  })

  it('hash no longer exists: 400 that points to term (rule 7, wire.md H.3)', async () => {
    expect(await refused({ hash: unique() })).toContain('term')
  })
})

describe('Chain', () => {
  it('originChainId, destinationChainId and chainId, which they override', async () => {
    const user = unique()
    const id = await add({ columns: { user_address: user } })
    const [from, to] = world.network.chains.map(({ chain }) => chain.chainId)
    const of = (query: Readonly<Record<string, unknown>>) => found({ user, ...query } as Record<string, string>)
    expect(await of({ originChainId: from, destinationChainId: to })).toEqual([id])
    expect(await of({ originChainId: to })).toEqual([])
    for (const chainId of [from, to]) expect(await of({ chainId })).toEqual([id])
    expect(await of({ chainId: 5 })).toEqual([])
    expect(await of({ chainId: 5, originChainId: from })).toEqual([id])
    expect(await of({ currencyInChainId: from, currencyOutChainId: to })).toEqual([id])
    expect(await of({ currencyInChainId: to })).toEqual([])
  })

  it('privateChainsToInclude: hidden without its UUID; malformed 400, unknown ignored (wire.md K.3 8)', async () => {
    const user = unique()
    const id = await add({ columns: { user_address: user, destination_chain_id: PRIVATE_CHAIN } })
    expect(await found({ user })).toEqual([])
    expect((await ask({ user, includeTotal: true })).body).toMatchObject({ requests: [], total: 0 })
    expect(await found({ user, privateChainsToInclude: PRIVATE_ID.toUpperCase() })).toEqual([id])
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect(await found({ user, privateChainsToInclude: unknown })).toEqual([])
    expect(await found({ user, privateChainsToInclude: `${unknown},${PRIVATE_ID}` })).toEqual([id])
    for (const bad of ['x', `${PRIVATE_ID},`, '1,2']) await refused({ user, privateChainsToInclude: bad })
  })
})

describe('Address', () => {
  it('user is the sender or the depositor of a deposit address; EVM compares without case (wire.md 0.1)', async () => {
    const [sender, depositor, recipient, address] = [unique(), unique(), unique(), unique()]
    const id = await add({
      columns: { user_address: sender, depositor, recipient, deposit_address: address },
    })
    for (const user of [sender, depositor, `0x${sender.slice(2).toUpperCase()}`])
      expect(await found({ user })).toEqual([id])
    expect(await found({ user: recipient })).toEqual([])
    expect(await found({ recipient })).toEqual([id])
    expect(await found({ depositAddress: address })).toEqual([id])
  })

  it('what other chains write compares exactly', async () => {
    const user = `T${randomBytes(12).toString('base64url')}aB`
    const id = await add({ columns: { user_address: user } })
    expect(await found({ user })).toEqual([id])
    expect(await found({ user: user.toLowerCase() })).toEqual([])
  })
})

describe('Status and routing', () => {
  it('status takes the five values; any other is 400 (wire.md K.3 3)', async () => {
    const user = unique()
    const statuses = ['success', 'failure', 'refund', 'pending', 'depositing']
    for (const status of statuses) await add({ status, columns: { user_address: user } })
    for (const status of statuses) {
      const { body } = await ask({ user, status })
      expect(listAt(body, 'requests').map((record) => valueAt(record, 'status'))).toEqual([status])
    }
    for (const status of ['waiting', 'submitted', 'delayed', 'Success', '']) await refused({ user, status })
  })

  it('failReason, refundFailReason, requestType without case, features with at least one', async () => {
    const user = unique()
    const id = await add({
      status: 'failure',
      columns: {
        user_address: user,
        fail_reason: 'SLIPPAGE',
        refund_fail_reason: 'MANUAL_REFUND_REQUIRED',
        request_type: 'Crosschain Swap',
        features: ['app_fees', 'gas_top_up'],
      },
    })
    for (const query of [
      { failReason: 'SLIPPAGE' },
      { refundFailReason: 'MANUAL_REFUND_REQUIRED' },
      { requestType: 'crossCHAIN swap' },
      { features: 'fast_fill,gas_top_up' },
    ]) {
      expect(await found({ user, ...query })).toEqual([id])
    }
    expect(await found({ user, requestType: 'Bridge' })).toEqual([])
    expect(await found({ user, features: 'fast_fill' })).toEqual([])
    await refused({ requestType: 'Teleport' })
    await refused({ features: 'a,,b' })
    const { body } = await ask({ id })
    expect(valueAt(body, 'requests.0.data')).toMatchObject({ failReason: 'SLIPPAGE' })
  })

  it("apiKey takes a key or its id; one that is not the caller's is 403 also without referrer (wire.md K.3 3)", async () => {
    for (const apiKey of [world.host.apiKey, ownKeyId, `${ownKeyId},${world.host.apiKey}`]) {
      expect(await found({ apiKey, id: real.requestId })).toEqual([real.requestId])
    }
    for (const apiKey of [other.id, other.apiKey, 'unknown', `${ownKeyId},${other.id}`]) {
      await refused({ apiKey, id: real.requestId }, 403)
    }
    await refused({ apiKey: `${ownKeyId},` })
  })

  it('referrer matches exactly and only together with apiKey: 400 without, 403 for keys of others, empty 400 (rule 3)', async () => {
    expect(await found({ referrer: 'Shop %_', apiKey: ownKeyId, id: real.requestId })).toEqual([real.requestId])
    expect(await found({ referrer: 'shop %_', apiKey: ownKeyId, id: real.requestId })).toEqual([])
    const group = (key: string) => JSON.stringify([{ [key]: 'Shop %_', id: real.requestId }])
    expect(await found({ apiKey: ownKeyId, filters: group('referrer') })).toEqual([real.requestId])
    expect(await found({ apiKey: ownKeyId, filters: group('not:referrer') })).toEqual([])
    await refused({ referrer: 'Shop %_' })
    await refused({ referrer: '', apiKey: ownKeyId })
    for (const key of ['referrer', 'not:referrer']) {
      await refused({ filters: group(key) })
      await refused({ filters: JSON.stringify([{ [key]: '' }]), apiKey: ownKeyId })
      await refused({ filters: group(key), apiKey: other.id }, 403)
    }
    await refused({ referrer: 'Shop %_', apiKey: other.id }, 403)
  })
})

describe('Currency', () => {
  it('address without case, symbol without case and across chains', async () => {
    const [usdc, eth] = [unique(), unique()]
    const user = unique()
    const id = await add({
      columns: { user_address: user, currency_in: usdc, currency_out: eth, symbol_in: 'usdc', symbol_out: 'eth' },
    })
    const upper = `0x${usdc.slice(2).toUpperCase()}`
    for (const query of [
      { currencyInAddress: usdc },
      { currencyInAddress: upper },
      { currencyOutAddress: eth },
      { currencyInSymbol: 'UsDc' },
      { currencyOutSymbol: 'ETH' },
    ]) {
      expect(await found({ user, ...query })).toEqual([id])
    }
    expect(await found({ user, currencyInSymbol: 'eth' })).toEqual([])
  })
})

describe('Ranges', () => {
  it('times are inclusive seconds on createdAt, on updatedAt when sorted by it (wire.md 3.1)', async () => {
    const user = unique()
    const columns = { user_address: user, created_at: '2026-01-02T00:00:00.5Z', updated_at: '2026-01-03T00:00:00.5Z' }
    const id = await add({ columns })
    const [created, updated] = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'].map((at) => Date.parse(at) / 1000)
    const between = (from: number, to: number, more = {}) =>
      found({ user, startTimestamp: from, endTimestamp: to, ...more })
    expect(await between(created ?? 0, created ?? 0)).toEqual([id])
    expect(await between(updated ?? 0, updated ?? 0)).toEqual([])
    expect(await between(updated ?? 0, updated ?? 0, { sortBy: 'updatedAt' })).toEqual([id])
  })

  it('blocks of any transaction, of the origin alone when originChainId is given (wire.md 3.1)', async () => {
    const user = unique()
    const id = await add({
      columns: { user_address: user },
      txs: [
        { purpose: 'deposit', txId: unique(), height: 700 },
        { purpose: 'fill', txId: unique(), height: 900 },
      ],
    })
    const [from] = world.network.chains.map(({ chain }) => chain.chainId)
    expect(await found({ user, startBlock: 900, endBlock: 900 })).toEqual([id])
    expect(await found({ user, startBlock: 900, originChainId: from ?? 0 })).toEqual([])
    expect(await found({ user, startBlock: 700, endBlock: 700, originChainId: from ?? 0 })).toEqual([id])
    expect(await found({ user, startBlock: 701, endBlock: 899 })).toEqual([])
  })

  it('amountUsd, appFeesAmountUsd and fillTime have inclusive bounds', async () => {
    const user = unique()
    const id = await add({ columns: { user_address: user, amount_usd: 12.5, app_fees_usd: 0.25, fill_seconds: 9 } })
    for (const [name, at] of [
      ['amountUsd', 12.5],
      ['appFeesAmountUsd', 0.25],
      ['fillTime', 9],
    ] as const) {
      expect(await found({ user, [`${name}Min`]: at, [`${name}Max`]: at })).toEqual([id])
      expect(await found({ user, [`${name}Min`]: at + 0.01 })).toEqual([])
      expect(await found({ user, [`${name}Max`]: at - 0.01 })).toEqual([])
      await refused({ [`${name}Min`]: 2, [`${name}Max`]: 1 })
    }
  })

  it('numbers are decimal text: exponents, signs, blanks and words are 400', async () => {
    const names = ['limit', 'originChainId', 'startTimestamp', 'endBlock', 'amountUsdMin', 'fillTimeMax']
    for (const name of names) {
      for (const bad of ['1e3', '-1', '+1', ' 1', '0x10', '٣', '', 'NaN', 'Infinity', '1_0'])
        await refused({ [name]: bad })
    }
    await refused({ startTimestamp: 1_790_000_000_000 })
    await refused({ startTimestamp: 20, endTimestamp: 10 })
    await refused({ startBlock: 20, endBlock: 10 })
    for (const limit of [0, 51, 1.5]) await refused({ limit })
  })
})

describe('filters (rule 2)', () => {
  const two = async () => {
    const user = unique()
    const first = await add({ columns: { user_address: user, symbol_in: 'usdc', fail_reason: null } })
    const second = await add({
      status: 'failure',
      columns: { user_address: user, symbol_in: '', fail_reason: 'SLIPPAGE' },
    })
    const of = async (filters: unknown, more = {}) =>
      [...(await found({ user, filters: JSON.stringify(filters), ...more }))].sort()
    return { first, second, both: [first, second].sort(), of }
  }

  it('AND within a group, OR between groups; arrays are OR; not: negates; top-level parameters still apply', async () => {
    const { first, second, both, of } = await two()
    expect(await of([{ status: 'success', currencyInSymbol: 'USDC' }])).toEqual([first])
    expect(await of([{ status: 'success', currencyInSymbol: 'ETH' }])).toEqual([])
    expect(await of([{ status: 'success' }, { failReason: 'SLIPPAGE' }])).toEqual(both)
    expect(await of([{ status: ['success', 'failure'] }])).toEqual(both)
    expect(await of([{ 'not:status': 'success' }])).toEqual([second])
    expect(await of([{ status: ['success', 'failure'] }], { status: 'failure' })).toEqual([second])
    const [from] = world.network.chains.map(({ chain }) => chain.chainId)
    expect(await of([{ originChainId: from, requestType: 'bridge' }])).toEqual(both)
    expect(await of([])).toEqual(both)
    expect(await of([{}])).toEqual(both)
  })

  it('null is a null-check on any recognised key, composite user and symbols included', async () => {
    const { first, second, both, of } = await two()
    expect(await of([{ failReason: null }])).toEqual([first])
    expect(await of([{ 'not:failReason': null }])).toEqual([second])
    expect(await of([{ currencyInSymbol: null }])).toEqual([second])
    expect(await of([{ 'not:user': null }])).toEqual(both)
    expect(await of([{ user: null }])).toEqual([])
    expect(await of([{ depositAddress: null, refundTxHash: null }])).toEqual(both)
  })

  it('what is not of the grammar is 400, fast, however large or deep (faults.md F88)', async () => {
    const deep = '['.repeat(8_000) + ']'.repeat(8_000)
    const group = { status: 'success' }
    const bad: readonly string[] = [
      ...['', '{', 'null', '5', '{}', '"x"', '[1]', '[null]', '[[]]', '[{"status":"success"},]', deep],
      ...[
        { status: ['success', null] },
        { status: [] },
        { status: {} },
        { status: [['success']] },
        { status: true },
      ].map((each) => JSON.stringify([each])),
      ...[
        { amountUsdMin: 1 },
        { features: 'app_fees' },
        { apiKey: ownKeyId },
        { term: 'x' },
        { limit: 1 },
        { 'not:not:id': 'x' },
      ].map((each) => JSON.stringify([each])),
      ...['constructor', '__proto__', 'toString', 'not:', ''].map((key) => `[{${JSON.stringify(key)}:"x"}]`),
      JSON.stringify(Array.from({ length: 21 }, () => group)),
      JSON.stringify(Array.from({ length: 1_000 }, () => ({}))),
      JSON.stringify([{ id: Array.from({ length: 51 }, () => 'x') }]),
      JSON.stringify([{ user: 'x'.repeat(257) }]),
      JSON.stringify([{ status: 'waiting' }]),
      JSON.stringify([{ originChainId: 1.5 }]),
      JSON.stringify([{ originChainId: 'one' }]),
      `[${'{},'.repeat(9_999)}{}]`,
    ]
    for (const filters of bad) {
      const started = performance.now()
      await refused({ filters })
      expect(performance.now() - started).toBeLessThan(1_000)
    }
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
    await refused({ user, continuation: `${continuation.slice(0, -2)}AA` })
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

describe('hostile text (faults.md D)', () => {
  const TEXTS = [
    'term',
    'id',
    'orderId',
    'user',
    'recipient',
    'depositAddress',
    'depositTxHash',
    'currencyInSymbol',
    'currencyOutAddress',
    'failReason',
  ]
  const HOSTILE = [
    "' or 1=1 --",
    '"',
    '\\',
    '%',
    '_',
    '%_%',
    '😀',
    '\u202e\u200f',
    '$1',
    ';drop table requests',
    'x'.repeat(256),
  ]

  it('is text like any other in every parameter, at the top and in filters', async () => {
    for (const name of TEXTS) {
      const answers = await Promise.all(HOSTILE.map((value) => found({ [name]: value })))
      expect([name, answers.flat()]).toEqual([name, []])
      if (name === 'term') continue
      const groups = HOSTILE.map((value) => ({ [name]: value }))
      expect(await found({ filters: JSON.stringify(groups) })).toEqual([])
    }
  })

  it('a null byte is 400, and in filters finds nothing', async () => {
    for (const name of ['term', 'user', 'continuation', 'filters', 'apiKey']) await refused({ [name]: 'a\u0000b' })
    expect(await found({ filters: JSON.stringify([{ user: 'a\u0000b' }, { user: '\ud800' }]) })).toEqual([])
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
