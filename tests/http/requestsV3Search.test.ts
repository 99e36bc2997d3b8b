import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAt, valueAt } from '../harness/apiCall.js'
import type { HistoryWorld } from './historyWorld.js'
import { PRIVATE_CHAIN, PRIVATE_ID } from './privateChain.js'
import { add, ask, found, openWorld, refused, unique, world } from './requestsV3Calls.js'

let real: HistoryWorld['real']
let other: HistoryWorld['other']
let ownKeyId: string

beforeAll(async () => {
  ;({ real, other, ownKeyId } = await openWorld())
})
afterAll(() => world?.close())

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
  it('originChainId, destinationChainId and chainId: all that are given must hold', async () => {
    const user = unique()
    const id = await add({ columns: { user_address: user } })
    const [from, to] = world.network.chains.map(({ chain }) => chain.chainId)
    const of = (query: Readonly<Record<string, unknown>>) => found({ user, ...query } as Record<string, string>)
    expect(await of({ originChainId: from, destinationChainId: to })).toEqual([id])
    expect(await of({ originChainId: to })).toEqual([])
    for (const chainId of [from, to]) expect(await of({ chainId })).toEqual([id])
    expect(await of({ chainId: 5 })).toEqual([])
    expect(await of({ chainId: 5, originChainId: from })).toEqual([])
    expect(await of({ chainId: to, originChainId: from })).toEqual([id])
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
    const filtered = (group: object) => found({ filters: JSON.stringify([{ term: real.requestId, ...group }]) })
    for (const apiKey of [world.host.apiKey, [ownKeyId]]) {
      expect(await filtered({ apiKey })).toEqual([real.requestId])
      expect(await filtered({ 'not:apiKey': apiKey })).toEqual([])
    }
    expect(await filtered({ apiKey: null })).toEqual([])
    for (const apiKey of [other.apiKey, [ownKeyId, other.id]]) {
      await refused({ filters: JSON.stringify([{ status: 'success' }, { apiKey }]) }, 403)
    }
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

  it('what is not of the grammar is 400, however large or deep (faults.md F88)', async () => {
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
        { hash: 'x' },
        { wallet: 'x' },
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
      await refused({ filters })
    }
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
