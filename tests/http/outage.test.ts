import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, valueAt } from '../harness/apiCall.js'
import { USUAL_PRICES } from '../harness/host/host.js'
import { startTcpProxy, type TcpProxy } from '../harness/tcpProxy.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, leakIn, nativeBody, postQuote, rowCounts, startHttpWorld } from './httpWorld.js'

/** Stands in the node's URL, as the keys of providers do. */
const NODE_SECRET = 'n0de5ecret-a1b2c3d4e5f6'

let world: HttpWorld
let node: FaultProxy
let toDatabase: TcpProxy

beforeAll(async () => {
  world = await startHttpWorld({
    databaseUrl: async (own) => {
      const url = new URL(own)
      toDatabase = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
      url.host = `127.0.0.1:${toDatabase.port}`
      return url.toString()
    },
    rpcUrls: async ({ chains: [, { chain }] }) => {
      node = await startFaultProxy(chain.rpcUrl)
      return { [chain.chainId]: `${node.url}/v2/${NODE_SECRET}?key=${NODE_SECRET}` }
    },
  })
  expect((await postQuote(world, nativeBody(world))).status).toBe(200)
})
afterAll(async () => {
  await world?.close()
  await node?.close()
  await toDatabase?.cut()
})

const outcome = ({ status, body, text }: ApiAnswer): string => {
  expect(leakIn(world, text)).toBeNull()
  expect(text).not.toContain(NODE_SECRET)
  return `${status} ${String(valueAt(body, 'errorCode'))}`
}

/** A quote whose recipient nobody has asked about, on each path. */
const outcomes = async (more: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> => {
  const found: string[] = []
  for (const path of ['/quote/v2', '/quote', '/price']) {
    const body = nativeBody(world, { recipient: freshAddress(), ...more })
    found.push(outcome(await postQuote(world, body, path, world.host.apiKey)))
  }
  return found
}

const worksAgain = () =>
  until('quotes to be possible again', async () => {
    const answer = await postQuote(world, nativeBody(world, { recipient: freshAddress() }))
    return answer.status === 200 ? true : null
  })

describe('a node of the destination that fails (wire.md 0.4, K.1 8; faults.md F96)', () => {
  afterEach(async () => {
    node.clear()
    await worksAgain()
  })

  const fail = (rule: Parameters<FaultProxy['add']>[1]): void => {
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_simulateV1', 'eth_getBalance']) node.add(method, rule)
  }

  it.each([
    ['answers 500', { httpStatus: 500 }],
    ['hangs up', { drop: true }],
    ['answers 401', { httpStatus: 401 }],
    ['is too busy', { error: { code: 429, message: 'too many requests' } }],
  ])('%s: retryable, by the codes of each path, and nothing is written', async (_name, rule) => {
    const before = await rowCounts(world)
    fail(rule)
    expect(await outcomes()).toEqual(['503 RPC_HTTP_ERROR', '503 SERVICE_UNAVAILABLE', '503 SERVICE_UNAVAILABLE'])
    expect(await rowCounts(world)).toEqual(before)
  })

  it('does not answer: timed out on /quote/v2', async () => {
    fail({ delayMs: 6_000 })
    const body = nativeBody(world, { recipient: freshAddress() })
    const answer = await postQuote(world, body, '/quote/v2', world.host.apiKey)
    expect(outcome(answer)).toBe('503 REQUEST_TIMED_OUT')
  })

  it('tells secrets in its errors: they stay with us', async () => {
    const message = `no access with key ${NODE_SECRET} at https://node.example/${NODE_SECRET}`
    fail({ error: { code: -32_603, message } })
    for (const found of await outcomes()) expect(found).toMatch(/^(503|400) /)
    const metrics = await callApi(world.host.url, '/metrics')
    expect(metrics.text).not.toContain(NODE_SECRET)
  })
})

describe('prices that cannot be used (faults.md F79)', () => {
  afterEach(() => world.host.setPrices(USUAL_PRICES))

  /** Each with a currency that nobody has asked about, whose price is kept by nobody. */
  it.each([
    ['zero', 'usdc', '0'],
    ['negative', 'busd', '-1'],
  ] as const)('%s: 503 PRICE_FETCH_FAILED, and nothing is written', async (_name, asset, price) => {
    const [from, to] = world.network.chains
    const token = asset === 'usdc' ? 'usdc' : 'blockable'
    const before = await rowCounts(world)
    world.host.setPrices({ ...USUAL_PRICES, [asset]: price })
    const found = await outcomes({ originCurrency: from[token], destinationCurrency: to[token], amount: '25000000' })
    expect(found).toEqual(Array.from({ length: 3 }, () => '503 PRICE_FETCH_FAILED'))
    expect(await rowCounts(world)).toEqual(before)
  })
})

describe('a database that is gone for a while', () => {
  it('is 503 everywhere, with nothing of its words, and all works again afterwards', async () => {
    await toDatabase.cut()
    try {
      const codes = []
      for (const path of ['/quote', '/price']) codes.push(outcome(await postQuote(world, nativeBody(world), path)))
      const keyed = await postQuote(world, nativeBody(world), '/quote/v2', world.host.apiKey)
      codes.push(outcome(keyed))
      expect(codes).toEqual(Array.from({ length: 3 }, () => '503 SERVICE_UNAVAILABLE'))
      const status = await callApi(world.host.url, `/intents/status/v3?requestId=0x${'ab'.repeat(32)}`)
      expect([status.status, Object.keys(Object(status.body))]).toEqual([503, ['message']])
      expect(leakIn(world, status.text)).toBeNull()
      const lives = await callApi(world.host.url, '/lives')
      expect([lives.status, lives.body]).toEqual([503, { status: 'error' }])
      expect((await callApi(world.host.url, '/chains')).status).toBe(200)
    } finally {
      await toDatabase.restore()
    }
    await worksAgain()
    await until('health to be told again', async () => {
      const { status } = await callApi(world.host.url, '/lives')
      return status === 200 ? true : null
    })
  })
})
