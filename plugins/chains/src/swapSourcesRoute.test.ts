import { type Chain, ChainRegistry } from '@causeway/core/plugin'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainOf } from './chainStandIn.test.support.js'
import { swapSourcesRoute } from './swapSourcesRoute.js'

const swapping = (chain: Chain, sources: readonly string[]): Chain => ({
  ...chain,
  adapter: {
    ...chain.adapter,
    swaps: { sources, wrappedNative: null, router: null, payouts: true, deposits: 'all', offers: async () => [] },
  },
})

const chains = new ChainRegistry([
  swapping(chainOf({ id: 1 }), ['uniswap-v3', 'uniswap-v2']),
  swapping(chainOf({ id: 2 }), ['uniswap-v2', 'jupiter']),
  chainOf({ id: 3 }),
  swapping(chainOf({ id: 4, privateId: 'secret-uuid' }), ['hidden']),
])

let running: TestServer
beforeAll(async () => {
  running = await startTestServer([swapSourcesRoute({ chains })])
})
afterAll(() => running?.close())

const ask = (query = '') => fetch(`${running.server.url}/swap-sources${query}`)

describe('GET /swap-sources (wire.md 4.11)', () => {
  it.each([
    ['', ['jupiter', 'uniswap-v2', 'uniswap-v3']],
    ['?chainId=1', ['uniswap-v2', 'uniswap-v3']],
    ['?chainId=3', []],
  ])('names the sources of all public chains or of one: %s', async (query, sources) => {
    const answer = await ask(query)
    expect([answer.status, await answer.json()]).toEqual([200, { sources }])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300')
    expect(answer.headers.get('etag')).toMatch(/^"/)
  })

  it.each(['?chainId=99', '?chainId=4', '?chainId=x', '?chainId=0'])('is 400 {message}: %s', async (query) => {
    const answer = await ask(query)
    expect(answer.status).toBe(400)
    expect(Object.keys((await answer.json()) as object)).toEqual(['message', 'statusCode'])
  })
})
