import { describe, expect, it } from 'vitest'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { apiUrl, receiver, request, start, stop, transfer, useTracedHosts } from './tracedHosts.js'

useTracedHosts()

describe('traces of requests', () => {
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
