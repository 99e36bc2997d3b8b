import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { ether, userOf } from '../harness/localNetwork.js'
import type { QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { operatorSession } from './dashboardErrors.js'
import { newWallet, signIn } from './dashboardSession.js'
import { type HistoryWorld, idsOf, startHistoryWorld } from './historyWorld.js'
import { leakIn, nativeBody, postQuote } from './httpWorld.js'
import { PRIVATE_CHAIN, PRIVATE_ID } from './privateChain.js'
import { addRequest } from './requestRows.js'

type Headers = Readonly<Record<string, string>>

const API = '/dashboard/api'
const MOST_IN_A_FILE = 25

let world: HistoryWorld
/** A member of the integrator that made the real transfer, one of another, an operator. */
let owner: Headers
let stranger: Headers
let operator: Headers
let integratorId: string

beforeAll(async () => {
  world = await startHistoryWorld(() => ({ operator: {}, usage: {}, 'requests-v3': { fileRequests: MOST_IN_A_FILE } }))
  const { rows } = await world.database.pool.query<{ integrator_id: string }>(
    'select integrator_id from api_keys where id = $1',
    [world.ownKeyId],
  )
  integratorId = rows[0]?.integrator_id ?? ''
  operator = await operatorSession(world)
  const wallet = newWallet()
  await ask(operator, `/wallets/${wallet.address}`, { method: 'PUT', body: { integratorId, operator: false } })
  owner = await signIn(world.host.url, wallet)
  stranger = await signIn(world.host.url)
  await waitForQuiet(world.database.pool)
})
afterAll(() => world?.close())

const ask = (
  headers: Headers,
  path: string,
  more: { readonly method?: string; readonly body?: unknown } = {},
): Promise<ApiAnswer> => callApi(world.host.url, `${API}${path}`, { ...more, headers })

const like = (row: Parameters<typeof addRequest>[2] = {}) => addRequest(world.database.pool, world.real.requestId, row)

describe('GET /dashboard/api/requests', () => {
  it('is the history of the own integrator with owner fields, and nobody else’s', async () => {
    const foreign = await like({ columns: { integrator_id: randomUUID(), api_key_id: world.other.id } })
    const mine = await ask(owner, '/requests')
    expect(idsOf(mine)).toContain(world.real.requestId)
    expect(idsOf(mine)).not.toContain(foreign)
    expect(valueAt(mine.body, 'requests.0.data.referrer')).toBe('Shop %_')
    expect(valueAt(mine.body, 'requests.0.data.apiKeyName')).toBe('tests')
    expect(idsOf(await ask(stranger, '/requests'))).toEqual([])
    expect(idsOf(await ask(stranger, `/requests?id=${world.real.requestId}`))).toEqual([])
    expect(idsOf(await ask(operator, '/requests'))).toEqual(expect.arrayContaining([world.real.requestId, foreign]))
    expect(idsOf(await ask(operator, `/requests?integratorId=${integratorId}`))).not.toContain(foreign)
  })

  it('filters and answers as GET /requests/v3 does with the key of the integrator', async () => {
    for (const query of [`id=${world.real.requestId}`, 'status=success', 'sortBy=updatedAt', 'referrer=Shop%20%25_']) {
      const keyed = await callApi(
        world.host.url,
        `/requests/v3?includeAuthenticatedData=true&apiKey=${world.ownKeyId}&${query}`,
        { apiKey: world.host.apiKey },
      )
      const mine = await ask(owner, `/requests?apiKey=${world.ownKeyId}&${query}`)
      expect([query, mine.status, mine.body]).toEqual([query, 200, keyed.body])
    }
  })

  it('refuses keys and integrators of others, and lets no filter reach beyond the own requests', async () => {
    expect((await ask(owner, `/requests?apiKey=${world.other.id}`)).status).toBe(403)
    expect((await ask(owner, `/requests?integratorId=${randomUUID()}`)).status).toBe(403)
    const filters = encodeURIComponent(
      JSON.stringify([{ id: world.real.requestId }, { 'not:id': world.real.requestId }]),
    )
    expect(idsOf(await ask(stranger, `/requests?filters=${filters}`))).toEqual([])
    const mine = encodeURIComponent(JSON.stringify([{ integratorId }]))
    expect((await ask(stranger, `/requests?filters=${mine}`)).status).toBe(400)
  })

  it('pages, counts, and gives its continuation to the own integrator alone', async () => {
    await like()
    const first = await ask(owner, '/requests?limit=1&includeTotal=true')
    const continuation = textAt(first.body, 'continuation')
    expect(Number(valueAt(first.body, 'total'))).toBeGreaterThan(1)
    const second = await ask(owner, `/requests?limit=1&includeTotal=true&continuation=${continuation}`)
    expect(idsOf(second)).toHaveLength(1)
    expect(idsOf(second)).not.toEqual(idsOf(first))
    expect((await ask(stranger, `/requests?limit=1&continuation=${continuation}`)).status).toBe(400)
  })
})

describe('GET /dashboard/api/requests.csv', () => {
  it('has exact amounts with their decimals, and no cell that a spreadsheet takes for a formula', async () => {
    const evil = ['=1+1', '+1', '-1', '@x', '\tx', '\rx']
    const ids = await Promise.all(
      evil.map((word) => like({ columns: { referrer: `${word},"q"`, recipient: `${word}` } })),
    )
    const answer = await ask(owner, '/requests.csv')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect(answer.headers.get('x-truncated')).toBe('false')
    const lines = answer.text.split('\r\n')
    expect(lines[0]).toMatch(/^requestId,status,.*inDecimals,inAmount,/)
    for (const [at, word] of evil.entries()) {
      const from = answer.text.indexOf(ids[at] ?? 'missing')
      expect(from).toBeGreaterThan(0)
      expect(answer.text.slice(from)).toContain(`"'${word},""q"""`)
    }
    expect(answer.text).not.toMatch(/(^|,)"?[=@\t]/m)
    expect(lines.find((line) => line.startsWith(world.real.requestId))).toContain(
      `,18,${world.real.details.currencyIn.amount},0.01,`,
    )
    expect((await ask(stranger, '/requests.csv')).text.trim().split('\r\n')).toHaveLength(1)
  })
})

describe('a CSV file of more requests than it may have', () => {
  it('is cut there, and says so in a header and its last line', async () => {
    const referrer = 'a great many'
    await Promise.all(Array.from({ length: MOST_IN_A_FILE + 1 }, () => like({ columns: { referrer } })))
    const { text, headers } = await ask(owner, `/requests.csv?referrer=${encodeURIComponent(referrer)}`)
    const lines = text.trim().split('\r\n')
    expect(headers.get('x-truncated')).toBe('true')
    expect(lines).toHaveLength(1 + MOST_IN_A_FILE + 1)
    expect(lines.at(-1)).toContain('more than these 25')
  })
})

describe('GET /dashboard/api/requests/:id', () => {
  it('tells the owner of its request by any id: sums that add up, every step with its transaction', async () => {
    const status = await callApi(world.host.url, `/intents/status/v3?requestId=${world.real.requestId}`)
    const [deposit, fill] = [textAt(status.body, 'inTxHashes.0'), textAt(status.body, 'txHashes.0')]
    const ids = [
      world.real.requestId,
      world.real.protocol.v2.orderId,
      deposit,
      fill,
      fill.toUpperCase().replace('0X', '0x'),
    ]
    for (const id of ids) {
      expect(valueAt((await ask(owner, `/requests/${id}`)).body, 'requestId'), id).toBe(world.real.requestId)
    }
    const { body, text } = await ask(owner, `/requests/${world.real.requestId}`)
    expect(body).toMatchObject({
      status: 'success',
      referrer: 'Shop %_',
      problems: [],
      deposits: [{ txId: deposit, state: 'included', outcome: 'fill' }],
      payments: [{ purpose: 'fill', transactions: [{ txId: fill, state: 'included' }] }],
    })
    const [sum] = listAt(body, 'sums')
    const part = (name: string) => BigInt(textAt(sum, name))
    expect(part('deposited')).toBe(BigInt(world.real.details.currencyIn.amount))
    expect(part('fees')).toBe(BigInt(textAt(body, 'payments.0.fees.amount')))
    expect(part('paid') + part('fees') + part('refunded') + part('kept') + part('open')).toBe(part('deposited'))
    expect(['refunded', 'kept', 'open'].map(part)).toEqual([0n, 0n, 0n])
    const kinds = listAt(body, 'timeline').map((event) => valueAt(event, 'kind'))
    const order = ['quoted', 'deposit', 'decision', 'payment', 'sent', 'included'].map((kind) => kinds.indexOf(kind))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(order).not.toContain(-1)
    expect(listAt(body, 'fees.lines').map((line) => valueAt(line, 'name'))).toEqual(
      expect.arrayContaining(['execution', 'swap', 'platform', 'app', 'sponsored']),
    )
    const insides = /lane|guard|nonce:|generation|payout \d|ledger|byHand|signer|withdraw|spendable/i
    expect(text).not.toMatch(insides)
    expect(text.toLowerCase()).not.toContain(`"signer"`)
    expect(leakIn(world, text)).toBeNull()
  })

  it('is 404 in the same words for a foreign and an unknown request, and all of it for an operator', async () => {
    const unknown = `0x${'12'.repeat(32)}`
    const answers = await Promise.all(
      [world.real.requestId, world.real.protocol.v2.orderId, unknown, 'nothing', `0x${'12'.repeat(20)}`].map((id) =>
        ask(stranger, `/requests/${id}`),
      ),
    )
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([404, answers[2]?.body])
    }
    const all = await ask(operator, `/requests/${world.real.requestId}`)
    expect(all).toMatchObject({ status: 200, body: { explanation: { ledger: { sumsToZero: true } } } })
    expect((await ask(owner, `/requests/${world.real.requestId}`)).text).not.toContain('explanation')
    expect((await ask(operator, `/requests/${world.real.requestId}?integratorId=${randomUUID()}`)).status).toBe(404)
  })
})

describe('saved views', () => {
  const view = { name: 'Failed today', page: 'requests', query: { status: 'failure', limit: 20, includeTotal: true } }

  it('are made, listed by name, changed and removed by their member alone', async () => {
    const made = await ask(owner, '/views', { body: view })
    expect(made).toMatchObject({ status: 200, body: view })
    const id = textAt(made.body, 'id')
    await ask(owner, '/views', { body: { ...view, name: 'A first one' } })
    expect(listAt((await ask(owner, '/views')).body, 'views').map((one) => valueAt(one, 'name'))).toEqual([
      'A first one',
      'Failed today',
    ])
    expect(listAt((await ask(stranger, '/views')).body, 'views')).toEqual([])
    const changed = { ...view, query: { status: 'refund' } }
    for (const [who, status] of [
      [stranger, 404],
      [owner, 200],
    ] as const) {
      expect((await ask(who, `/views/${id}`, { method: 'PUT', body: changed })).status).toBe(status)
    }
    expect(listAt((await ask(owner, '/views')).body, 'views')[1]).toMatchObject(changed)
    for (const [who, status] of [
      [stranger, 404],
      [owner, 200],
      [owner, 404],
    ] as const) {
      expect((await ask(who, `/views/${id}`, { method: 'DELETE' })).status).toBe(status)
    }
  })

  it('are 50 at most, also when many are made at once, with a visible name', async () => {
    const made = await Promise.all(
      Array.from({ length: 55 }, (_, at) => ask(stranger, '/views', { body: { ...view, name: `view ${at}` } })),
    )
    expect(made.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200, 409]))
    for (const name of ['', '   ', 'x'.repeat(101), 'a\u202eb']) {
      expect((await ask(owner, '/views', { body: { ...view, name } })).status, JSON.stringify(name)).toBe(400)
    }
    expect((await ask(owner, '/views', { body: { ...view, query: { filters: 'x'.repeat(20_001) } } })).status).toBe(400)
    expect((await ask(owner, '/views', { body: { ...view, query: { filters: {} } } })).status).toBe(400)
  })
})

describe('GET /track/api/:id', () => {
  const track = (id: string, headers: Headers = {}) => callApi(world.host.url, `/track/api/${id}`, { headers })

  it('tells a stranger what its status tells, by request id, order id and every transaction', async () => {
    const { body: told } = await callApi(world.host.url, `/intents/status/v3?requestId=${world.real.requestId}`)
    const { requestId } = world.real
    const hashes = [textAt(told, 'inTxHashes.0'), textAt(told, 'txHashes.0')]
    for (const id of [
      requestId,
      requestId.toUpperCase().replace('0X', '0x'),
      world.real.protocol.v2.orderId,
      ...hashes,
    ]) {
      const { status, body } = await track(id)
      const { chains, links, firstFailReason, requestId: found, ...rest } = body as Record<string, unknown>
      expect([id, status, found, rest, firstFailReason]).toEqual([id, 200, requestId, told, null])
      expect(chains).toMatchObject({ origin: { explorerUrl: null }, destination: { name: expect.any(String) } })
      expect(links).toMatchObject({ payment: null, in: [{ txHash: hashes[0] }], out: [{ txHash: hashes[1] }] })
    }
    expect((await track(requestId)).text).not.toMatch(/referrer|apiKey|integrator/i)
  })

  it('tells the own payment to an address beside what brought it in', async () => {
    const [payment, swept] = [`0x${'a1'.repeat(32)}`, `0x${'a2'.repeat(32)}`]
    const paid = await like({ columns: { transfer_tx: payment }, txs: [{ purpose: 'deposit', txId: swept }] })
    const { body } = await track(paid)
    expect(valueAt(body, 'links')).toMatchObject({ payment: { txHash: payment }, in: [{ txHash: swept }] })
  })

  it('asks whoever names an address to sign in, and knows nothing else', async () => {
    const address = `0x${'12'.repeat(20)}`
    const answer = await track(address)
    expect(answer).toMatchObject({ status: 401, body: { message: expect.stringContaining('Sign in') } })
    for (const id of [`0x${'34'.repeat(32)}`, 'nothing', '%20', 'x'.repeat(256)]) {
      expect((await track(id)).status, id).toBe(404)
    }
    expect((await track('x'.repeat(257))).status).toBe(400)
  })

  it('finds a transfer of a private chain by its request id only, and does not name the chain (wire.md K.3 8)', async () => {
    const hidden = await like({
      columns: { destination_chain_id: PRIVATE_CHAIN },
      txs: [{ purpose: 'deposit', txId: `0x${'c0'.repeat(32)}` }],
    })
    expect((await track(`0x${'c0'.repeat(32)}`)).status).toBe(404)
    const { status, body, text } = await track(hidden)
    expect([status, valueAt(body, 'chains.destination.name')]).toEqual([200, null])
    expect(text).not.toContain(PRIVATE_ID)
    expect((await callApi(world.host.url, `/intents/status/v3?requestId=${hidden}`)).status).toBe(200)
  })
})

describe('GET /dashboard/api/usage', () => {
  it('is the use of the own keys, as their owner reads it with one', async () => {
    const since = Math.floor(Date.now() / 1000) - 3_600
    const query = `granularity=daily&startTimestamp=${since}`
    const keyed = await callApi(world.host.url, `/metrics/usage?${query}`, { apiKey: world.host.apiKey })
    expect(keyed.status).toBe(200)
    expect((await ask(owner, `/usage?${query}`)).status).toBe(200)
    expect(await ask(stranger, `/usage?${query}`)).toMatchObject({ status: 200, body: { metrics: [] } })
    expect((await ask(stranger, `/usage?${query}&apiKey=${world.ownKeyId}`)).status).toBe(403)
    expect((await ask(operator, `/usage?${query}`)).status).toBe(400)
    expect((await ask(operator, `/usage?${query}&integratorId=${integratorId}`)).status).toBe(200)
  })
})

describe('ids of others', () => {
  it('are 404 at every operation of a session that takes one, whatever the method', async () => {
    const view = { name: 'mine', page: 'requests', query: {} }
    const sessions = listAt((await ask(owner, '/sessions')).body, 'sessions')
    const foreign: Readonly<Record<string, string>> = {
      keys: world.ownKeyId,
      requests: world.real.requestId,
      views: textAt((await ask(owner, '/views', { body: view })).body, 'id'),
      sessions: textAt(sessions[0], 'id'),
      wallets: `0x${'12'.repeat(20)}`,
    }
    const asked = world.host.routes.filter(({ path }) => path.startsWith(API) && path.includes('/:'))
    expect(asked.length).toBeGreaterThan(6)
    for (const { method, path } of asked) {
      const kind = path.slice(API.length + 1).split('/')[0] ?? ''
      const target = path
        .slice(API.length)
        .replace(/:(id|address)/, foreign[kind] ?? `no ${kind}`)
        .replace(/:\w+/, '1')
      const body = method === 'GET' ? {} : { body: method === 'PUT' ? view : { label: 'x', url: 'https://a.example' } }
      // What only operators may do is refused before anything is looked for.
      const expected = kind === 'wallets' ? 403 : 404
      expect([method, path, (await ask(stranger, target, { method, ...body })).status]).toEqual([
        method,
        path,
        expected,
      ])
    }
    expect((await ask(owner, '/views')).text).toContain(foreign.views)
  })
})

describe('a request that is refunded', () => {
  it('tells its owner why, with the refund and its fee making up the whole deposit', async () => {
    const [origin] = world.network.chains
    const quoted = await postQuote(
      world,
      nativeBody(world, { amount: ether('0.02').toString() }),
      '/quote',
      world.host.apiKey,
    )
    expect(quoted.status).toBe(200)
    // CAST: the tests of the quote's shape check it.
    const made = quoted.body as QuoteAnswer
    await depositNative(origin, userOf(world.network, 0), made.protocol.v2.orderId, ether('0.01'))
    const found = await until('the refund', async () => {
      const { body } = await ask(owner, `/requests?user=${userOf(world.network, 0).address}&status=refund`)
      return listAt(body, 'requests').length === 0 ? null : textAt(body, 'requests.0.id')
    })
    await waitForQuiet(world.database.pool)
    const { body } = await ask(owner, `/requests/${found}`)
    expect(body).toMatchObject({
      status: 'refund',
      failReason: expect.any(String),
      deposits: [{ chainId: origin.chain.chainId, outcome: 'refund', outcomeReason: expect.any(String) }],
      payments: [{ purpose: 'refund', transactions: [{ state: 'included' }] }],
    })
    const part = (name: string) => BigInt(textAt(body, `sums.0.${name}`))
    expect(part('deposited')).toBe(ether('0.01'))
    expect(part('refunded')).toBe(BigInt(textAt(body, 'payments.0.money.amount')))
    expect(part('refunded') + part('fees')).toBe(part('deposited'))
    expect(['paid', 'kept', 'open'].map(part)).toEqual([0n, 0n, 0n])
  })
})
