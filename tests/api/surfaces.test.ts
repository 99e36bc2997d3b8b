import { computeOrderId, coreMigrations, type Order, recoverOrderSigner } from '@causeway/core'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOnChain } from '../harness/books.js'
import { type HostProcess, startHostProcess } from '../harness/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

let network: LocalNetwork
let database: TestDatabase
let host: HostProcess
let apiKey: string

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  host = await startHostProcess({ network, databaseUrl: database.url })
  const printed = await host.run('keys', 'create', '--integrator', 'acme', '--label', 'test')
  apiKey = /key:\s+(\S+)/.exec(printed)?.[1] ?? ''
  await quoteOverHttp(host.url, { ...transfer(), amount: ether('0.001') })
})
afterAll(async () => {
  host?.signal('SIGKILL')
  await host?.ended
  await database?.drop()
  await network?.close()
})

const transfer = () => ({
  user: userOf(network, 0),
  from: network.chains[0].chain.chainId,
  to: network.chains[1].chain.chainId,
  originCurrency: NATIVE,
  destinationCurrency: NATIVE,
  amount: ether('0.2'),
  recipient: freshAddress(),
})

const quoteBody = (more: object = {}) =>
  JSON.stringify({
    user: userOf(network, 0).address,
    recipient: freshAddress(),
    originChainId: network.chains[0].chain.chainId,
    destinationChainId: network.chains[1].chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: ether('0.1').toString(),
    tradeType: 'EXACT_INPUT',
    ...more,
  })

const call = async (
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> => {
  const response = await fetch(`${host.url}${path}`, init)
  // CAST: every operation answers an object or an array.
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}

const post = (path: string, body: string, key?: string) =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) },
    body,
  })

const statusOf = (requestId: string, version = '/v3') =>
  call(`/intents/status${version}?requestId=${requestId}&referrer=x`)

const finished = (requestId: string) =>
  until('the end of the request', async () => {
    const { body } = await statusOf(requestId)
    return ['success', 'refund', 'failure'].includes(String(body.status)) ? body : null
  })

it('a transfer over HTTP alone: waiting, then success, with the same hashes on every version (wire.md 2.1, 2.2)', async () => {
  const request = transfer()
  const quote = await quoteOverHttp(host.url, request)
  expect((await statusOf(quote.requestId)).body).toMatchObject({
    status: 'waiting',
    inTxHashes: [],
    txHashes: [],
    failReason: 'N/A',
    refundFailReason: 'N/A',
    details: null,
  })
  const hash = await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  const hint = await post(
    '/transactions/index',
    JSON.stringify({ chainId: String(request.from), txHash: hash, referrer: 'x' }),
  )
  expect([hint.status, hint.body.message]).toEqual([200, expect.any(String)])
  const v3 = await finished(quote.requestId)
  expect(v3).toMatchObject({
    status: 'success',
    inTxHashes: [hash],
    originChainId: request.from,
    destinationChainId: request.to,
  })
  expect(v3.txHashes).toHaveLength(1)
  const v1 = await statusOf(quote.requestId, '')
  expect(v1.body).toMatchObject({ status: 'success', txHashes: v3.txHashes })
  expect((await statusOf(quote.requestId, '/v2')).body).toMatchObject({ status: 'success', time: expect.any(Number) })
  expect(await balanceOnChain(network.chains[1], request.recipient, NATIVE)).toBe(
    BigInt(quote.details.currencyOut.amount),
  )
  const seen = await call(`/transactions/status?chainId=${request.from}&txHash=${hash}`)
  expect(seen.body).toMatchObject({ status: 'success', requestId: quote.requestId })
})

it('a forced refund needs a key, and is told as a refund with a reason (wire.md 1.2, B.3)', async () => {
  const refused = await post('/quote', quoteBody({ referrer: 'debug-force-refund' }))
  expect([refused.status, refused.body.errorCode]).toEqual([401, 'UNAUTHORIZED_QUOTE'])
  const { body } = await post('/quote', quoteBody({ referrer: 'debug-force-refund' }), apiKey)
  const quote = body as unknown as QuoteAnswer
  await executeQuote(network.chains[0].chain, userOf(network, 1), quote)
  const done = await finished(quote.requestId)
  expect(done).toMatchObject({ status: 'refund', failReason: 'UNKNOWN' })
  expect(done.txHashes).toHaveLength(1)
})

it('keys: /quote/v2 needs one since 2026-10-02, a bad one is refused even where none is needed, a revoked one at once (H.1, K.1 7)', async () => {
  expect((await post('/quote/v2', quoteBody())).body.errorCode).toBe('UNAUTHORIZED_QUOTE')
  expect((await post('/quote/v2', quoteBody(), apiKey)).status).toBe(200)
  expect((await post('/quote', quoteBody(), 'cct_test_wrongwrongwrong')).body.errorCode).toBe('UNAUTHORIZED')
  const printed = await host.run('keys', 'create', '--integrator', 'acme', '--label', 'short-lived')
  const key = /key:\s+(\S+)/.exec(printed)?.[1] ?? ''
  expect((await post('/quote/v2', quoteBody(), key)).status).toBe(200)
  await host.run('keys', 'revoke', /id:\s+(\S+)/.exec(printed)?.[1] ?? '')
  await until(
    'the revocation to reach the host',
    async () => ((await post('/quote/v2', quoteBody(), key)).status === 401 ? true : null),
    5_000,
  )
})

it('order data and signature are there on request, and anyone can check them (specification, quote rule 5)', async () => {
  const plain = await post('/quote', quoteBody())
  const { v2: without } = plain.body.protocol as { v2: Record<string, unknown> }
  expect([without.orderData, without.orderSignature, without.hubType]).toEqual([undefined, undefined, 'onchain'])
  const { body } = await post('/quote', quoteBody({ includeProtocolData: true }))
  const { v2 } = body.protocol as { v2: { orderId: `0x${string}`; orderData: Order; orderSignature: `0x${string}` } }
  const vmTypes = Object.fromEntries(network.chains.map(({ slug }) => [slug, 'ethereum-vm']))
  expect(computeOrderId(v2.orderData, vmTypes)).toBe(v2.orderId)
  expect(recoverOrderSigner(v2.orderId, v2.orderSignature)).toBe(v2.orderData.solver)
  expect(v2.orderData.solver).toBe(network.roles.order.address)
})

it('/price answers like a quote, without steps and without writing (wire.md 1.8)', async () => {
  const count = async () => (await database.pool.query('select 1 from quotes')).rowCount
  const before = await count()
  const { status, body } = await post('/price', quoteBody())
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['details', 'fees'])
  expect(await count()).toBe(before)
})

it('unknown and malformed ids, paths and methods (wire.md H.3, H.6)', async () => {
  expect((await statusOf(`0x${'ab'.repeat(32)}`)).status).toBe(404)
  expect((await statusOf('0x12')).status).toBe(400)
  expect((await call('/intents/status/v3')).status).toBe(400)
  expect((await call('/nothing')).status).toBe(404)
  expect((await call('/quote')).status).toBe(405)
})

it('the catalogue: currencies with filters and bounds, chains, liveness, metrics, CORS (wire.md 4.1, 4.2, 4.6, 4.14, 0.1)', async () => {
  const list = await post(
    '/currencies/v2',
    JSON.stringify({ term: 'usdc', chainIds: [network.chains[0].chain.chainId] }),
  )
  expect(list.body).toMatchObject([{ symbol: 'USDC', decimals: 6, vmType: 'evm', metadata: { isNative: false } }])
  const groups = await post('/currencies/v1', JSON.stringify({ term: 'usdc' }))
  expect(groups.body).toMatchObject([[{ groupID: 'usdc' }, { groupID: 'usdc' }]])
  expect((await post('/currencies/v2', JSON.stringify({ limit: 101 }))).status).toBe(400)
  const { body } = await call('/chains?referrer=x')
  expect(body.chains).toMatchObject(
    network.chains.map(({ chain, slug, depository }) => ({
      id: chain.chainId,
      vmType: 'evm',
      httpRpcUrl: '',
      explorerPaths: { transaction: '/tx/{TX_HASH}' },
      solverAddresses: [network.roles.solver.address],
      protocol: { v2: { chainId: slug, depository } },
    })),
  )
  expect((await call('/lives?withReport=true')).body).toMatchObject({
    status: 'ok',
    report: { postgres: { status: 'ok' } },
  })
  expect(await (await fetch(`${host.url}/metrics`)).text()).toContain('process_resident_memory_bytes')
  const preflight = await fetch(`${host.url}/quote/v2`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.headers.get('access-control-allow-headers')).toContain('relay-sdk-version')
})
