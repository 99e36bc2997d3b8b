import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, textAt } from '../harness/apiCall.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { startTraceReceiver, type TraceReceiver } from './traceReceiver.js'

const TOKEN = 'c0llector-t0ken-0123456789'
const OF_API = ['quote', 'read market', 'build deposit', 'store quote']
const OF_SOLVER = ['deposit seen', 'decide', 'sign', 'store', 'broadcast', 'included', 'final']
const CALLER_TRACE = '12'.repeat(16)

let network: LocalNetwork
let database: TestDatabase
let receiver: TraceReceiver
let hosts: readonly HostProcess[] = []

const start = (roles: readonly string[], config: Readonly<Record<string, unknown>> = {}): Promise<HostProcess> =>
  startHostProcess({ network, databaseUrl: database.url, roles, config })

const stop = async (host: HostProcess): Promise<string> => {
  host.signal('SIGTERM')
  return host.ended
}

beforeAll(async () => {
  ;[network, database, receiver] = await Promise.all([
    startLocalNetwork(),
    createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }], poolSize: 4 }),
    startTraceReceiver(),
  ])
  const tracing = { endpoint: receiver.url, sampleRatio: 1, headers: { authorization: TOKEN } }
  hosts = [await start(['api'], { tracing }), await start(['watcher', 'solver'], { tracing })]
})
afterAll(async () => {
  await Promise.all(hosts.map(stop))
  await receiver?.close()
  await database?.drop()
  await network?.close()
})

const request = () => ({
  user: userOf(network, 0),
  from: network.chains[0].chain.chainId,
  to: network.chains[1].chain.chainId,
  originCurrency: NATIVE,
  destinationCurrency: NATIVE,
  amount: ether('0.01'),
})

const apiUrl = (): string => hosts[0]?.url ?? ''

const succeed = async (url: string, requestId: string): Promise<void> => {
  await until('success', async () => {
    const { body } = await callApi(url, `/intents/status/v3?requestId=${requestId}`)
    return textAt(body, 'status') === 'success' ? true : null
  })
}

const transfer = async (url: string): Promise<string> => {
  const quote = await quoteOverHttp(url, request())
  await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  await succeed(url, quote.requestId)
  return quote.requestId
}

describe('traces of requests', () => {
  it('one transfer is one trace of spans from two processes, and its ids come from the request id', async () => {
    const requestId = await transfer(apiUrl())
    const traceId = requestId.slice(2, 34)
    const own = () => receiver.spans.filter((span) => span.traceId === traceId)
    const isThere = (name: string) => own().some((span) => span.name === name)
    // Each process sends its own, when it has time to.
    await until('every span', async () =>
      OF_API.every(isThere) &&
      OF_SOLVER.every(isThere) &&
      own().some(({ name, attributes }) => name === 'final' && attributes['causeway.result'] === 'fill')
        ? true
        : null,
    )
    const root = own().filter(({ parentSpanId }) => parentSpanId === null)
    expect(root.map(({ name, spanId, attributes }) => [name, spanId, attributes])).toEqual([
      ['quote', requestId.slice(34, 50), { 'http.route': '/quote', 'causeway.request_id': requestId }],
    ])
    expect(new Set(own().flatMap(({ parentSpanId }) => parentSpanId ?? []))).toEqual(new Set([requestId.slice(34, 50)]))
    const processOf = (name: string) => {
      const span = own().find((item) => item.name === name)
      return JSON.stringify(span?.process['causeway.roles'])
    }
    for (const name of OF_API) expect(processOf(name)).toContain('api')
    for (const name of OF_SOLVER) expect([name, processOf(name)]).toEqual([name, expect.stringContaining('solver')])
    for (const { milliseconds } of own()) expect(milliseconds).toBeGreaterThanOrEqual(0)
  })

  it('say nothing secret: no URL, key, token or database', () => {
    const text = receiver.text()
    expect(text).not.toMatch(/https?:|wss?:|postgres|127\.0\.0\.1/)
    expect(text).not.toContain(TOKEN)
    for (const { privateKey } of Object.values(network.roles)) expect(text).not.toContain(privateKey.slice(2))
    expect(new Set(receiver.header('authorization'))).toEqual(new Set([TOKEN]))
    for (const host of hosts) expect(host.log()).not.toContain(TOKEN)
  })

  it("links the caller's trace and never joins it", async () => {
    const { body } = await callApi(apiUrl(), '/quote', {
      headers: { traceparent: `00-${CALLER_TRACE}-${'34'.repeat(8)}-01` },
      body: {
        user: userOf(network, 0).address,
        recipient: userOf(network, 0).address,
        originChainId: request().from,
        destinationChainId: request().to,
        originCurrency: NATIVE,
        destinationCurrency: NATIVE,
        amount: '10000000000000000',
        tradeType: 'EXACT_INPUT',
      },
    })
    const requestId = textAt(body, 'steps.0.requestId')
    const span = await until('its span', async () =>
      receiver.spans.find(({ name, traceId }) => name === 'quote' && traceId === requestId.slice(2, 34)),
    )
    expect(span.links).toEqual([CALLER_TRACE])
    expect(receiver.spans.filter(({ traceId }) => traceId === CALLER_TRACE)).toEqual([])
  })

  it('a collector that fails or is away costs nobody a transfer, nor a process its end', async () => {
    receiver.fail(true)
    await transfer(apiUrl())
    receiver.fail(false)
    const away = await start(['api'], { tracing: { endpoint: 'http://127.0.0.1:1/v1/traces', sampleRatio: 1 } })
    await transfer(away.url)
    expect(await stop(away)).toBe('0')
    expect(away.log()).not.toMatch(/unhandled|ECONNREFUSED/i)
  })

  it('without a configuration, or at a ratio of 0, there are none', async () => {
    const silent = await start(['api'], { tracing: { endpoint: receiver.url, sampleRatio: 0 } })
    const plain = await start(['api'])
    const quotes = [await quoteOverHttp(silent.url, request()), await quoteOverHttp(plain.url, request())]
    expect([await stop(silent), await stop(plain)]).toEqual(['0', '0'])
    const ids = new Set(quotes.map(({ requestId }) => requestId.slice(2, 34)))
    expect(receiver.spans.filter(({ traceId }) => ids.has(traceId))).toEqual([])
  })
})
