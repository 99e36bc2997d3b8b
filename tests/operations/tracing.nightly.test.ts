import { describe, expect, it } from 'vitest'
import { callApi, textAt } from '../harness/apiCall.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { NATIVE, userOf } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import {
  apiUrl,
  CALLER_TRACE,
  hosts,
  network,
  OF_API,
  OF_SOLVER,
  receiver,
  request,
  start,
  stop,
  TOKEN,
  transfer,
  useTracedHosts,
} from './tracedHosts.js'

useTracedHosts()

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
