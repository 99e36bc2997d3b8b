import type { Caller, StoredQuote } from '@causeway/core/plugin'
import { startTestServer } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { INTEGRATOR } from '../fixtures/quoteWorld.js'
import { quoteDataRoute } from './quoteDataRoute.js'

const requestId = `0x${'a1'.repeat(32)}` as const
const stored: StoredQuote = {
  requestId,
  createdAt: new Date(0),
  integratorId: INTEGRATOR.kind === 'integrator' ? INTEGRATOR.integratorId : null,
  body: '{}',
  quoted: '{"feeSponsorship":null}',
}
/** Its key was added for a browser's origin. */
const proxied: Caller = INTEGRATOR.kind === 'integrator' ? { ...INTEGRATOR, proxied: true } : INTEGRATOR

let asked = 0
let running: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  const store = {
    findQuote: async () => {
      asked++
      return stored
    },
  }
  const auth = { authenticate: async (key: string | undefined) => (key === 'own' ? INTEGRATOR : proxied) }
  running = await startTestServer([quoteDataRoute({ store })], { auth, checkResponses: false })
})
afterAll(() => running.close())

const statusWith = async (key: string): Promise<number> => {
  const url = `${running.server.url}/integrators/quote-data?requestId=${requestId}`
  return (await fetch(url, { headers: { 'x-api-key': key } })).status
}

it('a caller whose key was added for a browser’s origin sees no quote of that key (wire.md H.1, H.3)', async () => {
  expect(await statusWith('proxied')).toBe(403)
  expect(await statusWith('own')).toBe(200)
})

it('asks the store once', async () => {
  asked = 0
  await statusWith('own')
  expect(asked).toBe(1)
})
