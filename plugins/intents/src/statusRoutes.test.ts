import type { Currency, Hex } from '@causeway/core'
import type { Chain, RequestReader, RequestStatusView } from '@causeway/core/plugin'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { statusRoutes } from './statusRoutes.js'

const requestId: Hex = `0x${'ab'.repeat(32)}`

const view: RequestStatusView = {
  requestId,
  status: 'submitted',
  details: null,
  inTxHashes: ['0x01'],
  txHashes: ['0x02'],
  updatedAt: 1_790_000_000_000,
  quoteCreatedAt: 1_789_999_990_000,
  transferTx: null,
  originChainId: 1,
  destinationChainId: 10,
  failReason: null,
  refundFailReason: null,
}

let allowance = 0n
// CAST: what an approval is asked of.
const chain = {
  adapter: {
    normalizeCurrency: (text: string) => (text === 'token' ? text : null),
    validateAddress: (text: string) => ({ ok: true, canonical: text }),
    readAllowance: async ({ owner, token, spender }: { owner: string; token: string; spender: string }) =>
      `${owner} ${token} ${spender}` === 'me token router' ? allowance : 0n,
  },
} as unknown as Chain

const readerOf = (found: RequestStatusView): RequestReader => ({
  findStatus: async (id) => (id === found.requestId ? found : null),
  findByTransaction: async () => null,
})

// CAST: nothing else of a currency is read.
const usdc = { symbol: 'USDC', decimals: 6 } as Currency
const currencies = { find: (_chainId: number, address: string) => (address === 'usdc' ? usdc : undefined) }

let running: TestServer | undefined
const serve = async (found: RequestStatusView, statusV1Words: 'v3' | 'legacy' = 'v3'): Promise<string> => {
  const chains = { find: () => chain }
  running = await startTestServer(statusRoutes({ requests: readerOf(found), chains, currencies, statusV1Words }))
  return running.server.url
}
const get = async (url: string) => {
  const answer = await fetch(url)
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
}

afterEach(() => running?.close())

describe('the check of an approve item (wire.md 1.4, 2.1)', () => {
  it.each([
    { status: 'waiting', held: 5n, approval: 'me,token,router,5', shown: 'success' },
    { status: 'waiting', held: 4n, approval: 'me,token,router,5', shown: 'waiting' },
    { status: 'waiting', held: 5n, approval: 'me,other,router,5', shown: 'waiting' },
    { status: 'waiting', held: 5n, approval: 'you,token,router,5', shown: 'waiting' },
    { status: 'pending', held: 5n, approval: 'me,token,router,5', shown: 'pending' },
  ] as const)('of a $status request with an allowance of $held for $approval: $shown', async (row) => {
    allowance = row.held
    const url = await serve({ ...view, status: row.status })
    const { body } = await get(`${url}/intents/status/v3?requestId=${requestId}&approval=${row.approval}`)
    expect(body.status).toBe(row.shown)
    const bad = await get(`${url}/intents/status/v3?requestId=${requestId}&approval=me`)
    expect(bad.status).toBe(400)
  })
})

describe('GET /intents/status/v3', () => {
  it('while a payment to the address is short says what arrived, what is missing and why it stays', async () => {
    const asked = { chainId: 1, currency: 'usdc', amount: 1_000_000n }
    const money = (currency: string, amount: bigint, isStale = false) => ({ chainId: 1, currency, amount, isStale })
    const detailsOf = async (atAddress: RequestStatusView['atAddress']) => {
      const url = await serve({ ...view, status: 'waiting', atAddress: atAddress as never })
      const { body } = await get(`${url}/intents/status/v3?requestId=${requestId}`)
      await running?.close()
      return body.details
    }
    const quiet = { asked, trouble: null, reindexedAt: null }
    const dust = { ...quiet, lies: [money('usdc', 10_000n)] }
    expect(await detailsOf(dust)).toBe('Arrived at the deposit address: 0.01 USDC. Missing: 0.99 USDC of 1.0 USDC.')
    const trouble = 'It is worth less than its sweep costs.'
    expect(await detailsOf({ ...dust, trouble, reindexedAt: 0 })).toMatch(
      /USDC\. It stays there: It is worth less than its sweep costs\. Last reindex: 1970-01-01T00:00:00\.000Z\.$/,
    )
    expect(await detailsOf({ ...quiet, lies: [money('0xee', 7n, true)] })).toMatch(
      /^Arrived at the deposit address: 7 smallest units of 0xee\. Missing: 1\.0 USDC of 1\.0 USDC\. 0xee arrived and cannot be exchanged: the operator/,
    )
    expect(await detailsOf({ ...quiet, lies: [money('usdc', 7n, true)] })).toBeNull()
  })

  it('answers every field without a key, ignores other parameters and is not cached (wire.md 2.1, 0.1)', async () => {
    const url = await serve(view)
    const answer = await get(`${url}/intents/status/v3?requestId=${requestId}&referrer=someone`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      status: 'submitted',
      details: null,
      inTxHashes: ['0x01'],
      txHashes: ['0x02'],
      updatedAt: 1_790_000_000_000,
      originChainId: 1,
      destinationChainId: 10,
      quoteCreatedAt: 1_789_999_990_000,
      failReason: 'N/A',
      refundFailReason: 'N/A',
    })
  })

  it('finds an id written in upper case', async () => {
    const url = await serve(view)
    expect((await get(`${url}/intents/status/v3?requestId=0x${'AB'.repeat(32)}`)).status).toBe(200)
  })

  it('shows the reason, or UNKNOWN, of a failure or refund only (wire.md B.3)', async () => {
    const url = await serve({ ...view, status: 'refund', failReason: 'DOUBLE_SPEND' })
    expect((await get(`${url}/intents/status/v3?requestId=${requestId}`)).body.failReason).toBe('DOUBLE_SPEND')
    await running?.close()
    const failed = await serve({ ...view, status: 'failure', refundFailReason: 'MANUAL_REFUND_REQUIRED' })
    const { body } = await get(`${failed}/intents/status/v3?requestId=${requestId}`)
    expect(body).toMatchObject({ failReason: 'UNKNOWN', refundFailReason: 'MANUAL_REFUND_REQUIRED' })
  })

  it('keeps a reason to itself while the request is under way (wire.md B.3)', async () => {
    const url = await serve({ ...view, status: 'pending', failReason: 'SLIPPAGE' })
    expect((await get(`${url}/intents/status/v3?requestId=${requestId}`)).body.failReason).toBe('N/A')
  })

  it('begins the details of a failure with words that end the wait of public clients (wire.md H.3)', async () => {
    const url = await serve({ ...view, status: 'failure', details: 'execution reverted' })
    const { body } = await get(`${url}/intents/status/v3?requestId=${requestId}`)
    expect(body.details).toBe('Transaction failed: execution reverted')
  })
})

describe('refusals (wire.md H.3)', () => {
  it.each(['/intents/status', '/intents/status/v2', '/intents/status/v3'])('%s', async (path) => {
    const url = await serve(view)
    const unknown = await get(`${url}${path}?requestId=0x${'00'.repeat(32)}`)
    expect(unknown).toMatchObject({ status: 404, body: { message: expect.any(String) } })
    for (const query of ['', '?requestId=', '?requestId=0x12', `?requestId=${'ab'.repeat(32)}`]) {
      const malformed = await get(`${url}${path}${query}`)
      expect(malformed.status).toBe(400)
      expect(Object.keys(malformed.body)).toEqual(['message', 'statusCode'])
    }
  })
})

describe('the other versions', () => {
  it('v2 has time for updatedAt, no reasons, and shows submitted as pending (wire.md 2.2, H.3)', async () => {
    const url = await serve(view)
    expect((await get(`${url}/intents/status/v2?requestId=${requestId}`)).body).toEqual({
      status: 'pending',
      details: null,
      inTxHashes: ['0x01'],
      txHashes: ['0x02'],
      time: 1_790_000_000_000,
      originChainId: 1,
      destinationChainId: 10,
      quoteCreatedAt: 1_789_999_990_000,
    })
  })

  it('/intents/status answers body and words of v3 (wire.md K.2 8)', async () => {
    const url = await serve(view)
    const [first, third] = await Promise.all(
      ['/intents/status', '/intents/status/v3'].map((path) => get(`${url}${path}?requestId=${requestId}`)),
    )
    expect(first?.body).toEqual(third?.body)
  })

  it.each([
    ['waiting', 'received'],
    ['depositing', 'pending'],
    ['submitted', 'pending'],
    ['success', 'success'],
    ['failure', 'failure'],
    ['refund', 'fallback'],
  ] as const)('the old words say %s as %s, only behind the switch (wire.md H.3)', async (status, word) => {
    const url = await serve({ ...view, status }, 'legacy')
    const { body } = await get(`${url}/intents/status?requestId=${requestId}`)
    expect(body).toMatchObject({ status: word, time: view.updatedAt })
  })
})
