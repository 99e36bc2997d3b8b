import { type Hex, ServiceError } from '@causeway/core'
import type { RequestReader } from '@causeway/core/plugin'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type Finding, registryOf } from './chainStandIn.test.support.js'
import { indexRoute } from './indexRoute.js'
import { singleRoute } from './singleRoute.js'
import { statusRoute } from './statusRoute.js'

const requestId: Hex = `0x${'cd'.repeat(32)}`
const hash = `0x${'ab'.repeat(32)}`
const found: Finding = {
  status: 'success',
  block: { height: 77n, hash: `0x${'11'.repeat(32)}`, time: 1 },
  depositOrderIds: [],
}
const unknown: Finding = { status: 'unknown', block: null, depositOrderIds: [] }

let running: TestServer | undefined
let hinted: string[] = []

const serve = async (
  find: (txId: string) => Promise<Finding>,
  options: {
    readonly mempoolVisibility?: boolean
    readonly declaresNoForm?: boolean
    readonly ours?: string
  } = {},
): Promise<string> => {
  hinted = []
  const chains = registryOf({ id: 31337, ...options, find })
  const hints = {
    hint: (chainId: number, txId: string, caller: string) => {
      expect(caller).toBe('address 127.0.0.1')
      hinted.push(`${chainId}:${txId}`)
    },
  }
  const requests: RequestReader = {
    findStatus: async () => null,
    findByTransaction: async (_, txId) => (txId === options.ours ? { requestId, kind: 'deposit' } : null),
  }
  running = await startTestServer([
    indexRoute({ chains, hints, lookupTimeoutMs: 200 }),
    singleRoute({ chains, hints, reports: { note: async () => {} } }),
    statusRoute({ chains, requests, lookupTimeoutMs: 200 }),
  ])
  return running.server.url
}
const call = async (url: string, body?: unknown) => {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(url, { ...init, headers: { 'content-type': 'application/json' } })
  return { status: answer.status, body: await answer.json() }
}

afterEach(() => running?.close())

describe('POST /transactions/index (wire.md 2.3)', () => {
  it('hints and answers 200 for a known transaction, with the chain as text or number', async () => {
    const url = await serve(async () => found)
    for (const chainId of ['31337', 31337]) {
      const body = { chainId, txHash: hash.toUpperCase().replace('0X', '0x'), requestId, referrer: 'x' }
      expect(await call(`${url}/transactions/index`, body)).toEqual({
        status: 200,
        body: { message: expect.any(String) },
      })
    }
    expect(hinted).toEqual([`31337:${hash}`, `31337:${hash}`])
  })

  it('is 404 for a transaction the chain does not know, and hints all the same', async () => {
    const url = await serve(async () => unknown)
    expect((await call(`${url}/transactions/index`, { chainId: 31337, txHash: hash })).status).toBe(404)
    expect(hinted).toHaveLength(1)
  })

  it.each([
    [404, true],
    [200, false],
  ])(
    'is %i for a transaction in no block, where such are declared to be seen: %s',
    async (status, mempoolVisibility) => {
      const pending: Finding = { status: 'pending', block: null, depositOrderIds: [] }
      const url = await serve(async () => pending, { mempoolVisibility })
      expect((await call(`${url}/transactions/index`, { chainId: 31337, txHash: hash })).status).toBe(status)
    },
  )

  it.each([
    ['anything-at-all', 200],
    ['with space', 400],
  ])('on a chain that declares no form of ids takes any visible text: %s', async (txHash, status) => {
    const url = await serve(async () => found, { declaresNoForm: true })
    expect((await call(`${url}/transactions/index`, { chainId: 31337, txHash })).status).toBe(status)
    expect(hinted).toEqual(status === 200 ? [`31337:${txHash}`] : [])
  })

  it.each([
    ['an unknown chain', { chainId: 5, txHash: hash }],
    ['a hash of another form', { chainId: 31337, txHash: '0x12' }],
    ['no hash', { chainId: 31337 }],
    ['a chain that is no number', { chainId: 'x', txHash: hash }],
    ['nothing', {}],
  ])('is 400 {message} for %s, without a hint', async (_, body) => {
    const url = await serve(async () => found)
    const answer = await call(`${url}/transactions/index`, body)
    expect(answer).toEqual({ status: 400, body: { message: expect.any(String), statusCode: 400 } })
    expect(hinted).toEqual([])
  })

  it('takes the hint when the chain fails or does not answer in time', async () => {
    const failing = await serve(async () => {
      throw new ServiceError('RPC_HTTP_ERROR', 'The chain cannot be reached')
    })
    expect((await call(`${failing}/transactions/index`, { chainId: 31337, txHash: hash })).status).toBe(200)
    await running?.close()
    const silent = await serve(() => new Promise(() => undefined))
    expect((await call(`${silent}/transactions/index`, { chainId: 31337, txHash: hash })).status).toBe(200)
  })
})

describe('POST /transactions/single (wire.md 2.4)', () => {
  it('takes a replacement before what it replaced', async () => {
    const url = await serve(async () => unknown)
    const replaced = `0x${'ef'.repeat(32)}`
    const tx = JSON.stringify({ from: '0x1', txHash: hash, replacementTxHash: replaced })
    const answer = await call(`${url}/transactions/single`, { requestId, chainId: '31337', tx, referrer: 'x' })
    expect(answer).toEqual({ status: 200, body: { message: expect.any(String) } })
    expect(hinted).toEqual([`31337:${replaced}`])
  })

  it.each([
    ['text that is not JSON', 'nonsense'],
    ['no hash', '{}'],
    ['a null', 'null'],
    ['a hash of another form', '{"txHash":"abc"}'],
    ['a nest without end', '['.repeat(100_000)],
  ])('is 400 for %s', async (_, tx) => {
    const url = await serve(async () => found)
    expect((await call(`${url}/transactions/single`, { requestId, chainId: 31337, tx })).status).toBe(400)
    expect(hinted).toEqual([])
  })
})

describe('GET /transactions/status (wire.md H.3)', () => {
  const query = `chainId=31337&txHash=${hash}&referrer=x`

  it('tells the state on the chain and the request it belongs to', async () => {
    const url = await serve(async () => found, { ours: hash })
    expect(await call(`${url}/transactions/status?${query}`)).toEqual({
      status: 200,
      body: { status: 'success', requestId, chainId: 31337, txHash: hash, blockNumber: 77 },
    })
  })

  it('is unknown when it is ours and the chain does not know it, 404 when nobody does', async () => {
    const url = await serve(async () => unknown, { ours: hash })
    expect((await call(`${url}/transactions/status?${query}`)).body).toMatchObject({
      status: 'unknown',
      requestId,
      blockNumber: null,
    })
    const other = `chainId=31337&txHash=0x${'22'.repeat(32)}`
    expect((await call(`${url}/transactions/status?${other}`)).status).toBe(404)
  })

  it('is 503 when the chain is silent and the transaction is not ours', async () => {
    const url = await serve(() => new Promise(() => undefined))
    expect((await call(`${url}/transactions/status?${query}`)).status).toBe(503)
  })

  it.each(['', `?txHash=${hash}`, '?chainId=31337', `?chainId=1e4&txHash=${hash}`, `?chainId=5&txHash=${hash}`])(
    'is 400 for the query "%s"',
    async (text) => {
      const url = await serve(async () => found)
      expect((await call(`${url}/transactions/status${text}`)).status).toBe(400)
    },
  )
})
